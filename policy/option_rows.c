/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy/option_rows.c - every option, one row each, sorted by name as strcmp() does. See option_table.h.
 *
 * A fallback stands in every row of a family. Where the default depends on the
 * transport, the row says what holds on tcp and the words say the rest.
 */
#include "policy/option_rows.h"

/* ---- who reads it, what is printed, what a remount does ------------------- */

#define KERNEL(shown, change) .reader = READER_KERNEL, .printed = PRINTED_##shown, .remount = REMOUNT_##change
#define VFS(shown, change)    .reader = READER_VFS, .printed = PRINTED_##shown, .remount = REMOUNT_##change
/* mount.nfs hands these on; the kernel takes them and does nothing. */
#define MOUNT_NFS             .reader = READER_MOUNT_NFS, .printed = PRINTED_NEVER, .remount = REMOUNT_IGNORED
#define MOUNT                 .reader = READER_MOUNT, .printed = PRINTED_NEVER, .remount = REMOUNT_NOT_SEEN
#define SYSTEMD               .reader = READER_SYSTEMD, .printed = PRINTED_NEVER, .remount = REMOUNT_NOT_SEEN

/* ---- what it looks like ---------------------------------------------------- */

/* One of several flags that undo one another. */
#define FLAG(flag, family, holds) \
        .name = flag, .canonical = family, .canonical_value = flag, .kind = OPTION_FLAG, .fallback = holds
/* A flag that is short for "family=value". */
#define SHORT(flag, family, value, holds) \
        .name = flag, .canonical = family, .canonical_value = value, .kind = OPTION_FLAG, .fallback = holds
#define NUMBER(option, low, high, holds) \
        .name = option, .canonical = option, .kind = OPTION_NUMBER, .min = low, .max = high, .fallback = holds
#define SIZE(option) \
        .name = option, .canonical = option, .kind = OPTION_SIZE, .max = UINT32_MAX, .unit = "bytes"
#define WORD(option, family, list, holds) \
        .name = option, .canonical = family, .kind = OPTION_WORD, .words = list, .fallback = holds
#define TEXT(option) .name = option, .canonical = option, .kind = OPTION_TEXT
#define FLAG_OR_TEXT(option, family, holds) \
        .name = option, .canonical = family, .canonical_value = family, .kind = OPTION_FLAG_OR_TEXT, .fallback = holds

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

#define VERSIONS   WORDS("2", "3", "4", "4.0", "4.1", "4.2")
#define TRANSPORTS WORDS("tcp", "tcp6", "udp", "udp6", "rdma", "rdma6")

#define NO_UDP "kernels built with CONFIG_NFS_DISABLE_UDP_SUPPORT, Debian's among them, refuse NFS over UDP"
#define NO_VERSION_2 "version 2 ends at 8 KiB transfers and files of 2 GiB; version 3 has been there since 1995"
#define PROPAGATION(flag, words) { FLAG(flag, flag, NULL), MOUNT, .summary = words }

/* Words that several rows share. */
#define ATTRIBUTES_DETAIL(what, low, high)                                                                            \
        "The client trusts the attributes of a " what " for between " low " and " high ": the time doubles while "    \
        "nothing changes and starts again at the minimum after a change. Longer times save GETATTR calls; shorter "   \
        "ones show other clients' changes sooner. Open and close check regular files anyway (close-to-open), so a "   \
        "longer time mostly affects stat() and listings."
#define SIZE_DETAIL(call)                                                                                             \
        "Without the option client and server agree on the largest " call " both can do; with it the value is an "    \
        "upper limit, silently lowered to what the server offers and to 1 MiB, and rounded down to whole pages "      \
        "(below 1024 bytes it becomes 4096; on UDP it becomes a power of two of at most 32 KiB). mountinfo shows "    \
        "the result. A value from an old guide therefore can only make a mount slower than the default; keep it "     \
        "where the storage vendor prescribes it, or where a measurement showed that a smaller size avoids stalls. "   \
        "Only a new superblock changes it: a remount with another size fails, and the kernel takes suffixes (32k) "   \
        "only from nfsmount.conf, where mount.nfs writes them out."

