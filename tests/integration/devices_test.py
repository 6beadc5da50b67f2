"""GPUs through a stand-in for NVIDIA's management library: a node with eight of them, without any."""
import json

import support


class Inventory(support.Case):
    def devices(self, fake):
        done = self.rackproof("inventory", "--json", LD_LIBRARY_PATH=support.FAKE_NVML,
                              FAKE_NVML=fake)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_eight(self):
        node = self.devices("gpus=8 host=rack7")
        self.assertEqual([d["uuid"] for d in node["devices"]],
                         [f"GPU-rack7-{i}" for i in range(8)])
        self.assertEqual(node["devices"][3]["facts"]["gpu.name"]["value"], "Fake H200")
        self.assertEqual(node["facts"]["gpu.nvml_count"]["value"], 8)

    def test_none(self):
        node = self.devices("gpus=0")
        self.assertEqual(node["devices"], [])
        self.assertEqual(node["facts"]["gpu.nvml_count"]["value"], 0)

    def test_driver_in_trouble(self):
        node = self.devices("gpus=8 init=9")
        self.assertEqual(node["devices"], [])
        self.assertIn("Driver Not Loaded", node["facts"]["gpu.nvml_count"]["unreadable"])

    def test_for_people(self):
        done = self.rackproof("inventory", LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=1")
        self.assertIn("device 0, GPU-node0-0", done.stdout)
        self.assertIn("gpu.memory_bytes", done.stdout)


class Runs(support.Case):
    """Device steps, the vote and --require gpu, with a table that passes what is verified."""

    def play(self, *arguments, fake="gpus=4", mode="ok", odd="none", out="out", **more):
        table = self.write("table.json",
                           support.platform(support.HOLDS))
        step = support.step(mode, placement="device",
                            arguments=["--mode", mode, "--odd", odd], **more)
        host = support.step("ok", id="host")
        done = self.run_suite([step if mode != "ok" else dict(step, id="gpu"), host], "--platform",
                              table, *arguments, out=out, LD_LIBRARY_PATH=support.FAKE_NVML,
                              FAKE_NVML=fake)
        return done, self.report(out)

    def outcomes(self, report, step):
        return [c["verdict"]["outcome"] for c in report["cells"] if c["step"] == step]

    def test_a_process_for_each_device(self):
        done, report = self.play("--require", "gpu")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.outcomes(report, "gpu"), ["pass"] * 4)
        self.assertEqual(report["run"]["required"], ["gpu"])

    def test_required_and_absent(self):
        done, report = self.play("--require", "gpu", fake="gpus=0", when_unavailable="waive")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertIn("gpu is required", report["acceptance_reason"])
        self.assertIn("gpu is required", " ".join(done.stdout.split()))
        self.assertEqual(self.outcomes(report, "gpu"), ["waived"])
        self.assertEqual(self.outcomes(report, "host"), ["pass"])
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)

    def test_waived_where_none_is_required(self):
        done, report = self.play(fake="gpus=0", when_unavailable="waive")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("no device here", self.rackproof("show", "out").stdout)

    def test_exit_3_where_there_is_a_device_is_waived_only_when_the_suite_says_so(self):
        for word, outcome in (("waive", "waived"), ("waive_without_device", "untested")):
            done, report = self.play(mode="exit-3", out=word, when_unavailable=word)
            self.assertEqual(self.outcomes(report, "exit-3"), [outcome] * 4)
            _, bare = self.play(mode="exit-3", out=word + "-bare", when_unavailable=word,
                                fake="gpus=0")
            self.assertEqual(self.outcomes(bare, "exit-3"), ["waived"])

    def test_required_and_lost(self):
        done, report = self.play("--require", "gpu", fake="gpus=4 lost=2")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("GPU is lost", report["acceptance_reason"])
        self.assertIn("gpu-missing", [f["id"] for f in report["findings"]])

    def test_lost_and_not_required_is_not_accepted_either(self):
        done, report = self.play(fake="gpus=4 lost=2", when_unavailable="waive_without_device")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(sorted(self.outcomes(report, "gpu")), ["pass"] * 3 + ["untested"])
        reason = next(c["verdict"]["reason"] for c in report["cells"]
                      if c["verdict"]["outcome"] == "untested")
        self.assertIn("cannot be measured", reason)

    def test_required_and_not_measured(self):
        done, report = self.play("--require", "gpu", "--filter", "host")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("no cell about", report["acceptance_reason"])

    def test_an_unknown_kind_is_refused(self):
        path = self.write("suite.json", support.suite([support.step("ok")]))
        done = self.rackproof("run", "--suite", path, "--out", "out", "--require", "tpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected gpu", done.stderr)

    def test_the_odd_one_of_four_fails(self):
        done, report = self.play(mode="digest", odd="GPU-node0-2")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertEqual(self.outcomes(report, "digest"), ["pass", "pass", "fail", "pass"])
        found = [f for f in report["findings"] if f["id"] == "digest-mismatch"]
        self.assertEqual(len(found), 1)
        self.assertIn("GPU-node0-2", found[0]["subject"])

    def test_two_that_differ_are_untested(self):
        done, report = self.play(mode="digest", odd="GPU-node0-1", fake="gpus=2")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertEqual(self.outcomes(report, "digest"), ["untested"] * 2)


if __name__ == "__main__":
    support.main()
