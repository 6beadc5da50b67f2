"""What the integration tests share: a staged copy of the program, suites made on the fly, and the
means to see that nothing is left behind."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ.get("RACKPROOF_BUILD", "build/dev")).resolve()
STAGE = pathlib.Path(os.environ.get("RACKPROOF_STAGE", BUILD / "tests" / "stage")).resolve()
RACKPROOF = STAGE / "bin" / "rackproof"
FAKE_NVML = str(BUILD / "tests" / "fake-nvml")


def report_text(folder):
    """Of a run directory, compressed or not."""
    compressed = folder / "report.json.zst"
    if compressed.exists():
        return subprocess.run(["zstd", "-dcq", compressed], capture_output=True, text=True, check=True).stdout
    return (folder / "report.json").read_text()


def has_mpi():
    """True when this build can run under mpirun and there is one."""
    if shutil.which("mpirun") is None:
        return False
    features = subprocess.run([str(RACKPROOF), "list", "features"], capture_output=True, text=True,
                              check=True).stdout
    return any(line.split() == ["mpi", "on"] for line in features.splitlines())


HAS_MPIRUN = has_mpi()
WITHOUT_MPIRUN = "this build has no MPI, or mpirun is not installed"
SKIPPED = 77  # what ctest shows as skipped

MPIRUN = [str(pathlib.Path(__file__).resolve().parents[1] / "support" / "mpirun"), "--mca", "btl", "vader,self",
          "--mca", "plm_rsh_agent", "false"]


def environment(**extra):
    """What programs under test see. TESTED_IN, with the folder of the test, is inherited by benches too: what the
    harness calls its own is stripped from their environment, and nobody could tell whose they are. OpenBLAS chooses its
    kernels itself, by the processor: the ones that somebody named for another are refused by the benches."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_", "OPENBLAS_")) and k != "COLUMNS"}
    env["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
    env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    env["ASAN_OPTIONS"] = "detect_leaks=0"
    # Suites and tables of whoever tests are none of these tests' business.
    env["RACKPROOF_PATH"] = ""
    env.update(extra)
    return env


def share(cases, always=()):
    """A class decorator: with RACKPROOF_SHARE=N every Nth test of the class runs, others each time that RACKPROOF_TURN is
    another number; the rest is skipped, visibly, but for those named in `always`. Without it, as by hand and at night,
    all run."""
    parts = int(os.environ.get("RACKPROOF_SHARE", "1"))
    turn = int(os.environ.get("RACKPROOF_TURN", "0"))
    for number, name in enumerate(sorted(name for name in dir(cases)
                                        if name.startswith("test_") and name not in always)):
        if (number + turn) % parts:
            setattr(cases, name, unittest.skip(f"one test in {parts}, in turn: RACKPROOF_SHARE")(getattr(cases, name)))
    return cases


def verdict_of(stdout):
    """The sentence of the verdict, with which the end of a run closes before it says where its files are."""
    lines = stdout.splitlines()
    begins = [i for i, line in enumerate(lines) if line.startswith(("ACCEPTED", "REJECTED", "INCOMPLETE", "VERIFIED,"))]
    if not begins:
        return ""
    rest = lines[begins[-1] + 1:]
    more = next((i for i, line in enumerate(rest) if not line.startswith(" ")), len(rest))
    return " ".join(" ".join([lines[begins[-1]], *rest[:more]]).split())


def step(mode, **more):
    """A step of the fake bench in the given mode."""
    fields = {
        "id": mode, "title": mode, "bench": "fake", "backend": "host",
        "arguments": ["--mode", mode], "placement": "node", "deadline": "20 s", "grace": "1 s",
        "attempts": 1,
        "expect": [{"metric": "fake.rate", "parameters": {"mode": mode}}],
    }
    fields.update(more)
    return fields


def suite(steps, **more):
    """Two tests run beside each other on the machine of a test, and whatever else does: that is of no interest."""
    fields = {"schema": "rackproof/suite/1", "id": "test", "title": "Test", "purpose": "a test",
              "time_budget": "300 s", "judge": {"disturbed": "ignore"}, "steps": steps}
    fields.update(more)
    return fields


SOURCE = {"title": "made for the test", "kind": "measured-here", "date": "2026-01-01",
          "software": "none"}


# What the rate of the fake bench passes by unless it is told another --value: it is 100 B/s.
HOLDS = [{"metric": "fake.rate", "judge": "absolute", "expected": {"value": 100, "unit": "B/s"},
          "tolerance_below": 0.5, "tolerance_above": 0.5, "statistic": "median", "source": SOURCE}]


def platform(baselines, **more):
    fields = {"schema": "rackproof/platform/1", "id": "test-table", "title": "Test table",
              "recognise": [{"fact": "memory.total_bytes", "min": 1}], "baselines": baselines}
    fields.update(more)
    return fields


def processes_of(folder, seconds=0.0):
    """Ids and command lines of processes that work in the folder, or have it in their arguments or environment (a
    bench gets no variable of ours); waits up to `seconds` for there to be none."""
    until = time.monotonic() + seconds
    while True:
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                raw = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
                raw += os.readlink(entry / "cwd").encode()
                if (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    continue
            except OSError:
                continue
            if str(folder).encode() in raw:
                found.append((int(entry.name), raw.split(b"\0RACK")[0][:200].decode(errors="replace")))
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.05)


def end_all(folder, seconds=10.0):
    """Ends what processes_of() finds."""
    until = time.monotonic() + seconds
    while (left := processes_of(folder)) and time.monotonic() < until:
        for pid, _ in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


class Case(unittest.TestCase):
    """Each test has a folder of its own, and must leave no process behind."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def tearDown(self):
        self.assertEqual(self.left_behind(), [], "processes of this test are still there")

    def left_behind(self, seconds=3.0):
        """Command lines of processes that work in this test's folder or carry its run's nonce."""
        return [line for _, line in processes_of(self.folder, seconds)]

    def write(self, name, document):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document, indent=1))
        return str(path)

    def rackproof(self, *arguments, ranks=0, timeout=120, launcher=(), **env):
        command = [str(RACKPROOF), *map(str, arguments)]
        if ranks:
            command = [*MPIRUN, *launcher, "-n", str(ranks), *command]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout,
                              cwd=self.folder, stdin=subprocess.DEVNULL,
                              env=environment(TESTED_IN=str(self.folder), **env))

    def run_suite(self, steps, *arguments, out="out", ranks=0, timeout=120, launcher=(), more=None,
                  **env):
        path = self.write("suite.json", suite(steps, **(more or {})))
        done = self.rackproof("run", "--suite", path, "--out", out, *arguments, ranks=ranks,
                              timeout=timeout, launcher=launcher, **env)
        return done

    def start_suite(self, steps, *arguments, out="out", ranks=0, launcher=(), more=None, **env):
        path = self.write("suite.json", suite(steps, **(more or {})))
        command = [str(RACKPROOF), "run", "--suite", path, "--out", out, *arguments]
        if ranks:
            command = [*MPIRUN, *launcher, "-n", str(ranks), *command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=environment(TESTED_IN=str(self.folder), **env))
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()

    def report(self, out="out"):
        return json.loads(report_text(self.folder / out))

    def verdict(self, report, step_id):
        cells = [cell for cell in report["cells"] if cell["step"] == step_id]
        self.assertEqual(len(cells), 1, f"step {step_id} has {len(cells)} cells")
        return cells[0]["verdict"]

    def ending(self, report, step_id):
        attempts = [a for a in report["attempts"] if a["step"] == step_id]
        self.assertTrue(attempts, f"step {step_id} has no attempt")
        return attempts[-1]["ending"]["kind"]

    def journal_ranks(self, out="out"):
        """Process id of each rank, out of the journals' first lines."""
        pids = {}
        for path in sorted((self.folder / out / "journals").glob("*.jsonl")):
            lines = path.read_text().splitlines()
            if lines:
                first = json.loads(lines[0])
                pids[first["rank"]] = first["pid"]
        return pids

    @staticmethod
    def has_begun(journal, step_id):
        """Whether the last step that a journal has begun is this one."""
        _, begun, rest = journal.rpartition('"begun"')
        return bool(begun) and f'"step":"{step_id}"' in rest

    def wait_for(self, condition, seconds=30, what="the condition"):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                value = condition()
            except (OSError, ValueError, KeyError):
                value = None
            if value:
                return value
            time.sleep(0.02)
        self.fail(f"waited {seconds} s in vain for {what}")
        return None


def main():
    """Runs the tests of the calling program. Exits with SKIPPED when none of them could run, so that
    ctest does not count it as passed."""
    result = unittest.main(verbosity=2, exit=False).result
    if result.wasSuccessful() and result.skipped and result.testsRun <= len(result.skipped):
        sys.exit(SKIPPED)
    sys.exit(not result.wasSuccessful())
