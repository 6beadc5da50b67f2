#!/usr/bin/env python3
"""Checks that every kernel, and every instantiation of one, ran in the tests before.

Usage: kernels_test.py SOURCES BUILD RAN

Kernels are what the .cu files of SOURCES declare __global__; instantiations are the functions of these names in the
programs of BUILD; what ran is in the files of RAN, which tests/support/cuda_host writes.
"""
import pathlib
import re
import subprocess
import sys


def kernel_names(sources):
    names = set()
    for path in (sources / "benches").rglob("*.cu*"):
        text = re.sub(r"__launch_bounds__\([^)]*\)", "", path.read_text())
        names |= set(re.findall(r"__global__\s+void\s+(\w+)\(", text))
    return names


def functions_of(program):
    done = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
    # A compiler's cold parts of a function are no functions.
    return {words[-1] for line in done.stdout.splitlines()
            if len(words := line.split()) == 3 and words[1] in "tTwW" and ".cold" not in words[-1]}


def plain(mangled):
    done = subprocess.run(["c++filt"], input="\n".join(mangled), capture_output=True, text=True,
                          check=True)
    return dict(zip(mangled, done.stdout.splitlines()))


def main():
    sources, build, ran = (pathlib.Path(word) for word in sys.argv[1:])
    names = kernel_names(sources)
    # From the beginning: a name may also be that of a parameter, or of something within the kernel.
    is_kernel = re.compile(r"(?:void )?rackproof::(?:\w+::)*\(anonymous namespace\)::("
                           + "|".join(sorted(names)) + r")[<(]")
    programs = [path for folder in ("libexec/rackproof/*-cuda", "libexec/rackproof/*-nccl",
                                    "tests/device/*/gpu_*") for path in build.glob(folder) if not path.suffix]
    functions = sorted(set().union(*(functions_of(program) for program in programs)))
    wanted = {name: text for name, text in plain(functions).items() if is_kernel.match(text)}
    seen = set()
    for path in ran.glob("*.txt"):
        seen |= set(path.read_text().split())
    missing = sorted(text for name, text in wanted.items() if name not in seen)
    found = {is_kernel.match(text).group(1) for text in wanted.values()}
    print(f"{len(names)} kernels, {len(wanted)} instantiations, {len(wanted) - len(missing)} ran")
    for name in sorted(names - found):
        print(f"no program has the kernel {name}")
    for text in missing:
        print(f"nothing ran {text}")
    return 1 if missing or names - found or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
