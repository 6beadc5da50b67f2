"""Lets one call of a kind fail, once: the first from each place that calls come from, in random order
and for 12 seconds for each kind and process (nth_call_test.py --seconds N for another time), or the Nth
for every N (--all). A place is a chain of callers.

Whatever fails, the program ends with one of its exit codes, or for want of memory, no report is
corrupt, nothing is accepted that a clean run would not, and nobody is left."""
import ctypes.util
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support

ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
SECONDS = 12.0
if "--seconds" in sys.argv:
    SECONDS = float(sys.argv.pop(sys.argv.index("--seconds") + 1))
    sys.argv.remove("--seconds")
CODES = {0, 1, 2, 3, 4, 5, 6, 130}
NTH_CALL = support.BUILD / "tests" / "libnth-call.so"
WRAPPERS = "/usr/lib/fiu/fiu_posix_preload.so"
# Reads and writes may also be short. close is left out: libfiu's leaves the descriptor open, which
# Linux never does.
KINDS = {"io": ("posix/io/rw/* posix/io/sync/* posix/io/dir/* posix/io/net/* posix/io/oc/open "
                "posix/stdio/oc/fopen posix/stdio/rw/* posix/stdio/fflush", "28"),
         "memory": ("libc/mm/*", "12")}


# On a busy machine a run takes as long as all of them should, and one or two say nothing of most.
LEAST = 6


@unittest.skipUnless(NTH_CALL.exists() and pathlib.Path(WRAPPERS).exists(),
                     "this build has no libfiu: apt-get install libfiu-dev fiu-utils")
class NthCall(support.Case):
    def attempt(self, kind, process, **which):
        """One run: how it ended, its directory, and how many calls there were, and failed."""
        name, error = KINDS[kind]
        out = self.folder / "-".join(["run", kind, process, *map(str, which.values())]).replace("/", "-")
        counts = self.folder / "counts"
        counts.unlink(missing_ok=True)
        path = self.write("suite.json", support.suite([support.step("ok"),
                                                        support.step("wrong-answer")]))
        done = self.rackproof("run", "--suite", path, "--out", str(out),
                              LD_PRELOAD=f"{NTH_CALL} {WRAPPERS}", NTH_KIND=name,
                              NTH_WHERE=process, NTH_ERRNO=error, NTH_COUNTS=str(counts),
                              **{key: str(value) for key, value in which.items()}, timeout=240)
        lines = [line.split() for line in counts.read_text().splitlines()] if counts.exists() else []
        mine = [(int(line[1]), int(line[2])) for line in lines if line[0] == process]
        return done, out, max((calls for calls, _ in mine), default=0), sum(fails for _, fails in mine)

    def examine(self, done, out, what):
        # Some functions of the C++ library end the program when there is no memory for them, and
        # libraries that are loaded with it crash before it begins.
        ended = (what.endswith("(memory)") and done.returncode == -signal.SIGABRT
                 and "terminate called" in done.stderr)
        ended = ended or (what.endswith("(memory)") and done.returncode < 0 and not out.exists())
        self.assertTrue(done.returncode in CODES or ended,
                        f"{what}: {done.returncode}, {done.stderr[-2000:]}")
        self.assertNotEqual(done.returncode, 0, f"{what}: accepted")
        # A warden whose rank ended badly still makes the report.
        self.assertEqual(self.left_behind(20), [], what)
        # A process that the C++ library ended tidies up as little as one that is killed.
        if not ended:
            self.assertEqual(list(out.glob("*.tmp")), [], f"{what}: a half-written file")
        report = out / "report.json"
        if not report.exists():
            return
        checked = self.rackproof("check", report)
        self.assertEqual(checked.returncode, 0, f"{what}: {checked.stdout}")
        document = json.loads(report.read_text())
        self.assertNotEqual(document["acceptance"], "accepted", what)
        for cell in document["cells"]:
            if cell["step"] == "wrong-answer":
                self.assertNotEqual(cell["verdict"]["outcome"], "pass", what)

    def sweep(self, kind, process):
        found = self.folder / "places"
        found.unlink(missing_ok=True)
        done, out, count, _ = self.attempt(kind, process, NTH_PLACES=found)
        self.assertEqual(done.returncode, 3, f"{kind} {process}: a clean run: {done.stderr}")
        self.examine(done, out, "clean")
        self.assertGreater(count, 10, "calls were counted")
        places = sorted(set(found.read_text().split()))
        which = [{"NTH_CALL": call} for call in range(1, count + 1)] if ALL else [
            {"NTH_PLACE": place} for place in places]
        if not ALL:
            random.Random(count).shuffle(which)
        until = time.monotonic() + SECONDS
        tried = missed = 0
        for one in which:
            if not ALL and time.monotonic() > until and tried >= LEAST:
                break
            done, out, _, failed = self.attempt(kind, process, **one)
            with self.subTest(**one):
                self.examine(done, out, f"{process}, {one} ({kind})")
            shutil.rmtree(out, ignore_errors=True)
            tried += 1
            # A process that was ended has not told.
            missed += failed == 0 and done.returncode == 3
        what = f"{count} calls" if ALL else f"{len(places)} places that {count} calls come from"
        print(f"{kind}, {process}: {tried - missed} of {what} failed, one a run; {missed} were not met again",
              flush=True)
        self.assertGreater(tried, 2 * missed, "most of what was to fail was met")

    def test_io_of_the_rank(self):
        self.sweep("io", "rank")

    def test_io_of_the_warden(self):
        self.sweep("io", "warden")

    def test_memory_of_the_rank(self):
        self.sweep("memory", "rank")

    def test_memory_of_the_warden(self):
        self.sweep("memory", "warden")


if __name__ == "__main__":
    support.main()
