/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONC RPC over TCP: libtirpc's formats, own sockets, one deadline. */
#include "probe/rpc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "probe/clock.h"

#define RECORD_LAST 0x80000000U         /* RFC 5531 section 11: this fragment ends the record */
#define MARK_BYTES sizeof(uint32_t)

int rpc_address_parse(const char *text, unsigned port, struct rpc_address *ret)
{
        static const struct addrinfo hints = {
                .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                .ai_family = AF_UNSPEC,
                .ai_socktype = SOCK_STREAM,
        };
        struct addrinfo *found = NULL;

        if (port == 0 || port > UINT16_MAX)
                return -EINVAL;
        if (getaddrinfo(text, NULL, &hints, &found) != 0)
                return -EINVAL;

        *ret = (struct rpc_address){ .length_bytes = found->ai_addrlen };
        memcpy(&ret->storage, found->ai_addr, found->ai_addrlen);
        freeaddrinfo(found);

        in_port_t network_port = htons((uint16_t)port);
        if (ret->storage.ss_family == AF_INET6)
                ((struct sockaddr_in6 *)&ret->storage)->sin6_port = network_port;
        else
                ((struct sockaddr_in *)&ret->storage)->sin_port = network_port;
        return 0;
}

/* Waits until @fd is ready. Return: 0, -ETIMEDOUT, or a negative errno. */
static int wait_ready(int fd, short events, usec_t deadline_usec)
{
        for (;;) {
                usec_t now = clock_monotonic_usec();
                usec_t left = deadline_usec > now ? deadline_usec - now : 0;
                struct timespec timeout = {
                        .tv_sec = (time_t)(left / USEC_PER_SEC),
                        .tv_nsec = (long)(left % USEC_PER_SEC) * 1000,
                };
                struct pollfd p = { .fd = fd, .events = events };

                int n = ppoll(&p, 1, &timeout, NULL);
                if (n > 0)
                        return 0;
                if (n == 0)
                        return -ETIMEDOUT;
                if (errno != EINTR)
                        return -errno;
        }
}

static int connect_until(int fd, const struct rpc_address *address, usec_t deadline_usec)
{
        int error = 0;
        socklen_t length = sizeof(error);

        if (connect(fd, (const struct sockaddr *)&address->storage, address->length_bytes) == 0)
                return 0;
        if (errno != EINPROGRESS && errno != EINTR)
                return -errno;
        int r = wait_ready(fd, POLLOUT, deadline_usec);
        if (r < 0)
                return r;
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0)
                return -errno;
        return -error;
}

/* Without the capability, or with all reserved ports in use, any port must do:
 * then the server says what it thinks of it. */
static void bind_reserved(int fd, sa_family_t family)
{
        struct sockaddr_storage any = { .ss_family = family };

        (void)bindresvport_sa(fd, (struct sockaddr *)&any);
}

static int socket_connected(const struct rpc_address *address, bool reserved, usec_t deadline_usec)
{
        int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
                return -errno;
        if (reserved)
                bind_reserved(fd, address->storage.ss_family);
        int r = connect_until(fd, address, deadline_usec);
        if (r < 0) {
                close(fd);
                return r;
        }
        return fd;
}

int rpc_link_open(const struct rpc_address *address, bool reserved, usec_t deadline_usec, struct rpc_link *ret)
{
        struct rpc_link link = { .fd = -1, .deadline_usec = deadline_usec };

        link.fd = socket_connected(address, reserved, deadline_usec);
        if (link.fd == -EADDRNOTAVAIL && reserved)      /* that port's last connection is not forgotten yet */
                link.fd = socket_connected(address, false, deadline_usec);
        if (link.fd < 0)
                return link.fd;
        link.record = malloc(RPC_RECORD_MAX);
        if (!link.record) {
                close(link.fd);
                return -ENOMEM;
        }
        if (getrandom(&link.xid, sizeof(link.xid), GRND_NONBLOCK) != sizeof(link.xid))
                link.xid = (uint32_t)clock_monotonic_usec();
        *ret = link;
        return 0;
}

