#!/usr/bin/env python3
"""What mpirun takes for ssh: has a command started on another of the hosts of hosts.py.

    agent.py SOCKET HOST COMMAND...

The hosts cannot reach each other's namespaces, so the test's process does it, over a socket that all of them
can see. Ends with the code of the command."""
import json
import socket
import sys


def main():
    path, *rest = sys.argv[1:]
    while rest and rest[0].startswith("-"):
        rest.pop(0)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wire:
        wire.connect(path)
        request = json.dumps({"host": rest[0], "command": " ".join(rest[1:])}).encode()
        socket.send_fds(wire, [len(request).to_bytes(4, "big") + request], [0, 1, 2])
        answer = wire.recv(16)
    return int(answer) if answer else 255


if __name__ == "__main__":
    sys.exit(main())
