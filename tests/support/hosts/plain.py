#!/usr/bin/env python3
"""Has an interface send plain frames: whole checksums, no segments larger than its MTU.

    plain.py INTERFACE

What ethtool -K INTERFACE tx off tso off gso off gro off does."""
import array
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
OFF = (0x17, 0x1F, 0x24, 0x2C)  # ETHTOOL_STXCSUM, _STSO, _SGSO, _SGRO


def main():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for command in OFF:
            value = array.array("B", struct.pack("II", command, 0))
            address, _ = value.buffer_info()
            request = struct.pack("16sP8x", sys.argv[1].encode(), address)
            fcntl.ioctl(any_socket, SIOCETHTOOL, request)


if __name__ == "__main__":
    main()
