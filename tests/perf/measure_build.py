#!/usr/bin/env python3
"""Where the time goes that building takes, from nothing and without a compiler cache.

  measure_build.py [--preset NAME] [--target NAME] [--jobs N] [--largest N] [--log FILE] [CMAKE_ARGUMENT...]

Configures the preset in a folder of its own and builds the target (product, when nothing else is said). Prints a
table: processor seconds (user and system) of the compiler by folder of the source tree, of links and other commands,
of all, and the time on the clock; then the N dearest commands. --log keeps each command's seconds. Further arguments
go to cmake as they are (-- before the first): measure_build.py -- -D RACKPROOF_UNITY=OFF
"""
import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TIMED = SOURCE / "tests" / "perf" / "timed_command.py"


def configure(preset, folder, log, arguments):
    """The same build, each of whose commands goes through timed_command.py."""
    rules = folder / "timed.cmake"
    lines = [f'set_property(GLOBAL PROPERTY RULE_LAUNCH_{rule} "{sys.executable} -I -S {TIMED} {log} {words}")\n'
             for rule, words in (("COMPILE", "<LANGUAGE> <OBJECT>"), ("LINK", "link <TARGET>"))]
    rules.write_text("".join(lines))
    subprocess.run(["cmake", "--preset", preset, "-B", folder / "build", "-D", f"CMAKE_PROJECT_INCLUDE={rules}",
                    *arguments], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)


def build(folder, target, jobs):
    """Processor seconds of everything, and seconds on the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(["cmake", "--build", folder / "build", "--target", target, "-j", str(jobs)], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, CCACHE_DISABLE="1"))
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def room(kind, name):
    """The folder of the source tree whose code it was."""
    if kind == "link":
        return "links and archives"
    folder = re.sub(r"(^|/)CMakeFiles/.*", "", name) or "."
    if kind == "CUDA":
        return "CUDA device code (.cu)"
    if folder.startswith("tests"):
        return "/".join(folder.split("/")[:2])
    return folder


def read(log):
    commands = []
    for line in log.read_text().splitlines():
        seconds, kind, name = line.split("\t")
        commands.append((float(seconds), kind, name))
    return commands


def show(commands, total, wall, largest):
    rooms = collections.defaultdict(lambda: [0.0, 0])
    for seconds, kind, name in commands:
        entry = rooms[room(kind, name)]
        entry[0] += seconds
        entry[1] += 1
    other = total - sum(seconds for seconds, _ in rooms.values())
    rooms["everything else"] = [other, 0]
    print("| what | commands | processor seconds | share |\n|---|---:|---:|---:|")
    for name, (seconds, count) in sorted(rooms.items(), key=lambda entry: -entry[1][0]):
        print(f"| {name} | {count or '-'} | {seconds:.1f} | {100 * seconds / total:.1f} % |")
    print(f"| **all** | {len(commands)} | **{total:.0f}** | {wall:.0f} s on the clock |")
    if largest:
        print(f"\nThe dearest {largest}:")
        for seconds, kind, name in sorted(commands, reverse=True)[:largest]:
            print(f"{seconds:8.1f}  {kind:5} {re.sub(r'CMakeFiles/[^/]*[.]dir/', '', name)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="release")
    parser.add_argument("--target", default="product")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--largest", type=int, default=10)
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rackproof-build-") as name:
        folder = pathlib.Path(name)
        log = options.log.resolve() if options.log else folder / "log"
        if log.exists():
            log.unlink()
        configure(options.preset, folder, log, options.arguments)
        load = os.getloadavg()[0]
        total, wall = build(folder, options.target, options.jobs)
        print(f"target {options.target}, preset {options.preset}{''.join(' ' + word for word in options.arguments)}, "
              f"{options.jobs} jobs, load average before {load:.1f}\n")
        show(read(log), total, wall, options.largest)


if __name__ == "__main__":
    main()
