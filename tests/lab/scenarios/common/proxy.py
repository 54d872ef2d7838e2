#!/usr/bin/python3
"""Carry TCP connections from one address to another: proxy.py ADDRESS PORT TO-ADDRESS TO-PORT."""
import socket
import sys
import threading


def carry(source, sink):
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    address, port, to_address, to_port = sys.argv[1:]
    listener = socket.create_server((address, int(port)), backlog=16)
    while True:
        client, _ = listener.accept()
        server = socket.create_connection((to_address, int(to_port)))
        for pair in ((client, server), (server, client)):
            threading.Thread(target=carry, args=pair, daemon=True).start()


main()
