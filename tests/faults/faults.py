"""What the fault tests share: means to take from a run what it needs, each of which says why where the machine
does not have it."""
import contextlib
import ctypes
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))

import support  # noqa: E402  (it lies beside the integration tests)

CALLS = support.BUILD / "tests" / "faults" / "libfaulty-calls.so"
CGROUPS = pathlib.Path("/sys/fs/cgroup")
MS_RDONLY, MS_REMOUNT = 1, 32
LIBC = ctypes.CDLL(None, use_errno=True)


class Case(support.Case):
    """A test of the catalogue: its name begins with the id."""

    def need(self, condition, why):
        if not condition:
            self.skipTest(why)

    def need_calls(self):
        self.need(CALLS.exists(), "the library of faulty calls is not built here")
        return str(CALLS)

    def strace(self, *arguments):
        """The beginning of a command line that runs a program under strace."""
        self.need(shutil.which("strace"), "strace is not installed")
        done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
        self.need(done.returncode == 0, "this machine does not let strace look")
        return ["strace", "-f", "-qq", "-o", str(self.folder / "strace"), *arguments]

    def small_disk(self, name, kibibytes):
        """A file system of that size in the test's folder."""
        path = self.folder / name
        path.mkdir()
        code = LIBC.mount(b"none", str(path).encode(), b"tmpfs", 0, f"size={kibibytes}k".encode())
        self.need(code == 0, "this machine lets nobody mount a file system: "
                  + os.strerror(ctypes.get_errno()))
        self.addCleanup(LIBC.umount2, str(path).encode(), 2)
        return path

    def read_only(self, path):
        flags = MS_RDONLY | MS_REMOUNT
        self.assertEqual(LIBC.mount(b"none", str(path).encode(), b"tmpfs", flags, b""), 0)

    def cgroup(self, controller, **settings):
        """A group of the first version's controller, with the settings; its processes end with the test."""
        base = CGROUPS / controller
        self.need((base / "cgroup.procs").exists(), f"there is no {controller} controller of cgroup v1 here")
        path = base / f"rackproof-test-{uuid.uuid4().hex[:12]}"
        try:
            path.mkdir()
            for name, value in settings.items():
                (path / name.replace("__", ".")).write_text(str(value))
        except OSError as error:
            self.skipTest(f"no {controller} group can be made here: {error}")
        self.addCleanup(self.remove_cgroup, path)
        return path

    @staticmethod
    def remove_cgroup(path):
        state = path / "freezer.state"
        if state.exists():
            state.write_text("THAWED")
        for _ in range(200):
            for pid in (path / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    os.kill(int(pid), signal.SIGKILL)
            with contextlib.suppress(OSError):
                path.rmdir()
                return
            time.sleep(0.05)

    def run_limited(self, steps, *arguments, before=None, prefix=(), timeout=120, more=None, out="out", **env):
        """The suite in a child that `before` has been done to, and that `prefix` begins."""
        path = self.write("suite.json", support.suite(steps, **(more or {})))
        command = [*prefix, str(support.RACKPROOF), "run", "--suite", path, "--out", str(out), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=self.folder,
                              stdin=subprocess.DEVNULL, preexec_fn=before, check=False,
                              env=support.environment(TESTED_IN=str(self.folder), **env))

    def journal_text(self, rank=0, segment=1, out="out"):
        path = self.folder / out / "journals" / f"{segment:04}-rank-{rank:05}.jsonl"
        return path.read_text() if path.exists() else ""

    def begun(self, step_id, **more):
        """Whether the bench of the step is known to the journal."""
        return self.has_begun(self.journal_text(**more), step_id)

    def children(self, name):
        """Process ids of this test's processes whose command line holds the name."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and name.encode() in (entry / "cmdline").read_bytes():
                    if str(self.folder).encode() in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
        return found

    def warden_of(self, rank_pid):
        """The process that a rank forked to watch over it."""
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and (entry / "comm").read_text().strip() == "rackproof-wardn":
                    parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                    if int(parent) == rank_pid:
                        return int(entry.name)
        return None

    def check_readable(self, out="out"):
        """The report is whole, and says of itself what it is."""
        done = self.rackproof("check", f"{out}/report.json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.report(out)

    def findings(self, report, finding):
        return [f for f in report["findings"] if f["id"] == finding]


def slow(step_id="slow", seconds=60, **more):
    return support.step("slow", id=step_id, arguments=["--mode", "slow", "--seconds", str(seconds)],
                        deadline="100 s", **more)


def stage_of_its_own(folder, programs):
    """A copy of the program with further benches beside those of the stage; gives its path."""
    root = folder / "stage"
    benches = root / "libexec" / "rackproof"
    benches.mkdir(parents=True)
    (root / "bin").mkdir()
    (root / "share").symlink_to(support.STAGE / "share")
    for program in support.RACKPROOF.parent.iterdir():
        shutil.copy2(program, root / "bin" / program.name)
    for program in (support.STAGE / "libexec" / "rackproof").iterdir():
        (benches / program.name).symlink_to(program)
    for name, content in programs.items():
        (benches / name).write_bytes(content)
        (benches / name).chmod(0o755)
    return str(root / "bin" / "rackproof")


def start(case, command, timeout=120, **env):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout,
                          cwd=case.folder, stdin=subprocess.DEVNULL, check=False,
                          env=support.environment(TESTED_IN=str(case.folder), **env))


def unsealed(text):
    """The lines of a journal without their seals."""
    return [line[:line.rindex(',"seal":"')] + "}" for line in text.splitlines()]


def sealed(lines):
    """A journal of these lines, with seals that hold."""
    text, last = "", ""
    for line in lines:
        last = hashlib.sha256((last + line).encode()).hexdigest()[:16]
        text += f'{line[:-1]},"seal":"{last}"}}\n'
    return text