void rpc_link_close(struct rpc_link *link)
{
        if (link->fd >= 0)
                close(link->fd);
        free(link->record);
        *link = RPC_LINK_CLOSED;
}

static int send_all(const struct rpc_link *link, const uint8_t *data, size_t length_bytes)
{
        size_t done = 0;

        while (done < length_bytes) {
                int r = wait_ready(link->fd, POLLOUT, link->deadline_usec);
                if (r < 0)
                        return r;
                ssize_t n = send(link->fd, data + done, length_bytes - done, MSG_NOSIGNAL | MSG_DONTWAIT);
                if (n >= 0)
                        done += (size_t)n;
                else if (errno == EPIPE)
                        return -ECONNRESET;
                else if (errno != EAGAIN && errno != EINTR)
                        return -errno;
        }
        return 0;
}

static int receive_all(const struct rpc_link *link, uint8_t *data, size_t length_bytes)
{
        size_t done = 0;

        while (done < length_bytes) {
                int r = wait_ready(link->fd, POLLIN, link->deadline_usec);
                if (r < 0)
                        return r;
                ssize_t n = recv(link->fd, data + done, length_bytes - done, MSG_DONTWAIT);
                if (n > 0)
                        done += (size_t)n;
                else if (n == 0)
                        return -ECONNRESET;
                else if (errno != EAGAIN && errno != EINTR)
                        return -errno;
        }
        return 0;
}

/* Collects the fragments of one record. A stream of empty fragments, always
 * ready, must not outlast the deadline either. */
static int receive_record(struct rpc_link *link, size_t *ret_length_bytes)
{
        size_t length = 0;
        uint32_t mark;

        do {
                if (clock_monotonic_usec() >= link->deadline_usec)
                        return -ETIMEDOUT;
                int r = receive_all(link, (uint8_t *)&mark, sizeof(mark));
                if (r < 0)
                        return r;
                mark = ntohl(mark);
                size_t fragment = mark & ~RECORD_LAST;
                if (fragment > RPC_RECORD_MAX - length)
                        return -EBADMSG;
                r = receive_all(link, link->record + length, fragment);
                if (r < 0)
                        return r;
                length += fragment;
        } while (!(mark & RECORD_LAST));

        *ret_length_bytes = length;
        return 0;
}

/* Waits for the record with our transaction id. */
static int receive_reply(struct rpc_link *link, size_t *ret_length_bytes)
{
        for (;;) {
                uint32_t xid;
                size_t length = 0;

                int r = receive_record(link, &length);
                if (r < 0)
                        return r;
                if (length < sizeof(xid))
                        return -EBADMSG;
                memcpy(&xid, link->record, sizeof(xid));
                if (ntohl(xid) == link->xid) {
                        *ret_length_bytes = length;
                        return 0;
                }
        }
}

static bool encode_user(struct opaque_auth *ret, char buffer[static MAX_AUTH_BYTES])
{
        char machine[] = "nfstuned";
        struct authunix_parms parms = {
                .aup_machname = machine,
                .aup_uid = geteuid(),
                .aup_gid = getegid(),
        };
        XDR xdr;

        xdrmem_create(&xdr, buffer, MAX_AUTH_BYTES, XDR_ENCODE);
        if (!xdr_authunix_parms(&xdr, &parms))
                return false;
        *ret = (struct opaque_auth){
                .oa_flavor = AUTH_SYS,
                .oa_base = buffer,
                .oa_length = xdr_getpos(&xdr),
        };
        return true;
}

