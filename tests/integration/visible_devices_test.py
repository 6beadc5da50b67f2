"""Which GPUs a bench has the driver see, with the real CUDA runtime and a stand-in for the driver that writes down what
it is started with."""
import json
import subprocess
import unittest

import support

FAKE_DRIVER = str(support.BUILD / "tests" / "fake-driver")
LIBEXEC = support.STAGE / "libexec" / "rackproof"
BENCHES = [path.name for path in sorted(LIBEXEC.glob("*-*")) if path.name.endswith(("-cuda", "-nccl"))]


@unittest.skipUnless(BENCHES, "this build has no GPU benches")
class VisibleDevices(support.Case):
    def start(self, bench, *arguments, **variables):
        log = self.folder / "driver.log"
        log.unlink(missing_ok=True)
        done = subprocess.run([str(LIBEXEC / bench), *arguments], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, check=False,
                              env=support.environment(LD_LIBRARY_PATH=FAKE_DRIVER, FAKE_DRIVER_LOG=str(log), **variables))
        return done, log.read_text().splitlines() if log.exists() else []

    def test_the_driver_starts_with_the_device_that_was_asked_for(self):
        for bench in BENCHES:
            with self.subTest(bench=bench):
                done, calls = self.start(bench, "--json", "--device", "MIG-ab222222-2222-2222-2222-222222222222")
                self.assertEqual(calls[:1], ["cuInit MIG-ab222222-2222-2222-2222-222222222222"], done.stderr)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(json.loads(done.stdout.splitlines()[0])["libraries"]["cuda-driver"], "13.0")

    def test_a_variable_that_hides_the_device_is_named(self):
        for bench in BENCHES:
            with self.subTest(bench=bench):
                done, calls = self.start(bench, "--device", "GPU-1", CUDA_VISIBLE_DEVICES="7")
                self.assertEqual(calls[:1], ["cuInit 7"])
                self.assertIn("CUDA_VISIBLE_DEVICES=7", done.stderr)

    def test_to_describe_a_bench_starts_no_driver(self):
        for bench in BENCHES:
            with self.subTest(bench=bench):
                done, calls = self.start(bench, "--describe")
                self.assertEqual(json.loads(done.stdout)["libraries"]["cuda-driver"], "13.0")
                self.assertEqual(calls, [])


class Runs(support.Case):
    def play(self, placement, **more):
        folder = self.folder / "mine"
        folder.mkdir(mode=0o755)
        program = folder / "own-host"
        program.write_text("#!/bin/sh\necho \"it sees ${CUDA_VISIBLE_DEVICES-everything}\" >&2\n")
        program.chmod(0o755)
        self.run_suite([support.step("ok", bench="own", placement=placement, **more)], "--allow-programs", folder,
                       LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=2 host=n", CUDA_VISIBLE_DEVICES="1")
        report = self.report()
        return report, sorted(attempt["stderr_tail"].strip() for attempt in report["attempts"])

    def test_each_attempt_on_a_device_sees_that_one(self):
        report, seen = self.play("device")
        self.assertEqual(seen, ["it sees GPU-n-0", "it sees GPU-n-1"])
        found = [f for f in report["findings"] if f["id"] == "visible-devices"]
        self.assertEqual(len(found), 1)
        self.assertIn("CUDA_VISIBLE_DEVICES=1 would hide GPUs: at most 1 of 2", found[0]["text"])

    def test_one_over_a_node_sees_all(self):
        _, seen = self.play("node", needs="device")
        self.assertEqual(seen, ["it sees everything"])


if __name__ == "__main__":
    support.main()
