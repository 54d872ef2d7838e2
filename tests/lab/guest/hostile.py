#!/usr/bin/python3
"""An RPC server that misbehaves on purpose.

usage: hostile.py BEHAVIOUR [PORT [ADDRESS]]

silent          reads, never answers
slow            a correct answer, one byte per 500 ms
wrong-xid       correct answers to somebody else's calls, ten per second
zero-fragments  empty record fragments without end
huge-record     a record mark of 2 GiB, then data without end
random          random bytes
denied          every call is refused (authentication error)
mismatch        every call: programme version not supported
close           closes after the first bytes of a call
rst             resets the connection after the first bytes of a call
no-accept       the kernel accepts, the programme never does
garble          the server at port 2049 answers, but the middle of every reply above 33 KiB is damaged
cut             the same, but such a reply ends the connection
"""
import os
import socket
import struct
import sys
import threading
import time


def reply(xid):
    """an accepted, successful reply without results"""
    body = struct.pack(">IIIIII", xid, 1, 0, 0, 0, 0)
    return struct.pack(">I", 0x80000000 | len(body)) + body


def xid_of(call):
    """the transaction id of a call read from a stream"""
    return struct.unpack(">I", call[4:8])[0] if len(call) >= 8 else 0


def send(peer, data):
    """send all of it, and say whether that went well"""
    peer.sendall(data)


def behave(behaviour, peer):
    """serve one connection"""
    while True:
        call = peer.recv(65536)
        if not call:
            return
        xid = xid_of(call)
        if behaviour == "silent":
            continue
        if behaviour == "slow":
            for byte in reply(xid):
                send(peer, bytes([byte]))
                time.sleep(0.5)
        elif behaviour == "wrong-xid":
            while True:
                xid = (xid + 1) & 0xFFFFFFFF
                send(peer, reply(xid))
                time.sleep(0.1)
        elif behaviour == "zero-fragments":
            while True:
                send(peer, b"\0\0\0\0" * 64)
                time.sleep(0.01)
        elif behaviour == "huge-record":
            send(peer, b"\xff\xff\xff\xff" + struct.pack(">I", xid))
            while True:
                send(peer, b"\0" * 4096)
                time.sleep(0.01)
        elif behaviour == "random":
            send(peer, os.urandom(512))
            time.sleep(0.1)
        elif behaviour == "denied":
            body = struct.pack(">IIIII", xid, 1, 1, 1, 5)
            send(peer, struct.pack(">I", 0x80000000 | len(body)) + body)
        elif behaviour == "mismatch":
            body = struct.pack(">IIIIIIII", xid, 1, 0, 0, 0, 2, 7, 8)
            send(peer, struct.pack(">I", 0x80000000 | len(body)) + body)
        elif behaviour == "close":
            return
        elif behaviour == "rst":
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return


LARGE = 33 * 1024  # a READ of 32 KiB and what belongs to it pass


def read_exactly(source, length):
    """so many bytes, or OSError at the end of the stream"""
    data = bytearray()
    while len(data) < length:
        part = source.recv(min(length - len(data), 1 << 20))
        if not part:
            raise OSError("closed")
        data += part
    return data


def pass_on(source, target):
    """what comes from one goes to the other, until either ends"""
    try:
        while True:
            data = source.recv(1 << 18)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def between(behaviour, peer):
    """stand between one client and the real server; the framing of the records stays right"""
    server = socket.create_connection(("127.0.0.1", 2049))
    for end in (peer, server):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=pass_on, args=(peer, server), daemon=True).start()
    try:
        while True:
            mark = read_exactly(server, 4)
            record = read_exactly(server, struct.unpack(">I", mark)[0] & 0x7FFFFFFF)
            if len(record) > LARGE:
                if behaviour == "cut":
                    return
                middle = len(record) // 2
                for i in range(middle, middle + 64):
                    record[i] ^= 0xFF
            peer.sendall(mark + record)
    finally:
        server.close()


def serve(behaviour, peer):
    """one connection from its beginning to its end"""
    try:
        if behaviour in ("garble", "cut"):
            between(behaviour, peer)
        else:
            behave(behaviour, peer)
    except OSError:
        pass
    finally:
        peer.close()


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in __doc__.split():
        sys.exit(__doc__)
    behaviour = sys.argv[1]
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 2049
    family = socket.AF_INET6 if len(sys.argv) <= 3 or ":" in sys.argv[3] else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind((sys.argv[3] if len(sys.argv) > 3 else "::", port))
    listener.listen(64)
    while True:
        if behaviour == "no-accept":
            time.sleep(3600)
            continue
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=(behaviour, peer), daemon=True).start()


main()
