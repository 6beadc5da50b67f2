#!/usr/bin/env python3
"""Counts the instructions of the loops in the kernels of a cubin for compute capability 8.0 or 9.0.

    kernel_loops.py CUBIN [PART OF A NAME]

For each kernel the loops from the longest on: how many instructions, and how many of those that occur most, by the number of
the operation (the low 12 bits). NVIDIA documents none of this encoding; where `cuobjdump -sass` is at hand, it says the same
in names. A loop is what an unconditional or conditional branch (0x947) leads back over.
"""
import collections
import pathlib
import struct
import subprocess
import sys

INSTRUCTION = 16
BRANCH = 0x947


def sections(data):
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    for header in headers:
        begin = headers[names][4] + header[0]
        name = data[begin:data.index(b"\0", begin)].decode()
        if name.startswith(".text."):
            yield name.removeprefix(".text."), data[header[4]:header[4] + header[5]]


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def bytes_back(word, major):
    """How far a branch leads from the instruction behind it."""
    if major == 8:
        return signed(word >> 32 & 0xFFFFFFFF, 32)
    return 4 * (signed(word >> 34 & ((1 << 48) - 1), 48) << 8 | word >> 16 & 0xFF)


def loops(code, major):
    words = [low | high << 64 for low, high in struct.iter_unpack("<QQ", code)]
    for i, word in enumerate(words):
        if word & 0xFFF != BRANCH:
            continue
        first = i + 1 + bytes_back(word, major) // INSTRUCTION
        if 0 <= first < i:
            yield [f"0x{one & 0xFFF:03x}" for one in words[first:i + 1]]


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__.split("\n\n", 2)[1].strip())
    data = pathlib.Path(sys.argv[1]).read_bytes()
    major = (struct.unpack_from("<I", data, 0x30)[0] >> 8 & 0xFF) // 10
    if data[:4] != b"\x7fELF" or major not in (8, 9):
        sys.exit(f"{sys.argv[1]}: expected a cubin for compute capability 8.0 or 9.0")
    for name, code in sections(data):
        text = subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout.strip()
        if sys.argv[2:] and sys.argv[2] not in text:
            continue
        print(text)
        for loop in sorted(loops(code, major), key=len, reverse=True):
            most = ", ".join(f"{number} {count}" for number, count in collections.Counter(loop).most_common(8))
            print(f"  {len(loop)} instructions: {most}")


if __name__ == "__main__":
    main()
