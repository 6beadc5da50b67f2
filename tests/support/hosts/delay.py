#!/usr/bin/env python3
"""A wire that is slow to arrive: passes every frame between two interfaces on, a while later.

    delay.py A B SECONDS [JITTER]

This kernel has no netem. Frames keep their order each way; JITTER is added at random, at most."""
import collections
import random
import select
import socket
import sys
import time

ETH_P_ALL = 3
LARGEST = 65550


def open_port(name):
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.bind((name, 0))
    return port


def main():
    ports = [open_port(name) for name in sys.argv[1:3]]
    delay = float(sys.argv[3])
    jitter = float(sys.argv[4]) if len(sys.argv) > 4 else 0
    waiting = collections.deque()  # of both ways: (due, port to leave by, frame)
    print("ready", flush=True)
    while True:
        patience = None if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        readable, _, _ = select.select(ports, [], [], patience)
        for port in readable:
            frame, sender = port.recvfrom(LARGEST)
            if sender[2] == socket.PACKET_OUTGOING:
                continue  # what this program sends comes by again
            due = time.monotonic() + delay + random.uniform(0, jitter)
            if waiting:
                due = max(due, waiting[-1][0])
            waiting.append((due, ports[1] if port is ports[0] else ports[0], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, port, frame = waiting.popleft()
            try:
                port.send(frame)
            except OSError as error:
                print(error, len(frame), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