/* Encodes the call with its record mark into link->record. */
static int encode_call(struct rpc_link *link, const struct rpc_question *question, size_t *ret_length_bytes)
{
        char credential[MAX_AUTH_BYTES];
        struct rpc_msg message = {
                .rm_xid = link->xid,
                .rm_direction = CALL,
                .rm_call = {
                        .cb_rpcvers = RPC_MSG_VERSION,
                        .cb_prog = question->program,
                        .cb_vers = question->version,
                        .cb_proc = question->procedure,
                },
        };
        XDR xdr;

        if (question->as_user && !encode_user(&message.rm_call.cb_cred, credential))
                return -EINVAL;
        xdrmem_create(&xdr, (char *)link->record + MARK_BYTES, (u_int)(RPC_RECORD_MAX - MARK_BYTES), XDR_ENCODE);
        if (!xdr_callmsg(&xdr, &message))
                return -EINVAL;
        if (question->encode && !question->encode(&xdr, (void *)(uintptr_t)question->arguments))
                return -EINVAL;

        uint32_t mark = htonl(RECORD_LAST | xdr_getpos(&xdr));
        memcpy(link->record, &mark, sizeof(mark));
        *ret_length_bytes = MARK_BYTES + xdr_getpos(&xdr);
        return 0;
}

static int reply_of_status(const struct rpc_err *error, struct rpc_versions *ret_versions)
{
        switch (error->re_status) {
        case RPC_SUCCESS:
                return RPC_ACCEPTED;
        case RPC_PROGUNAVAIL:
                return RPC_NO_PROGRAM;
        case RPC_PROGVERSMISMATCH:
                if (ret_versions)
                        *ret_versions = (struct rpc_versions){
                                .low = (uint32_t)error->re_vers.low,
                                .high = (uint32_t)error->re_vers.high,
                        };
                return RPC_OTHER_VERSION;
        case RPC_PROCUNAVAIL:
                return RPC_NO_PROCEDURE;
        case RPC_AUTHERROR:
                return RPC_REFUSED;
        default:
                return RPC_FAULT;
        }
}

static bool_t decode_nothing(XDR *xdr may_be_unused, ...)
{
        return TRUE;
}

static int decode_reply(struct rpc_link *link, size_t length_bytes, const struct rpc_question *question,
                        struct rpc_versions *ret_versions)
{
        char verifier[MAX_AUTH_BYTES];
        struct rpc_msg message = { 0 };
        struct rpc_err error = { 0 };
        XDR xdr;

        /* The results are decoded below, when the status is known. */
        message.acpted_rply.ar_verf.oa_base = verifier;
        message.acpted_rply.ar_results.proc = decode_nothing;
        xdrmem_create(&xdr, (char *)link->record, (u_int)length_bytes, XDR_DECODE);
        if (!xdr_replymsg(&xdr, &message))
                return -EBADMSG;
        _seterr_reply(&message, &error);
        int reply = reply_of_status(&error, ret_versions);
        if (reply != RPC_ACCEPTED || !question->decode)
                return reply;
        if (!question->decode(&xdr, question->result)) {
                xdr_free(question->decode, question->result);
                return -EBADMSG;
        }
        return RPC_ACCEPTED;
}

int rpc_link_call(struct rpc_link *link, const struct rpc_question *question, struct rpc_versions *ret_versions)
{
        size_t length = 0;

        link->xid++;
        int r = encode_call(link, question, &length);
        if (r < 0)
                return r;
        r = send_all(link, link->record, length);
        if (r < 0)
                return r;
        r = receive_reply(link, &length);
        if (r < 0)
                return r;
        return decode_reply(link, length, question, ret_versions);
}

const char *rpc_words(int reply)
{
        switch (reply) {
        case RPC_ACCEPTED:
                return "accepted";
        case RPC_NO_PROGRAM:
                return "this RPC program is not available there";
        case RPC_OTHER_VERSION:
                return "this version is not offered";
        case RPC_NO_PROCEDURE:
                return "this procedure is not offered";
        case RPC_REFUSED:
                return "the server refuses this kind of authentication";
        case RPC_FAULT:
                return "the server reports an RPC error";
        case -ETIMEDOUT:
                return "no answer within the deadline";
        case -ECONNREFUSED:
                return "connection refused";
        case -ECONNRESET:
                return "the other side closed the connection";
        case -EBADMSG:
                return "what came back is no RPC reply";
        default:
                return (reply < 0 ? strerrordesc_np(-reply) : NULL) ?: "unknown failure";
        }
}