const struct option_info option_rows[] = {
        { .name = "X-", .canonical = "X-", .kind = OPTION_FLAG_OR_TEXT, MOUNT,
          .summary = "A note for other programs; mount does not store it and the kernel never sees it." },
        { FLAG_OR_TEXT("X-mount.mkdir", "X-mount.mkdir", NULL), MOUNT,
          .summary = "mount creates the mount point if it is missing; the value is its mode (0755)." },
        { TEXT("X-mount.subdir"), MOUNT,
          .summary = "mount shows only this directory of the file system at the mount point." },
        { FLAG("_netdev", "_netdev", NULL), MOUNT,
          .summary = "Says that the mount needs the network: it is mounted after the network is up.",
          .detail = "systemd knows by the type that nfs and nfs4 need the network and orders them after "
                    "network-online.target without being told. The option is harmless, says the same again, and "
                    "never reaches the kernel. It has work to do on lines whose type does not say network." },
        { FLAG("_rnetdev", "_rnetdev", NULL), MOUNT,
          .summary = "A mark for old init scripts, like _netdev; mount.nfs and the kernel do nothing with it." },
        { FLAG("ac", "ac", "ac"), KERNEL(NEVER, REFUSED),
          .summary = "File attributes may be cached: the default.",
          .detail = "With the default times a file's attributes are trusted for 3 to 60 seconds and a directory's "
                    "for 30 to 60. Opening a file checks it on the server all the same. The word is only needed to "
                    "undo a noac that comes from nfsmount.conf or an automounter map." },
        { NUMBER("acdirmax", 0, UINT32_MAX, "60"), .unit = "seconds", KERNEL(WHEN_SET, REFUSED),
          .summary = "The longest time for which a directory's attributes are cached.",
          .detail = ATTRIBUTES_DETAIL("directory", "acdirmin", "acdirmax") },
        { NUMBER("acdirmin", 0, UINT32_MAX, "30"), .unit = "seconds", KERNEL(WHEN_SET, REFUSED),
          .summary = "The shortest time for which a directory's attributes are cached.",
          .detail = ATTRIBUTES_DETAIL("directory", "acdirmin", "acdirmax") },
        { FLAG("acl", "acl", "acl"), KERNEL(NEVER, REFUSED),
          .summary = "Uses the NFSACL side protocol of version 3 when the server has it: the default." },
        { NUMBER("acregmax", 0, UINT32_MAX, "60"), .unit = "seconds", KERNEL(WHEN_SET, REFUSED),
          .summary = "The longest time for which a regular file's attributes are cached.",
          .detail = ATTRIBUTES_DETAIL("regular file", "acregmin", "acregmax") },
        { NUMBER("acregmin", 0, UINT32_MAX, "3"), .unit = "seconds", KERNEL(WHEN_SET, REFUSED),
          .summary = "The shortest time for which a regular file's attributes are cached.",
          .detail = ATTRIBUTES_DETAIL("regular file", "acregmin", "acregmax") },
        { NUMBER("actimeo", 0, UINT32_MAX, NULL), .unit = "seconds", KERNEL(NEVER, REFUSED),
          .summary = "Sets acregmin, acregmax, acdirmin and acdirmax to one value.",
          .detail = "mountinfo never shows actimeo itself, only those of the four values that differ from 3, 60, 30 "
                    "and 60 seconds. actimeo=0 makes every stat() ask the server, without the synchronous writes of "
                    "noac; keep it where programs on several hosts watch the same files without locks. A long time "
                    "suits data that hardly changes or has one client." },
        { TEXT("addr"), KERNEL(ALWAYS, REFUSED),
          .summary = "The server's address as mount.nfs resolved it; filled in by mount.nfs, not by people." },
        { FLAG("alignwrite", "alignwrite", "alignwrite"), KERNEL(NEVER, REFUSED),
          .summary = "Writes may be extended to whole pages: the default. Linux 6.1 does not know the option." },
        { FLAG("async", "sync", "async"), KERNEL(NEVER, LIVE),
          .summary = "Writes may wait in the page cache: the default.",
          .detail = "Data goes to the server when the kernel writes back, and at the latest at fsync() and close(), "
                    "which also report errors. For the kernel async is only the absence of sync, so that writing it "
                    "down changes nothing, and a remount to async works at once except on a noac mount, which stays "
                    "sync. It has nothing to do with the export option async, which lets the server lose data." },
        { SHORT("atime", "atime", "relatime", "relatime"), VFS(NEVER, LIVE),
          .summary = "Access times as the kernel does them by default (relatime)." },
        { FLAG("auto", "auto", "auto"), MOUNT,
          .summary = "Mounted at boot and by mount -a: the default." },
        { FLAG("bg", "fg", "fg"), MOUNT_NFS,
          .summary = "When the first attempt fails, mount.nfs goes on trying in the background.",
          .detail = "mount returns success at once and a child tries for retry minutes, 10000 by default. systemd "
                    "turns bg in fstab into fg and nofail with an unlimited mount time-out, because a forked child "
                    "would be lost to it. It changes nothing once the mount is there; x-systemd.automount or nofail "
                    "say the same more clearly." },
        { FLAG("bind", "bind", NULL), MOUNT, .summary = "Shows an existing directory at a second place." },
        { SIZE("bsize"), KERNEL(WHEN_SET, IGNORED),
          .summary = "The block size that stat() reports; it has nothing to do with the size of requests." },
        { TEXT("cert_serial"), KERNEL(WHEN_SET, IGNORED),
          .summary = "The key serial number of the client certificate for xprtsec=mtls; Linux 6.12 does not know it." },
        { TEXT("clientaddr"), KERNEL(ALWAYS, IGNORED),
          .summary = "The client's address for callbacks of version 4.0; versions 4.1 and 4.2 do not use it." },
        { TEXT("comment"), MOUNT, .summary = "A remark for other programs; it carries no setting." },
        { TEXT("context"), VFS(WHEN_SET, REFUSED),
          .summary = "One SELinux context for all files of the mount; a remount that names it is refused." },
        { FLAG("cto", "cto", "cto"), KERNEL(NEVER, REFUSED),
          .summary = "Close-to-open: opening a file checks on the server whether it has changed: the default." },
        { FLAG("defaults", "defaults", NULL), MOUNT,
          .summary = "Fills the column where no option is needed; it sets and undoes nothing." },
        { TEXT("defcontext"), VFS(WHEN_SET, REFUSED), .summary = "The SELinux context of files that have none." },
        { FLAG("dev", "dev", "dev"), VFS(NEVER, LIVE), .summary = "Device files work: the default." },
        { FLAG("diratime", "diratime", "diratime"), VFS(NEVER, LIVE),
          .summary = "Access times of directories as of files: the default." },
        { FLAG("dirsync", "dirsync", NULL), VFS(WHEN_SET, IGNORED),
          .summary = "Changes of directories are synchronous; on NFS the server's answer decides that anyway." },
        { FLAG("exec", "exec", "exec"), VFS(NEVER, LIVE), .summary = "Programs can be started from it: the default." },
        { WORD("fatal_neterrors", "fatal_neterrors",
               WORDS("default", "none", "ENETDOWN:ENETUNREACH", "ENETUNREACH:ENETDOWN"), "default"),
          KERNEL(ALWAYS, REFUSED),
          .summary = "Which network errors end a request for good instead of being tried again.",
          .detail = "With ENETDOWN:ENETUNREACH requests fail when the network of a container is taken away, so that "
                    "it can be torn down. The default is that in other network namespaces, and none on the host "
                    "itself. Linux 6.12 does not know the option." },
        { FLAG("fg", "fg", "fg"), MOUNT_NFS,
          .summary = "mount.nfs waits for the mount and fails when it fails: the default." },
        { FLAG_OR_TEXT("fsc", "fsc", "nofsc"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Keeps file data on the local disk too (FS-Cache); a value names a cache of its own.",
          .detail = "It needs cachefilesd and room on a local disk, and helps where the same data is read again and "
                    "the network or the server is the slower side; writes get no faster. The first mount of a "
                    "superblock decides. A remount of an fsc mount has to name fsc again or is refused." },
        { TEXT("fscontext"), VFS(WHEN_SET, REFUSED), .summary = "The SELinux context of the file system as a whole." },
        { FLAG("group", "group", NULL), MOUNT,
          .summary = "Members of the device's group may mount it; implies nosuid and nodev." },
        { FLAG("hard", "hard", "hard"), KERNEL(ALWAYS, REFUSED),
          .summary = "A request is tried again until the server answers: the default.",
          .detail = "Programs wait while the server is away and go on where they were when it returns; no write is "
                    "reported as failed that may still succeed. A waiting program can be killed in most places. It "
                    "is the right choice for everything that is written to." },
        { FLAG("intr", "intr", NULL), KERNEL(NEVER, IGNORED), .until = "2.6.25",
          .obsolete = "ignored since Linux 2.6.25: SIGKILL interrupts NFS waits without it",
          .summary = "Once let signals interrupt NFS requests.",
          .detail = "The kernel accepts the word and does nothing with it. Waits for the server end on SIGKILL "
                    "anyway, except while dirty pages are written. It can be dropped without any effect." },
        { FLAG("iversion", "iversion", NULL), VFS(NEVER, LIVE),
          .summary = "Counts changes of inodes on local file systems; of no use on NFS." },
        { FLAG("lazytime", "lazytime", "nolazytime"), VFS(WHEN_SET, LIVE),
          .summary = "Time stamps are written late on local file systems; NFS leaves them to the server." },
        { WORD("local_lock", "local_lock", WORDS("all", "flock", "posix", "none"), "none"), KERNEL(ALWAYS, REFUSED),
          .since = "2.6.37",
          .summary = "Which kinds of locks stay on this client and exclude no other host.",
          .detail = "flock, posix or all make locks of that kind local: fast, and blind to other clients. Version 4 "
                    "ignores it; lock and nolock override it. flock is prescribed where Samba exports an NFS mount; "
                    "elsewhere it is safe only while one host alone uses the files." },
        { FLAG("lock", "lock", "lock"), KERNEL(NEVER, REFUSED),
          .summary = "Version 2 and 3: locks are taken on the server (NLM): the default." },
        { WORD("lookupcache", "lookupcache", WORDS("all", "none", "pos", "positive"), "all"), KERNEL(WHEN_SET, REFUSED),
          .since = "2.6.28",
          .summary = "Which results of name look-ups are cached.",
          .detail = "all trusts both names that exist and names that do not until the directory's attributes expire; "
                    "pos asks again for names that did not exist; none asks for every component of every path. none "
                    "costs at least a round trip per component and open. Keep pos or none where a program waits for "
                    "files that another host creates; pos is usually enough." },
        { FLAG("loud", "silent", "loud"), MOUNT, .summary = "The kernel logs messages about the mount: the default." },
        { FLAG("mand", "mand", "nomand"), VFS(WHEN_SET, IGNORED), .until = "5.15",
          .obsolete = "mandatory locks are gone since Linux 5.15", .summary = "Allowed mandatory locks." },
        { NUMBER("max_connect", 1, 16, "1"), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 4.1 and newer: connections to different addresses of one server (session trunking).",
          .detail = "nconnect counts connections to one address, max_connect the addresses that may be added when "
                    "the same server is mounted through a second one. The first mount of the server decides, and "
                    "only a server with several addresses and session trunking has a use for it." },
        { FLAG("migration", "migration", "nomigration"), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 4.0: one client identity towards all servers, for transparent state migration." },
        { NUMBER("minorversion", 0, 2, NULL), KERNEL(WHEN_SET, REFUSED), .since = "2.6.38",
          .obsolete = "an old spelling: vers=4.1 says both numbers at once",
          .summary = "The minor version beside vers=4.",
          .detail = "vers=4,minorversion=1 means vers=4.1. Today's kernels print vers=4.N and never minorversion. "
                    "vers=4 alone leaves the minor version to negotiation, highest first." },
        { TEXT("mountaddr"), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 2 and 3: the address of the server's mountd, as mount.nfs found it." },
        { TEXT("mounthost"), KERNEL(NEVER, IGNORED),
          .summary = "Version 2 and 3: the host that runs mountd, if it is not the server." },
        { NUMBER("mountport", 0, UINT16_MAX, NULL), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 2 and 3: the port of mountd, for firewalls that block rpcbind." },
        { WORD("mountproto", "mountproto", WORDS("tcp", "tcp6", "udp", "udp6"), NULL), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 2 and 3: the transport to mountd while mounting." },
        { NUMBER("mountvers", 1, 3, NULL), KERNEL(WHEN_SET, IGNORED),
          .summary = "Version 2 and 3: the version of the MOUNT protocol." },
        { NUMBER("namlen", 0, UINT32_MAX, NULL), .unit = "bytes", KERNEL(ALWAYS, IGNORED),
          .summary = "The longest file name, for version 2 servers that do not tell; negotiated otherwise." },
        { NUMBER("nconnect", 1, 16, "1"), KERNEL(WHEN_SET, IGNORED),
          .summary = "How many connections to the server the mounts of this client share.",
          .detail = "Requests are spread over the connections; that helps where one connection is the limit (one "
                    "network queue, one processor, a path with long delays) and does nothing for a single small "
                    "request. The first mount of a server decides for all mounts of that server and version, until "
                    "the last of them is gone, so later lines that differ are silently not effective. A remount does "
                    "not change it." },
        { WORD("nfsvers", "vers", VERSIONS, NULL), KERNEL(ALWAYS, REFUSED),
          .summary = "The protocol version; the same as vers." },
        { FLAG("noac", "ac", "ac"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Attributes are never cached and every write is synchronous.",
          .detail = "It is actimeo=0 and sync in one: every stat() asks the server and every write() waits for it. A "
                    "remount to async succeeds and changes nothing, because the kernel puts sync back. Keep it for "
                    "databases that several hosts share and whose vendor prescribes it; file locks give most other "
                    "programs the same certainty for less." },
        { FLAG("noacl", "acl", "acl"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Version 3: no NFSACL side protocol; saves calls where nobody uses such lists. Version 4 "
                     "ignores it." },
        { FLAG("noalignwrite", "alignwrite", "alignwrite"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Writes are not extended to whole pages, for files that several clients write in pieces. Linux "
                     "6.1 does not know the option." },
        { FLAG("noatime", "atime", "relatime"), VFS(WHEN_SET, LIVE),
          .summary = "The client asks for no access times.",
          .detail = "On NFS the server keeps the access times, so the option saves no writes. Its only effect is "
                    "that stat() does not refresh attributes just to get a current access time. Harmless, and no "
                    "reason for a remount." },
        { FLAG("noauto", "auto", "auto"), MOUNT, .summary = "Not mounted at boot or by mount -a." },
        { FLAG("nocto", "cto", "cto"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Opening a file does not check on the server whether it has changed.",
          .detail = "It saves a GETATTR per open and trusts the attribute cache instead; close() still writes "
                    "everything back. For trees that nobody changes, or mounts with one client. Elsewhere programs "
                    "can read old data after another host has closed the file." },
        { FLAG("nodev", "dev", "dev"), VFS(WHEN_SET, LIVE), .summary = "Device files do not work." },
        { FLAG("nodiratime", "diratime", "diratime"), VFS(WHEN_SET, LIVE),
          .summary = "No access times of directories; the server keeps them anyway." },
        { FLAG("noexec", "exec", "exec"), VFS(WHEN_SET, LIVE), .summary = "Programs cannot be started from it." },
        { FLAG("nofail", "nofail", NULL), MOUNT,
          .summary = "The boot goes on without it when it cannot be mounted." },
        { FLAG("nofsc", "fsc", "nofsc"), KERNEL(NEVER, REFUSED),
          .summary = "No cache on the local disk: the default." },
        { FLAG("nointr", "intr", NULL), KERNEL(NEVER, IGNORED), .until = "2.6.25",
          .obsolete = "ignored since Linux 2.6.25", .summary = "Once kept signals from interrupting NFS requests." },
        { FLAG("noiversion", "iversion", NULL), VFS(NEVER, LIVE), .summary = "The opposite of iversion." },
        { FLAG("nolazytime", "lazytime", "nolazytime"), VFS(NEVER, LIVE), .summary = "The opposite of lazytime." },
        { FLAG("nolock", "lock", "lock"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Version 2 and 3: locks stay on this client and exclude no other host.",
          .detail = "Programs get their locks and believe they are alone, while another host may hold the same lock: "
                    "files that several hosts write can be damaged. It is needed for /var and root mounts before "
                    "rpc.statd runs, and for servers without NLM. Version 4 has its own locks and ignores it." },
        { FLAG("nomand", "mand", "nomand"), VFS(NEVER, IGNORED), .summary = "No mandatory locks: the default." },
        { FLAG("nomigration", "migration", "nomigration"), KERNEL(NEVER, IGNORED),
          .summary = "Version 4.0: the traditional client identity: the default." },
        { FLAG("noposix", "posix", "noposix"), KERNEL(NEVER, REFUSED),
          .summary = "The opposite of posix: the default." },
        { SHORT("nordirplus", "rdirplus", "nordirplus", "rdirplus"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Directories are listed without the attributes of their files.",
          .detail = "With READDIRPLUS a listing brings the attributes along, which saves a round trip per file for "
                    "ls -l and find. nordirplus lists names only: cheaper for huge directories of which only the "
                    "names are needed, and dearer everywhere else. The kernel chooses between both by itself as it "
                    "watches the readers." },
        { SHORT("norelatime", "atime", "relatime", "relatime"), VFS(NEVER, LIVE),
          .summary = "The kernel's default for access times, which is relatime." },
        { FLAG("noresvport", "resvport", "resvport"), KERNEL(WHEN_SET, REFUSED), .since = "2.6.28",
          .summary = "The client's port need not be a privileged one.",
          .detail = "There are only a few hundred privileged ports, and address translators and load balancers may "
                    "answer a reconnect from the same one with long pauses; cloud file services therefore prescribe "
                    "noresvport. Servers that export with secure, the default of Linux servers, refuse such clients. "
                    "The first mount of the server decides." },
        { FLAG("nosharecache", "sharecache", "sharecache"), KERNEL(WHEN_SET, REFUSED),
          .summary = "This mount gets caches of its own, even when the same export is mounted elsewhere.",
          .detail = "Two mounts of one export then know nothing of each other's changes until the next open. It lets "
                    "both have different options, among them those that the first mount would decide. Without it, "
                    "mounts with equal options share one superblock, one cache and one set of counters." },
        { FLAG("nosoftreval", "softreval", "nosoftreval"), KERNEL(NEVER, REFUSED),
          .summary = "Attributes that cannot be checked are not used: the default." },
        { SHORT("nostrictatime", "atime", "relatime", "relatime"), VFS(NEVER, LIVE),
          .summary = "The kernel's default for access times, which is relatime." },
        { FLAG("nosuid", "suid", "suid"), VFS(WHEN_SET, LIVE),
          .summary = "Set-user-ID and set-group-ID have no effect." },
        { FLAG("nosymfollow", "symfollow", "symfollow"), VFS(WHEN_SET, LIVE),
          .summary = "Symbolic links are not followed." },
        { FLAG("notrunkdiscovery", "trunkdiscovery", "notrunkdiscovery"), KERNEL(NEVER, REFUSED),
          .summary = "The opposite of trunkdiscovery: the default." },
        { FLAG("nouser", "user", "nouser"), MOUNT, .summary = "Only root may mount it: the default." },
        { FLAG("owner", "owner", NULL), MOUNT,
          .summary = "The device's owner may mount it; implies nosuid and nodev." },
        { NUMBER("port", 0, UINT16_MAX, NULL), KERNEL(WHEN_SET, REFUSED),
          .summary = "The server's NFS port: 2049 for version 4; version 3 asks rpcbind." },
        { FLAG("posix", "posix", "noposix"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Version 2: asks for the server's limits on names (POSIX pathconf)." },
        PROPAGATION("private", "Mounts below it are not passed on to other mount namespaces."),
        { TEXT("privkey_serial"), KERNEL(WHEN_SET, IGNORED),
          .summary = "The key serial number of the private key for xprtsec=mtls; Linux 6.12 does not know it." },
        { WORD("proto", "proto", TRANSPORTS, "tcp"), KERNEL(ALWAYS, IGNORED),
          .summary = "The transport to the server.",
          .detail = "tcp is the default and the only one of tcp and udp that version 4 allows; the names that end in "
                    "6 ask for IPv6. UDP loses whole requests when one fragment is lost, can mix up fragments at "
                    "today's speeds, and ends at 32 KiB. rdma needs special network cards on both sides. A remount "
                    "that asks for another transport succeeds and changes nothing." },
        PROPAGATION("rbind", "Like bind, with all mounts below."),
        { .name = "rdirplus", .canonical = "rdirplus", .canonical_value = "rdirplus", .kind = OPTION_FLAG_OR_TEXT,
          .fallback = "rdirplus", .words = WORDS("none", "force"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Listings bring attributes along where the kernel finds that useful: the default; force: always.",
          .detail = "rdirplus=none is nordirplus. rdirplus=force never falls back to plain listings; Linux 6.12 does "
                    "not know the values." },
        { SHORT("rdma", "proto", "rdma", "tcp"), KERNEL(NEVER, IGNORED), .summary = "The same as proto=rdma." },
        { FLAG("relatime", "atime", "relatime"), VFS(WHEN_SET, LIVE),
          .summary = "Access times once a day or after a change: the kernel's default; the server keeps them anyway." },
        { FLAG("remount", "remount", NULL), MOUNT, .summary = "Changes an existing mount instead of making one." },
        { FLAG("resvport", "resvport", "resvport"), KERNEL(NEVER, REFUSED), .since = "2.6.28",
          .summary = "The client uses a privileged port, as secure exports demand: the default." },
        { NUMBER("retrans", 0, INT32_MAX, "2"), .unit = "retransmissions", KERNEL(ALWAYS, REFUSED),
          .summary = "How often a request is sent again before that counts as a major time-out (3 times on udp).",
          .detail = "On a hard mount it only decides when \"server not responding\" is logged. On a soft mount it "
                    "decides when a request fails: with timeo=600 and retrans=2 after 180 s on tcp. It cannot make "
                    "anything faster." },
        { NUMBER("retry", 0, 0, "2"), .unit = "minutes", MOUNT_NFS,
          .summary = "How long mount.nfs tries to mount: 2 minutes in the foreground, 10000 with bg.",
          .detail = "It is about mounting only and has no effect on a mount that is there. retry=0 gives up after "
                    "the first attempt. A single attempt can take minutes itself when the server does not answer." },
        { FLAG("ro", "rw", "rw"), VFS(WHEN_SET, LIVE), .summary = "Read-only." },
        { TEXT("rootcontext"), VFS(WHEN_SET, REFUSED),
          .summary = "The SELinux context of the mount's root directory." },
        PROPAGATION("rprivate", "private, for all mounts below too."),
        PROPAGATION("rshared", "shared, for all mounts below too."),
        { SIZE("rsize"), KERNEL(ALWAYS, REFUSED), .summary = "The largest READ request, in bytes.",
          .detail = SIZE_DETAIL("READ") },
        PROPAGATION("rslave", "slave, for all mounts below too."),
        PROPAGATION("runbindable", "unbindable, for all mounts below too."),
        { FLAG("rw", "rw", "rw"), VFS(ALWAYS, LIVE), .summary = "Read and write: the default." },
        { WORD("sec", "sec", WORDS("sys", "krb5", "krb5i", "krb5p", "none", "null", "lkey", "lkeyi", "lkeyp", "spkm3",
                                   "spkm3i", "spkm3p"), NULL), KERNEL(ALWAYS, REFUSED),
          .summary = "How users are authenticated; a list with colons names several, of which one has to do.",
          .detail = "sys sends user and group numbers that the server believes. krb5 proves who the user is, krb5i "
                    "also protects each message against changes, krb5p also encrypts it; the last two cost processor "
                    "time for every byte. Without the option client and server agree on one. Never weaken it for "
                    "speed." },
        { FLAG("seclabel", "seclabel", NULL), VFS(WHEN_SET, NOT_SEEN),
          .summary = "Printed by the kernel where files carry security labels; not an option to write." },
        { FLAG("sharecache", "sharecache", "sharecache"), KERNEL(NEVER, REFUSED), .since = "2.6.18",
          .summary = "Mounts of one export share their caches: the default." },
        PROPAGATION("shared", "Mounts below it appear in other mount namespaces."),
        { FLAG("silent", "silent", "loud"), MOUNT, .summary = "The kernel logs no messages about the mount." },
        PROPAGATION("slave", "Receives mounts from elsewhere and passes none on."),
        { FLAG("sloppy", "sloppy", NULL), MOUNT_NFS,
          .summary = "The kernel ignores options that it does not know instead of refusing the mount." },
        { FLAG("soft", "hard", "hard"), KERNEL(WHEN_SET, REFUSED),
          .summary = "A request fails with an input/output error when the server does not answer for long.",
          .detail = "After timeo and retrans (three minutes by default on tcp) read(), write() and the rest return "
                    "EIO; a write that was already accepted into the cache is lost, and many programs do not look. "
                    "That is how files are damaged silently. Keep it on read-only mounts where waiting is worse than "
                    "failing, and where a storage product prescribes it." },
        { FLAG("softerr", "hard", "hard"), KERNEL(WHEN_SET, REFUSED),
          .summary = "Like soft, with the error ETIMEDOUT, and with softreval.",
          .detail = "Programs can tell a silent server from a broken disk by the error; the danger for data on its "
                    "way is the same as with soft. Attributes that cannot be checked are taken from the cache." },
        { FLAG("softreval", "softreval", "nosoftreval"), KERNEL(WHEN_SET, REFUSED), .since = "5.6",
          .summary = "Paths and attributes come from the cache when the server does not answer." },
        { FLAG("strictatime", "atime", "relatime"), VFS(NEVER, LIVE),
          .summary = "Access times at each access on local file systems; on NFS the server decides." },
        { FLAG("suid", "suid", "suid"), VFS(NEVER, LIVE),
          .summary = "Set-user-ID and set-group-ID work: the default." },
        { FLAG("symfollow", "symfollow", "symfollow"), VFS(NEVER, LIVE),
          .summary = "Symbolic links are followed: the default." },
        { FLAG("sync", "sync", "async"), KERNEL(WHEN_SET, LIVE),
          .summary = "Every write() waits until the server has stored the data.",
          .detail = "Each write() costs at least a round trip and a stable write on the server: one FILE_SYNC WRITE, "
                    "or WRITEs and a COMMIT where the call is larger than wsize. Many small writes then take their "
                    "number times that latency. It applies to files already open and to all mounts that share the "
                    "superblock, and not to mmap. fsync() and close() store the data without it; keep it for "
                    "programs that never call fsync() and must not lose what they wrote when this client crashes." },
        { SHORT("tcp", "proto", "tcp", "tcp"), KERNEL(NEVER, IGNORED), .summary = "The same as proto=tcp." },
        { NUMBER("timeo", 1, INT32_MAX, "600"), .unit = "tenths of a second", KERNEL(ALWAYS, REFUSED),
          .summary = "How long the client waits for an answer before it sends the request again.",
          .detail = "On tcp 600 (60 s) is the default, and the connection itself repeats lost packets, so a short "
                    "time only gets a request that a slow server has already sent once more. On udp the default is "
                    "11, and short values are normal there. On soft mounts a short time means early errors. Keep a "
                    "shorter value where a hypervisor's or storage vendor's fail-over guide prescribes it." },
        { FLAG("trunkdiscovery", "trunkdiscovery", "notrunkdiscovery"), KERNEL(NEVER, REFUSED),
          .summary = "Version 4.1 and newer: asks the server for its other addresses and uses them." },
        { SHORT("udp", "proto", "udp", "tcp"), KERNEL(NEVER, IGNORED), .obsolete = NO_UDP,
          .summary = "The same as proto=udp." },
        PROPAGATION("unbindable", "Cannot be shown at a second place by bind."),
        { FLAG("user", "user", "nouser"), MOUNT,
          .summary = "Any user may mount it and unmount it again; implies nosuid, nodev and noexec." },
        { FLAG("users", "user", "nouser"), MOUNT,
          .summary = "Any user may mount and unmount it; implies nosuid, nodev and noexec." },
        { SHORT("v2", "vers", "2", NULL), KERNEL(NEVER, REFUSED), .obsolete = NO_VERSION_2,
          .summary = "The same as vers=2." },
        { SHORT("v3", "vers", "3", NULL), KERNEL(NEVER, REFUSED), .summary = "The same as vers=3." },
        { SHORT("v4", "vers", "4", NULL), KERNEL(NEVER, REFUSED), .summary = "The same as vers=4: any 4.N." },
        { SHORT("v4.0", "vers", "4.0", NULL), KERNEL(NEVER, REFUSED), .summary = "The same as vers=4.0." },
        { SHORT("v4.1", "vers", "4.1", NULL), KERNEL(NEVER, REFUSED), .summary = "The same as vers=4.1." },
        { SHORT("v4.2", "vers", "4.2", NULL), KERNEL(NEVER, REFUSED), .summary = "The same as vers=4.2." },
        { WORD("vers", "vers", VERSIONS, NULL), KERNEL(ALWAYS, REFUSED),
          .summary = "The protocol version.",
          .detail = "Without a version the client asks for 4.2 first and goes down until the server agrees. 4 asks "
                    "for any 4.N. Version 3 is a fine choice where the server is better at it; 4.1 and 4.2 have "
                    "sessions, delegations and locks in the protocol itself. Only a new mount changes the version." },
        { WORD("write", "write", WORDS("lazy", "eager", "wait"), "lazy"), KERNEL(WHEN_SET, REFUSED),
          .summary = "When the data of a write() is sent.",
          .detail = "lazy collects it in the page cache; eager starts sending at once without waiting; wait also "
                    "waits for the WRITE replies, yet not for the COMMIT, so it does not make data safe as sync "
                    "does. eager keeps little in memory and loses the merging of small writes." },
        { SIZE("wsize"), KERNEL(ALWAYS, REFUSED), .summary = "The largest WRITE request, in bytes.",
          .detail = SIZE_DETAIL("WRITE") },
        { .name = "x-", .canonical = "x-", .kind = OPTION_FLAG_OR_TEXT, MOUNT,
          .summary = "A note for other programs; mount stores it and the kernel never sees it." },
        { FLAG("x-initrd.mount", "x-initrd.mount", NULL), SYSTEMD, .summary = "Mounted while the initramfs runs." },
        { FLAG_OR_TEXT("x-mount.mkdir", "X-mount.mkdir", NULL), MOUNT,
          .obsolete = "an old spelling of X-mount.mkdir since util-linux 2.30",
          .summary = "The same as X-mount.mkdir." },
        { TEXT("x-systemd.after"), SYSTEMD, .summary = "Mounted after that unit or mount point." },
        { FLAG("x-systemd.automount", "x-systemd.automount", NULL), SYSTEMD,
          .summary = "Mounted at the first access instead of at boot.",
          .detail = "systemd keeps an autofs mount there and mounts the file system when somebody looks; the boot "
                    "does not wait for the server. With x-systemd.idle-timeout it is unmounted again when it is not "
                    "used, and mounted with the options of that day at the next access. It makes bg unnecessary." },
        { TEXT("x-systemd.before"), SYSTEMD, .summary = "Mounted before that unit or mount point." },
        { FLAG_OR_TEXT("x-systemd.device-bound", "x-systemd.device-bound", NULL), SYSTEMD,
          .summary = "Unmounted when its block device goes away; NFS has none." },
        { TEXT("x-systemd.device-timeout"), SYSTEMD, .unit = "seconds, or with a unit such as 5min",
          .summary = "How long systemd waits for the device to appear; NFS has none." },
        { FLAG("x-systemd.growfs", "x-systemd.growfs", NULL), SYSTEMD,
          .summary = "Grows the file system to its device; of no use on NFS." },
        { TEXT("x-systemd.idle-timeout"), SYSTEMD, .unit = "seconds, or with a unit such as 5min",
          .summary = "How long an automount may be unused before it is unmounted." },
        { FLAG("x-systemd.makefs", "x-systemd.makefs", NULL), SYSTEMD,
          .summary = "Makes a file system on an empty device; of no use on NFS." },
        { TEXT("x-systemd.mount-timeout"), SYSTEMD, .unit = "seconds, or with a unit such as 5min",
          .summary = "How long systemd waits for mount to finish before it kills it." },
        { TEXT("x-systemd.required-by"), SYSTEMD, .summary = "That unit requires the mount." },
        { TEXT("x-systemd.requires"), SYSTEMD, .summary = "Needs that unit, and is mounted after it." },
        { TEXT("x-systemd.requires-mounts-for"), SYSTEMD, .summary = "Needs all mounts on the way to that path." },
        { FLAG("x-systemd.rw-only", "x-systemd.rw-only", NULL), SYSTEMD,
          .summary = "Fails instead of mounting read-only when it cannot be mounted for writing." },
        { TEXT("x-systemd.wanted-by"), SYSTEMD, .summary = "That unit wants the mount." },
        { TEXT("x-systemd.wants-mounts-for"), SYSTEMD, .summary = "Wants all mounts on the way to that path." },
        { WORD("xprtsec", "xprtsec", WORDS("none", "tls", "mtls"), "none"), KERNEL(WHEN_SET, IGNORED),
          .summary = "Encrypts the connection: tls, or mtls with a certificate of the client.",
          .detail = "It needs tlshd on the client and a server that speaks RPC with TLS; without them the mount "
                    "fails rather than going on in the clear. It protects all traffic of the mount, also with "
                    "sec=sys, and costs processor time for every byte. Linux 6.1 does not know it, and a remount "
                    "does not change it. Never drop it for speed." },
};

const size_t option_rows_n = ARRAY_SIZE(option_rows);
