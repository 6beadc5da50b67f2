#!/usr/bin/env python3
"""Runs a bundle of scripts/gpu-bundle where nothing of ours is installed, on GPUs that the host plays.

The root of each run has bash, coreutils, sed, tar, gzip and the C library, and nothing else: no Python, no library of ours.
RACKPROOF_BUILD is the build folder (preset gpu-on-cpu). With RACKPROOF_REHEARSE=all the part `first` runs to its
end too, which takes minutes. Exit 77 where no root can be made.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import support  # noqa: E402

BUILD = pathlib.Path(os.environ["RACKPROOF_BUILD"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
DONE, FAILED, USAGE, CANNOT = 0, 1, 2, 3
PROGRAMS = ("bash cat chmod cp cut date dirname du env grep gzip head ldd ln ls mkdir mktemp mv rm sed sleep stat tail tar tee "
            "timeout tr uname").split()
ROOM = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-bundle-"))
ROOT = ROOM / "root"
TWO = "devices=2,memory=600M"
# The short run of burn-cuda takes 0.14 of the memory, and needs 130 MB.
ROOMY = "devices=2,memory=2G"
ENTER = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "--pid", "--fork", "--kill-child"]
INSIDE = """
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" || exit 77
exec chroot "$0" /usr/bin/env -i PATH=/usr/bin HOME=/ OMP_NUM_THREADS=1 "$@"
"""


def libraries_of(program):
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return re.findall(r"(/\S+) \(0x", said)


def make_root():
    for folder in ("usr/bin", "dev", "proc", "tmp", "out"):
        (ROOT / folder).mkdir(parents=True)
    (ROOT / "bin").symlink_to("usr/bin")
    (ROOT / "usr/bin/sh").symlink_to("bash")
    for name in PROGRAMS:
        found = pathlib.Path(shutil.which(name)).resolve()
        shutil.copy(found, ROOT / "usr/bin" / name)
        for library in libraries_of(found):
            place = ROOT / library.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                shutil.copy(library, place)
    # What every system has of the C library, whether a program of the list asks for it or not.
    folder = pathlib.Path(next(path for path in libraries_of(shutil.which("bash")) if "libc.so" in path)).parent
    for name in ("libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"):
        shutil.copy(folder / name, ROOT / str(folder).lstrip("/") / name)


def start(machine, *words, bundle="rackproof-gpu", **environment):
    settings = [f"{name}={value}" for name, value in {"RACKPROOF_CUDA_HOST": machine, **environment}.items()]
    return subprocess.Popen([*ENTER, "sh", "-c", INSIDE, ROOT, *settings, f"/{bundle}/gpu-parts", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(machine, *words, **more):
    begun = time.monotonic()
    process = start(machine, *words, **more)
    said, complaint = process.communicate(timeout=900)
    print(f"# {' '.join(words)} on {machine}: exit {process.returncode}, {time.monotonic() - begun:.0f} s", flush=True)
    return process.returncode, said, complaint


def poorer(name, *libraries):
    """The bundle again, where libraries are lacking."""
    shutil.copytree(ROOT / "rackproof-gpu", ROOT / name, copy_function=os.link)
    for library in libraries:
        (ROOT / name / "lib" / library).unlink()


def rows(folder, part):
    """Command -> how it ended, of a table."""
    table = (ROOT / folder / f"{part}.txt").read_text()
    return {line[:30].strip(): line[31:41].strip() for line in table.splitlines()[1:]}


def packed(folder, part):
    with tarfile.open(ROOT / folder / f"{part}.tar.gz") as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@support.share
class Bundle(unittest.TestCase):
    def test_machines_that_cannot_are_told_in_one_sentence_and_nothing_is_left(self):
        before = sorted((ROOT / "tmp").iterdir())
        for machine, code, text, environment in (
                ("driver=0", CANNOT, "the CUDA driver is too old", {}),
                ("driver=12040", CANNOT, "too old", {}),
                ("devices=0", CANNOT, "no CUDA device", {}),
                ("major=8,code=9", CANNOT, "built without kernels for this device", {}),
                ("mig=3", CANNOT, "MIG is on", {}),
                ("memory=4M", CANNOT, "too little memory", {}),
                (TWO, USAGE, "hides every GPU", {"CUDA_VISIBLE_DEVICES": ""}),
                (TWO, USAGE, "hides every GPU", {"CUDA_VISIBLE_DEVICES": "7"}),
                ("fault=0:1", FAILED, "the first kernel failed with exit code 5", {})):
            with self.subTest(machine, **environment):
                got, said, complaint = run(machine, "--out", "/out/bad", "rates", **environment)
                self.assertEqual((got, said), (code, ""), complaint)
                self.assertEqual(len(complaint.splitlines()), 1, complaint)
                self.assertIn(text, complaint)
                self.assertFalse((ROOT / "out/bad").exists())
                self.assertEqual(sorted((ROOT / "tmp").iterdir()), before)

    def test_a_machine_without_a_driver_is_told(self):
        poorer("driverless", "libcuda.so.1")
        code, said, complaint = run("driver=0", "--out", "/out/bad", "rates", bundle="driverless")
        self.assertEqual((code, said), (CANNOT, ""), complaint)
        self.assertEqual(complaint, "gpu-parts: no part can run here: stream-cuda: no CUDA driver: libcuda.so.1 not found\n")

    def test_gpu_check_runs_the_script_of_the_bundle(self):
        (ROOM / "other.tar.gz").write_text("no archive")
        check = SOURCE / "scripts/gpu-check"
        for code, words in ((USAGE, ()), (USAGE, (ROOM / "none.tar.gz", "first")), (USAGE, (ROOM / "other.tar.gz", "first")),
                            (USAGE, (ROOM / "bundle.tar.gz", "second")),
                            (CANNOT, (ROOM / "bundle.tar.gz", "--out", ROOM / "checked", "first"))):
            done = subprocess.run([check, "--bundle", *words], capture_output=True, text=True, check=False,
                                  env={**os.environ, "RACKPROOF_CUDA_HOST": "devices=0"})
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertFalse((ROOM / "checked").exists())

    def test_bad_usage_is_refused(self):
        (ROOT / "out/taken").mkdir()
        (ROOT / "out/taken/first.txt").write_text("of before")
        (ROOT / "out/file").write_text("")
        for words in ((), ("second",), ("first", "rates"), ("--out",), ("--seconds", "0", "first"), ("--seconds", "9m", "first"),
                      ("--out", "/out/taken", "first")):
            with self.subTest(words):
                got, _, complaint = run(TWO, *words)
                self.assertEqual(got, USAGE, complaint)
                self.assertEqual(len(complaint.splitlines()), 1, complaint)
        self.assertEqual([path.name for path in (ROOT / "out/taken").iterdir()], ["first.txt"])
        self.assertEqual(run(TWO, "--out", "/out/file/below", "rates")[0], USAGE)

    def test_rates(self):
        code, said, complaint = run(TWO, "--out", "/out/rates", "rates")
        self.assertEqual(code, DONE, said + complaint)
        self.assertEqual(set(rows("out/rates", "rates").values()), {"ok"})
        self.assertGreaterEqual(packed("out/rates", "rates"),
                                {"stream-1.log", "gemm-bf16.log", "collectives.log", "pairs.log", "steps.log", "table.txt"})

    def test_suite_keeps_its_report(self):
        code, said, complaint = run(TWO, "--out", "/out/suite", "suite")
        self.assertEqual(code, DONE, said + complaint)
        self.assertIn("layer/report.json", packed("out/suite", "suite"))

    def test_tools_that_are_not_here_are_left_out_with_a_sentence(self):
        code, said, complaint = run(TWO, "--out", "/out/tools", "tools")
        self.assertEqual(code, DONE, said + complaint)
        self.assertEqual(rows("out/tools", "tools"),
                         {"machine": "ok", "first-heuristic": "ok", "torch-matmul": "left out", "torch-copy": "left out",
                          "torch-nccl": "left out", "nccl-tests": "left out", "memcheck": "left out",
                          "racecheck": "left out", "ncu-stream": "left out"})

    def test_without_cublaslt_and_nccl_the_rest_is_measured(self):
        poorer("poor", "libcublasLt.so.13", "libnccl.so.2")
        code, said, complaint = run(TWO, "--out", "/out/poor", "rates", bundle="poor")
        self.assertEqual(code, CANNOT, said + complaint)
        ends = rows("out/poor", "rates")
        for name in ("stream-1", "copy"):
            self.assertEqual(ends[name], "ok")
        for name, library in (("gemm-bf16", "libcublasLt.so.13"), ("burn-bf16", "libcublasLt.so.13"),
                              ("collectives", "libnccl.so.2"), ("pairs", "libnccl.so.2"), ("steps", "libnccl.so.2")):
            self.assertEqual(ends[name], "not here")
            line = next(line for line in said.splitlines() if line.startswith(name + " "))
            self.assertIn(library, line)

    def test_first_is_cut_at_its_time_and_keeps_what_it_has(self):
        code, said, complaint = run(ROOMY, "--out", "/out/cut", "--seconds", "10", "first")
        self.assertEqual(code, FAILED, said + complaint)
        ends = rows("out/cut", "first")
        self.assertEqual(ends["test-collectives"], "not begun")
        self.assertLessEqual(set(ends.values()), {"ok", "cut", "not begun", "left out"}, said)
        self.assertIn("table.txt", packed("out/cut", "first"))

    def test_a_part_that_is_killed_keeps_what_it_had(self):
        process = start(ROOMY, "--out", "/out/killed", "first")
        table = ROOT / "out/killed/first.txt"
        while not (table.exists() and "short-stream-cuda" in table.read_text()) and process.poll() is None:
            time.sleep(0.2)
        time.sleep(1)
        process.kill()
        process.communicate()
        self.assertGreaterEqual(packed("out/killed", "first"), {"machine.log", "libraries.log"})
        self.assertIn("short-copy-cuda", (ROOT / "out/killed/first.log").read_text())

    @unittest.skipUnless(os.environ.get("RACKPROOF_REHEARSE") == "all", "minutes: RACKPROOF_REHEARSE=all")
    def test_first(self):
        code, said, complaint = run("devices=3,memory=3G", "--out", "/out/first", "--seconds", "2000", "first")
        print(said)
        self.assertEqual(code, DONE, said + complaint)
        self.assertEqual(set(rows("out/first", "first").values()), {"ok", "left out"})


def main():
    subprocess.run([SOURCE / "scripts/gpu-bundle", "--from", BUILD, "--out", ROOM / "bundle.tar.gz"], check=True)
    make_root()
    subprocess.run(["tar", "-xzf", ROOM / "bundle.tar.gz", "-C", ROOT], check=True)
    if subprocess.run([*ENTER, "sh", "-c", INSIDE, ROOT, "uname"], capture_output=True, check=False).returncode != 0:
        print("skipped: no root of its own can be made here (unshare, mount, chroot)")
        return SKIPPED
    return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


if __name__ == "__main__":
    try:
        code = main()
    finally:
        shutil.rmtree(ROOM, ignore_errors=True)
    sys.exit(code)
