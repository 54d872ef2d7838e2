# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v mounts=N -v dir=DIR -f host.awk: DIR/mountinfo and DIR/mountstats of a host with N NFS mounts, each with a
# superblock, sizes and figures of its own, and the operations of NFSv4.2 as a 6.x kernel names them.
function figure(i, k) { return (i * 7919 + k * 104729) % 99991 + k }

function numbers(tag, i, n, factor,    k, line) {
        line = tag
        for (k = 0; k < n; k++)
                line = line sprintf("%d ", figure(i, k) * factor)
        print line > stats
}

function block(i, source, target, options,    k, f) {
        print "device " source " mounted on " target " with fstype nfs4 statvers=1.1" > stats
        print "\topts:\t" options > stats
        print "\tage:\t" 80000 + i > stats
        print "\timpl_id:\tname='',domain='',date='0,0'" > stats
        print "\tcaps:\tcaps=0xfffbc0bf,wtmult=512,dtsize=32768,bsize=0,namlen=255" > stats
        print "\tnfsv4:\tbm0=0xfdffbfff,bm1=0xf9be3e,bm2=0x60800,acl=0x3,sessions,pnfs=not configured," \
                "lease_time=90,lease_expired=0" > stats
        print "\tsec:\tflavor=1,pseudoflavor=1" > stats
        numbers("\tevents:\t", i, 27, 1)
        numbers("\tbytes:\t", i, 8, 40961)
        print "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)" > stats
        f = figure(i, 1) * 11
        printf "\txprt:\ttcp 0 0 2 0 1 %d %d 0 %d 0 32 %d %d\n", f, f, f * 3, f * 2, f * 5 > stats
        print "\tper-op statistics" > stats
        for (k = 1; k <= n_ops; k++) {
                f = figure(i, k)
                printf "\t%12s: %d %d 0 %d %d %d %d %d 0\n", op[k], f, f, f * 1812, f * 2248, f % 977, f * 3,
                        f * 3 + f % 977 > stats
        }
        print "" > stats
}

BEGIN {
        info = dir "/mountinfo"
        stats = dir "/mountstats"
        n_ops = split("NULL READ WRITE COMMIT OPEN OPEN_CONFIRM OPEN_NOATTR OPEN_DOWNGRADE CLOSE SETATTR FSINFO " \
                "RENEW SETCLIENTID SETCLIENTID_CONFIRM LOCK LOCKT LOCKU ACCESS GETATTR LOOKUP LOOKUP_ROOT REMOVE " \
                "RENAME LINK SYMLINK CREATE PATHCONF STATFS READLINK READDIR SERVER_CAPS DELEGRETURN GETACL SETACL " \
                "FS_LOCATIONS RELEASE_LOCKOWNER SECINFO FSID_PRESENT EXCHANGE_ID CREATE_SESSION DESTROY_SESSION " \
                "SEQUENCE GET_LEASE_TIME RECLAIM_COMPLETE LAYOUTGET GETDEVICEINFO LAYOUTCOMMIT LAYOUTRETURN " \
                "SECINFO_NO_NAME TEST_STATEID FREE_STATEID GETDEVICELIST BIND_CONN_TO_SESSION DESTROY_CLIENTID " \
                "SEEK ALLOCATE DEALLOCATE LAYOUTSTATS CLONE COPY OFFLOAD_CANCEL LOOKUPP LAYOUTERROR COPY_NOTIFY " \
                "GETXATTR SETXATTR LISTXATTRS REMOVEXATTR READ_PLUS", op, " ")
        print "1 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw" > info
        print "device /dev/sda1 mounted on / with fstype ext4" > stats
        for (i = 1; i <= mounts; i++) {
                source = sprintf("filer-%02d.storage.example.com:/volume%d/projects/project-%05d", i % 40, i % 7, i)
                target = sprintf("/projects/department-%02d/project-%05d", i % 25, i)
                size = i % 3 ? 1048576 : 32768
                start = "rw" (i % 9 ? "" : ",sync") ",vers=4.2,rsize=" size ",wsize=" size ",namlen=255"
                end = ",hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2." i % 250 ",local_lock=none"
                printf "%d 1 0:%d / %s rw,nosuid,relatime shared:%d - nfs4 %s %s%s,addr=198.51.100.%d\n", i + 100,
                        i + 50, target, i + 10, source, start, end, i % 250 > info
                block(i, source, target, start ",acregmin=3,acregmax=60,acdirmin=30,acdirmax=60" end)
        }
}
