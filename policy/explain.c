/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy/explain.c - what each rule means, for somebody who reads nothing else. See explain.h. */
#include "policy/explain.h"

#define NEEDS_UNMOUNT                                                                                       \
        " A remount does not change it: the mount has to be unmounted and mounted again, so programs have " \
        "to leave it first."

static const struct rule_help helps[] = {
        [RULE_UNRESPONSIVE] = {
                .title = "the server does not answer",
                .fires = "An empty question (NULL call) to the server fails, and a second witness agrees: replies "
                         "stopped while requests are outstanding, a test is stuck, or the NFS version 4 lease ran out. "
                         "One sign alone is never enough; where the server cannot be asked (rdma, another port, a "
                         "firewall) the kernel's counters alone decide.",
                .means = "Programs that use the mount wait. On a hard mount nothing is lost: they go on when the "
                         "server is back.",
                .change = "No mount option helps. Look at the network between this host and the server and whether the "
                          "NFS service runs there. Programs can be ended with SIGKILL unless data of theirs waits to "
                          "be written.",
                .see = "nfs(5), hard and soft",
        },
        [RULE_LIMIT_BELOW_SIZE] = {
                .title = "the server takes less in one request than the mount sends",
                .fires = "The server's own limit (FSINFO, or MAXREAD and MAXWRITE of version 4) is below the rsize or "
                         "wsize of the mount. Needs the limit: a probe.",
                .means = "The server came back with a smaller limit: less memory, another head of a cluster, another "
                         "configuration. The kernel keeps the old sizes, and a request above the limit is never "
                         "answered: a program that reads or writes much at once hangs for ever.",
                .change = "Mount again without rsize and wsize, so that both sides agree anew; or give the server its "
                          "old limit back (on Linux: memory, or max_block_size below /proc/fs/nfsd before it is "
                          "started)." NEEDS_UNMOUNT " Data that waits for such a request may be lost.",
                .see = "RFC 1813 3.3.19, RFC 7530 5.8.2.20",
        },
        [RULE_INVALID_OPTION] = {
                .title = "an option that means nothing, or not what it seems to",
                .fires = "A line of fstab, a mount unit or nfsmount.conf, or of the server's exports, has a misspelt "
                         "option, a value that is none, two options that contradict each other, or cannot be read as a "
                         "line.",
                .means = "mount.nfs refuses such a line, or one of two contradicting options silently wins: the last "
                         "one. It then works by chance until the order changes.",
                .change = "Write the nearest valid form that is shown; where what was meant is a guess, it says so. "
                          "Only the file changes; what is mounted now stays as it is until it is mounted again.",
                .see = "nfs(5), fstab(5), exports(5)",
        },
        [RULE_SOFT_MOUNT] = {
                .title = "soft on a mount that is written to",
                .fires = "soft or softerr is effective and the mount is read-write. Where storage drivers and "
                         "hypervisors keep their disks their vendors prescribe it: then it is only possible, and a "
                         "question.",
                .means = "When the server does not answer within timeo and retrans, the kernel gives up and the call "
                         "fails. Data that was written before and is on its way is dropped; only a program that checks "
                         "the results of write(), fsync() and close() notices. Files are then silently damaged.",
                .change = "Remove soft; hard is the default." NEEDS_UNMOUNT,
                .keep = "the mount is only read in practice, or every program that writes to it checks for errors and "
                        "failing is better for it than waiting.",
                .see = "nfs(5), soft / softerr / hard",
        },
        [RULE_SYNC_CLIENT] = {
                .title = "sync makes every write wait for the server's disk",
                .fires = "The mount is read-write and has sync, and not because of noac.",
                .means = "Each write() of a program becomes a request that the server has to bring to stable storage "
                         "before the program goes on. A program that writes in small pieces, as editors do, waits for "
                         "the disk hundreds of times for one file.",
                .change = "Mount async, which is the default: writes are collected, and close() and fsync() still wait "
                          "until the server has everything on stable storage, as long as the export is sync. It can be "
                          "changed without an unmount, at once: mount -o remount,async. sync on the export is another "
                          "thing and should stay.",
                .keep = "another host reads a file while it is being written here, or a program relies on every single "
                        "write without calling fsync(), or the server is a gateway to other storage (HDFS) that needs "
                        "the writes in order.",
                .see = "nfs(5), The sync mount option; exports(5), sync",
        },
        [RULE_NOAC] = {
                .title = "noac: nothing about files is remembered",
                .fires = "noac is effective, or a line asks for it.",
                .means = "Every look at a file asks the server, and every write waits for its stable storage: noac "
                         "brings sync and attribute timeouts of 0 with it. Removing sync alone does nothing; the "
                         "kernel puts it back.",
                .change = "Ask who needs it. If nobody does, remove noac; actimeo=1 is a middle way for other hosts' "
                          "changes." NEEDS_UNMOUNT,
                .keep = "programs on several hosts work on the same files without locks, or their documentation "
                        "demands it (some database clusters, MPI-IO).",
                .see = "nfs(5), Data and metadata coherence",
        },
        [RULE_ATTRIBUTE_CACHE_OFF] = {
                .title = "actimeo=0: attributes of files are not remembered",
                .fires = "All four attribute timeouts (acregmin, acregmax, acdirmin, acdirmax) are 0, without noac.",
                .means = "Every stat() of a file or directory is a question to the server. Listings, builds and "
                         "version control, which look at many files, become as slow as the network's round trip times "
                         "the number of files.",
                .change = "Ask who needs it. If nobody does, remove the option; actimeo=1 is a middle "
                          "way." NEEDS_UNMOUNT,
                .keep = "programs on several hosts follow each other's changes without opening the files again, or a "
                        "vendor prescribes it.",
                .see = "nfs(5), Attribute caching",
        },
        [RULE_LOOKUPCACHE_NONE] = {
                .title = "lookupcache=none: names are looked up again each time",
                .fires = "The mount has lookupcache=none.",
                .means = "Every component of every path is a question to the server, each time it is used.",
                .change = "Ask who needs it. If nobody does, remove the option; lookupcache=pos remembers names that "
                          "exist and asks again for those that did not." NEEDS_UNMOUNT,
                .keep = "it cured stale file handles, or files that other hosts made and this one saw too late.",
                .see = "nfs(5), lookupcache; Directory entry caching",
        },
        [RULE_STALE_IO_SIZE] = {
                .title = "rsize or wsize is pinned below what the server offers",
                .fires = "A file asks for the size, or the server is known to offer more than the mount uses. Where "
                         "neither is known it is only possible, and only for 32 KiB and less. It says nothing where "
                         "the server, a session, UDP (32 KiB) or version 2 (8 KiB) imposes the size.",
                .means = "The size was right for a server that is gone. Large reads and writes need more requests than "
                         "they have to.",
                .change = "Remove rsize and wsize where they come from: both sides then agree on the largest size. No "
                          "gain is promised that was not measured; small sequential writes do not profit at all."
                          NEEDS_UNMOUNT,
                .keep = "large transfers stalled on this network before, or the vendor of the storage prescribes the "
                        "size.",
                .see = "nfs(5), rsize and wsize",
        },
        [RULE_IO_SIZE_MISMATCH] = {
                .title = "rsize and wsize differ because one of them is pinned",
                .fires = "The two sizes differ clearly, and not because the server offers different ones.",
                .means = "One direction uses what both sides can do, the other an old habit.",
                .change = "Remove both, or set both to the best that was measured." NEEDS_UNMOUNT,
                .keep = "both were measured on this network.",
                .see = "nfs(5), rsize and wsize",
        },
        [RULE_LARGE_IO_STALL] = {
                .title = "large transfers stall, smaller ones do not",
                .fires = "The probe or the counters show stalls at the present size, and a trial with a smaller size "
                         "was faster. Needs the trial, which this version does not make itself: it judges those of a "
                         "recorded observation.",
                .means = "A large request fills a buffer on the way; something is dropped, and the traffic stands "
                         "still until TCP repeats it. The mean looks fine, the variance does not.",
                .change = "Set rsize and wsize to the size that the trial found best." NEEDS_UNMOUNT
                          " The cause is in the network: flow control, an overloaded switch, a network card.",
                .keep = "the stalls come from another load that is temporary.",
        },
        [RULE_UDP_TRANSPORT] = {
                .title = "NFS over UDP",
                .fires = "proto=udp is effective or asked for. mountproto=udp is not meant.",
                .means = "A request of 32 KiB travels as more than twenty packets; when one is lost all of them are "
                         "sent again, after a timeout. On fast networks the numbers that join the pieces repeat within "
                         "seconds: pieces of different requests can be put together, and data is damaged unseen.",
                .change = "Remove udp or write proto=tcp, and drop a timeo that was made for UDP." NEEDS_UNMOUNT,
                .keep = "the server or a firewall has nothing but UDP.",
                .see = "nfs(5), Using NFS over UDP on high-speed links",
        },
        [RULE_SHORT_TIMEOUT] = {
                .title = "timeo is too short for TCP",
                .fires = "timeo is below 100 (10 seconds; it counts tenths of a second) on TCP.",
                .means = "On TCP nothing is lost that TCP does not repeat by itself, so that timeo only says when the "
                         "kernel loses patience with a busy server: it then sends the same request again and makes the "
                         "server busier. With soft, it is also how soon calls fail.",
                .change = "Remove timeo: the default on TCP is 600, one minute." NEEDS_UNMOUNT,
                .keep = "a fail-over of the server was tuned to it.",
                .see = "nfs(5), timeo and retrans",
        },
        [RULE_RETRANSMISSIONS] = {
                .title = "requests or packets are sent again",
                .fires = "More than one in a thousand, in a large enough sample: calls of the mount (with major "
                         "time-outs, or replies that nobody waited for any more), or TCP segments of its connection. "
                         "Reconnects of an idle, sleeping or restarted server are not counted. Needs the kernel's "
                         "counters.",
                .means = "The network loses packets, or the server is overloaded. Loss on TCP shows nowhere in the NFS "
                         "counters, only as slowness.",
                .change = "No mount option repairs it. Look at link errors, duplex and MTU along the way, and at the "
                          "load and the number of threads of the server; a larger timeo only hides it.",
                .see = "nfsiostat(8), mountstats(8), ss(8)",
        },
        [RULE_SINGLE_CONNECTION] = {
                .title = "the mount's one connection is the limit",
                .fires = "Even the cheapest requests wait longer for the connection than for the server, over many "
                         "calls. Not with Kerberos, version 4.0 or nconnect already set, nor when the server was away "
                         "meanwhile: that wait is in the same figure. Needs the kernel's counters.",
                .means = "Requests queue on this host although the server would have time for them.",
                .change = "Add nconnect=4, or what the server's profile says. The first mount of a server decides for "
                          "all of them: all have to be unmounted before one is mounted again.",
                .keep = "the link itself is full: more connections do not widen it.",
                .see = "nfs(5), nconnect",
        },
        [RULE_READ_AHEAD] = {
                .title = "sequential reads wait for a small read-ahead",
                .fires = "The read-ahead of the mount is the kernel's default of 128 KiB, a READ can carry more, and "
                         "large reads dominate the counters (only possible); or a trial shows a gain.",
                .means = "The kernel fetches little ahead of a program that reads a file from the beginning to the "
                         "end: too few requests are under way at a time, and the distance to the server is paid again "
                         "and again.",
                .change = "Try a larger read_ahead_kb in /sys/class/bdi/MAJOR:MINOR, and make it last with a udev rule "
                          "or nfsrahead. It takes effect at once; a new mount starts from the default.",
                .keep = "nfsrahead or a udev rule sets it on purpose, or small random reads matter more.",
                .see = "nfsrahead(5)",
        },
        [RULE_RESERVED_PORT] = {
                .title = "a reserved port where the server's vendor advises against it",
                .fires = "The profile of the server says so (cloud file services behind address translation), and "
                         "noresvport is absent.",
                .means = "After a lost connection the client comes back from the same port below 1024; a load balancer "
                         "takes that for the old connection, and the mount hangs.",
                .change = "Add noresvport. An export with the option secure, the default of Linux servers, refuses it: "
                          "it is for such services only." NEEDS_UNMOUNT,
                .keep = "a firewall lets only reserved ports through.",
                .see = "nfs(5), noresvport",
        },
        [RULE_ASYNC_EXPORT] = {
                .title = "the server may acknowledge data that is not on its disk",
                .fires = "Stable writes cost no more than an empty question, at two sizes (only possible: a cache that "
                         "survives a power cut looks the same); or the server's exports file, or the configuration, "
                         "says async. Needs a probe or that file.",
                .means = "With async on the export the server says \"stored\" at once. When it crashes, data is lost "
                         "of which close() and fsync() said that it was safe.",
                .change = "Look with exportfs -v on the server; export with sync. So that it stays fast, mount async "
                          "on the clients. nfstuned never proposes an async export.",
                .keep = "the server's cache survives a power cut (stable_storage = yes in the configuration), or all "
                        "data can be made again.",
                .see = "exports(5), sync and async",
        },
        [RULE_SERVER_STORAGE] = {
                .title = "the server's storage is what everything waits for",
                .fires = "COMMITs take 100 ms and more, or small stable writes 200 ms, and far longer than the way to "
                         "the server and back; not where the COMMITs store 100 MiB/s and more, which are only long. Needs "
                         "the kernel's counters or a probe.",
                .means = "close() and fsync() wait for the server's disks. No mount option will fix this.",
                .change = "For the server's owner: small synchronous writes of the disks (not their throughput), a log "
                          "device or controller cache that survives a power cut, a rebuild or scrub that runs, "
                          "shingled (SMR) disks. An async export would only hide the wait, and lose data in a crash.",
                .see = "nfsiostat(8)",
        },
        [RULE_NETWORK] = {
                .title = "the way to the server is what everything waits for",
                .fires = "Round trips or loss dominate: even calls that need no disk take long, all alike. Needs the "
                         "kernel's counters or a probe.",
                .means = "The same time is paid for each request, whatever it asks for.",
                .change = "Figures are shown for whoever owns the network. Fewer requests help on any network: larger "
                          "sizes, attribute caching, several requests at a time.",
                .see = "nfsiostat(8), mtr(8)",
        },
        [RULE_SMALL_FILES] = {
                .title = "many small files: most time goes into opening and closing them",
                .fires = "Calls per file (OPEN, CREATE, CLOSE, LOOKUP, SETATTR) outweigh reading and writing in the "
                         "counters or the probe.",
                .means = "Each file costs several round trips, however small it is.",
                .change = "What helps is fewer round trips: version 4 with delegations, a longer actimeo for data that "
                          "one host alone uses, archives instead of loose files, programs that work on several files "
                          "at a time.",
                .see = "nfs(5), Attribute caching",
        },
        [RULE_WRITE_REGRESSION] = {
                .title = "writes became slower than they were on this very mount",
                .fires = "Recent probes are slower than this mount's own past with the same options, beyond its noise. "
                         "Needs enough probes before and after, which this version does not keep: it judges those of a "
                         "recorded observation.",
                .means = "Something changed: the server's storage, the network, or what else they do. It says since "
                         "when, and which share grew.",
                .change = "Look at what was changed at that time.",
        },
        [RULE_OLD_VERSION] = {
                .title = "NFS version 2 or 4.0",
                .fires = "That version is effective or asked for, and the server is not known to offer nothing better. "
                         "Only possible while the server's versions are unknown. Version 3 is a fine choice.",
                .means = "Version 2 ends files at 2 GiB and writes synchronously; current kernels no longer have it. "
                         "4.0 lacks the sessions of 4.1, which recognise repeated requests and allow several "
                         "connections.",
                .change = "Remove the version or write vers=4.2. From 2 or 3 to 4 locking, user names and the paths of "
                          "exports change: try it at another mount point first." NEEDS_UNMOUNT,
                .keep = "the server's 4.1 is known to be bad, or it has nothing else.",
                .see = "nfs(5), nfsvers",
        },
        [RULE_FIRST_MOUNT_WINS] = {
                .title = "an earlier mount of the same server decides",
                .fires = "Options that a file asks for are not effective, because another mount shares the superblock "
                         "or the connection.",
                .means = "The kernel keeps one superblock for one export and one connection for one server: what the "
                         "first mount asked for holds for all of them, and later ones are silently ignored (nconnect) "
                         "or share it.",
                .change = "Ask for the same on all of them, or unmount all and mount the one that shall decide first. "
                          "nosharecache separates them, and then two caches hold the same files.",
                .see = "nfs(5), sharecache / nosharecache; nconnect",
        },
        [RULE_REQUESTED_DRIFT] = {
                .title = "what is mounted is not what the file asks for",
                .fires = "fstab, a unit or nfsmount.conf asks for something that mounting again would bring, and that "
                         "is not effective now. Not where the server or an earlier mount decides.",
                .means = "Somebody edited the file and did not mount again, or mounted by hand: the next boot changes "
                         "the mount.",
                .change = "Mount again, or edit the file so that it says what is meant.",
                .keep = "the file is meant for the next boot.",
        },
        [RULE_OBSOLETE_OPTION] = {
                .title = "an option that does nothing any more",
                .fires = "A file asks for an option that the kernel ignores, or in a spelling of the past: intr, "
                         "nointr, nfsvers=4 with minorversion=, vers=2.",
                .means = "It costs no time. It was copied from old advice, and suggests to the next reader that it "
                         "matters.",
                .change = "Edit the line at an occasion. What is mounted now stays as it is.",
                .see = "nfs(5)",
        },
};

_Static_assert(ARRAY_SIZE(helps) == RULE_COUNT, "a rule is not explained");

const struct rule_help *rule_help(enum rule rule)
{
        static const struct rule_help none = { .title = "", .fires = "", .means = "", .change = "" };

        return (size_t)rule < RULE_COUNT ? &helps[rule] : &none;
}
