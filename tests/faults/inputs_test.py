"""I: what a file or a word on the command line can do."""
import os
import pathlib
import re
import time

import faults
import support
from support import step

MEMORY = 128 << 20  # that of a process is at first that of the one that starts it


class Inputs(faults.Case):
    def refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        text = done.stdout + done.stderr
        for word in words:
            self.assertIn(word, text)
        self.assertLessEqual(len(text.splitlines()), 2, text[:2000])
        self.assertLess(max(map(len, text.splitlines())), 1000)

    def test_I05_endless_input_is_refused_at_once(self):
        with open(self.folder / "long.json", "wb") as file:
            file.truncate(10 << 30)
        (self.folder / "deep.json").write_text("[" * 1_000_000)
        (self.folder / "wide.json").write_text('{"schema":"rackproof/suite/1","steps":['
                                               + "0," * 10_000_000 + "0]}")
        for name in ("long", "deep", "wide"):
            for verb in (["run", "--out", "out", "--suite"], ["check"]):
                with self.subTest(name=name, verb=verb[0]):
                    began = time.monotonic()
                    command = [str(support.RACKPROOF), *verb, str(self.folder / f"{name}.json")]
                    pid = os.posix_spawn(command[0], command, support.environment(),
                                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, str(self.folder / "said"),
                                                        os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                                                       for fd in (1, 2)])
                    _, status, used = os.wait4(pid, 0)
                    seconds = time.monotonic() - began
                    print(f"{verb[0]} {name}: {seconds:.3f} s, {used.ru_maxrss >> 10} MiB")
                    said = (self.folder / "said").read_text()
                    (self.folder / "said").unlink()
                    self.assertEqual(os.waitstatus_to_exitcode(status), 2, said)
                    self.assertIn(f"{name}.json", said)
                    self.assertLess(used.ru_maxrss << 10, MEMORY)
                    self.assertLess(used.ru_utime + used.ru_stime, 1)
        self.assertFalse((self.folder / "out").exists())

    def test_I07_no_shell_is_ever_started(self):
        prefix = self.strace("-e", "trace=execve")
        done = self.run_limited([step("ok"), step("segv"), step("no-metric")], prefix=prefix)
        self.assertEqual(done.returncode, 4, done.stderr)
        text = (self.folder / "strace").read_text()
        started = {pathlib.Path(path).name for path in re.findall(r'execve\("([^"]*)"', text)}
        self.assertEqual(started, {"rackproof", "fake-host"})

    def test_I07_names_that_are_commands_or_paths_are_refused(self):
        for name in ("../fake", "/bin/sh", "$(touch x)", "a;touch x", "a b", "a\nb", "`touch x`", ""):
            for field in ("bench", "backend", "id"):
                with self.subTest(name=name, field=field):
                    done = self.run_suite([step("ok", **{field: name})])
                    self.refused(done, "suite.json", field)
        done = self.run_suite([step("ok", arguments=["--mode", "ok", "$(touch x); touch x"])])
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertFalse((self.folder / "x").exists())

    def test_I08_a_pattern_made_to_be_slow_is_not(self):
        long = "a" * 60
        for pattern in ("(a+)+b", "*a" * 30 + "b", "(" * 50 + "a*" + ")*" * 50):
            with self.subTest(pattern):
                began = time.monotonic()
                done = self.run_suite([step("ok", id=long)], "--filter", pattern)
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertLess(time.monotonic() - began, 5)

    def test_I06_a_figure_without_a_place_or_with_two(self):
        """A baseline that fits nothing is no pass; two figures for one place are refused."""
        figure = {"metric": "fake.rate", "judge": "absolute", "expected": {"value": 100, "unit": "B/s"},
                  "tolerance_below": 0.1, "statistic": "median", "source": support.SOURCE}
        nothing = self.write("nothing.json", support.platform([dict(figure, metric="fake.rite")]))
        done = self.run_suite([step("ok")], "--platform", nothing)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(self.verdict(self.report(), "ok")["reason_id"], "no-baseline")
        twice = self.write("twice.json", support.platform([figure, dict(figure, expected={"value": 1, "unit": "B/s"})]))
        self.refused(self.run_suite([step("ok")], "--platform", twice, out="twice"), "twice.json")
        self.assertFalse((self.folder / "twice").exists())


if __name__ == "__main__":
    support.main()
