"""`rackproof inventory --check`: the odd node of a rack of 72 GPUs is named before anything is measured."""
import copy
import fnmatch
import json
import pathlib
import resource
import subprocess
import time
import unittest

import racks
import support

GB200 = {
    "name": "NVIDIA GB200", "pci_id": "10de:2941", "compute_capability": "10.0", "memory_bytes": 198674743296,
    "memory_bus_bits": 8192, "memory_clock_mhz": 3996, "sm_clock_mhz": 2062, "cores": 19456,
    "power_limit_watts": 1200, "pcie_generation": 5, "pcie_width": 16, "ecc": True, "persistence": True,
    "vbios": "97.00.82.00.01", "inforom": "G548.0000.00.01", "serial": "13250{index}", "nvlinks": 18,
    "compute_mode": 0, "rows_remapped_uncorrected": 0,
}
HOSTS = 18
ODD = 7
# What is the same on one machine that plays all hosts.
OWN = ("host.machine_id_hash", "host.boot_id")


def computed():
    """Seconds of processors that the programs which this test has run took, whatever else runs here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@unittest.skipUnless(pathlib.Path(support.FAKE_NVML).exists(), "the fake NVML is not built")
class InventoryCheck(support.Case):
    def taken(self, before=(), options=(), **fields):
        """What this machine says of itself with four GPUs as NVML plays them."""
        device = dict(GB200, **fields.pop("device", {}))
        played = {"hosts": [{"match": "*", "gpus": 4, "device": device, **fields}], "bench": {}}
        file = self.folder / "rack.json"
        file.write_text(json.dumps(played))
        env = support.environment(FAKE_NVML_FILE=str(file), LD_LIBRARY_PATH=support.FAKE_NVML)
        command = [*before, str(support.RACKPROOF), "inventory", "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
        return json.loads(done.stdout)

    def as_host(self, node, number):
        """The same machine as another host: only what tells hosts apart is changed."""
        node = copy.deepcopy(node)
        node["host"] = f"nvl-{number:02d}"
        for name in list(node["facts"]):
            if name in OWN or name.endswith((".address", ".node_guid")):
                del node["facts"][name]
        for index, device in enumerate(node["devices"]):
            device["uuid"] = f"GPU-nvl-{number:02d}-{index}"
            device["facts"].pop("gpu.serial", None)
        return node

    def files(self, node, odd=None, hosts=HOSTS):
        names = []
        for number in range(hosts):
            name = f"{number:02d}.json"
            self.write(name, self.as_host(odd if odd and number == ODD else node, number))
            names.append(name)
        return names

    def check(self, node, odd=None, code=0):
        files = self.files(node, odd)
        before = computed()
        done = self.rackproof("inventory", "--check", "--json", *files)
        self.assertLess(computed() - before, 5)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["hosts"], HOSTS)
        return document["findings"]

    def refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")

    def unlike(self, findings):
        return [f for f in findings if f["id"] == "config-mismatch"]

    def first(self, odd, fact, code=0):
        """The first finding names the odd host and the fact; it is the only one of its kind."""
        findings = self.check(self.taken(), odd, code)
        self.assertEqual(findings[0]["id"], "config-mismatch", findings)
        self.assertTrue(findings[0]["subject"].startswith(f"nvl-{ODD:02d}"), findings[0])
        self.assertEqual(findings[0]["evidence"]["fact"], fact)
        self.assertEqual(len(self.unlike(findings)), 1, findings)
        return findings[0]

    def test_a_rack_that_is_alike_has_no_odd_node(self):
        self.assertEqual(self.unlike(self.check(self.taken())), [])

    def test_another_driver(self):
        found = self.first(self.taken(driver="535.01"), "gpu.driver_version")
        self.assertIn("gpu.driver_version is 535.01, and ", found["text"])
        self.assertIn("on 17 of 18 hosts", found["text"])

    def test_another_vbios(self):
        found = self.first(self.taken(device={"vbios": "96.00.00.00.01"}), "gpu.vbios")
        self.assertIn("on 68 of 72 devices", found["text"])

    def test_ecc_off(self):
        found = self.first(self.taken(device={"ecc": False, "ecc_pending": 1}), "gpu.ecc", code=3)
        self.assertEqual(found["severity"], "isolate")
        self.assertIn("nvidia-smi -e 1", found["text"])

    def test_a_narrow_pcie_link_of_one_device(self):
        odd = self.taken(devices={"2": {"pcie_width_now": 8}})
        found = self.first(odd, "gpu.pcie_width_now", code=3)
        self.assertEqual(found["subject"], f"nvl-{ODD:02d}/GPU-nvl-{ODD:02d}-2")

    def test_an_nvlink_that_is_down(self):
        odd = self.taken(devices={"0": {"nvlinks_down": [3, 7]}})
        found = self.first(odd, "gpu.nvlinks_active", code=3)
        self.assertIn("gpu.nvlinks_active is 16, and 18 on 71 of 72 devices", found["text"])

    def test_less_memory_may_be_locked(self):
        soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
        less = 32768 if soft == resource.RLIM_INFINITY else soft // 2
        self.first(self.taken(before=["prlimit", f"--memlock={less}:"]), "limit.memlock_bytes")

    def test_another_governor(self):
        trees = {}
        for word in ("performance", "powersave"):
            trees[word] = self.folder / word
            cpu = trees[word] / "sys/devices/system/cpu"
            (cpu / "cpu0/cpufreq").mkdir(parents=True)
            (cpu / "online").write_text("0\n")
            (cpu / "cpu0/cpufreq/scaling_governor").write_text(word + "\n")
        usual, odd = (self.taken(options=["--sysroot", str(trees[word])]) for word in trees)
        findings = self.check(usual, odd)
        self.assertEqual(findings[0]["evidence"]["fact"], "cpu.governor")
        self.assertEqual(findings[0]["subject"], f"nvl-{ODD:02d}")
        self.assertIn("cpu.governor is powersave, and performance on 17 of 18", findings[0]["text"])

    def test_one_node_is_held_against_its_platform_and_its_own_devices(self):
        file = self.folder / "rack.json"
        self.taken(devices={"1": {"vbios": "96.00.00.00.01"}})
        done = self.rackproof("inventory", "--check", FAKE_NVML_FILE=str(file), LD_LIBRARY_PATH=support.FAKE_NVML)
        self.assertIn("1 host, 4 devices: ", done.stdout)
        self.assertIn("gpu.vbios is 96.00.00.00.01, and 97.00.82.00.01 on 3 of 4 devices", done.stdout)

    def test_a_suppression_counts_until_its_last_day(self):
        files = self.files(self.taken(), self.taken(device={"ecc": False}))
        for until, code in (("2000-01-01", 3), ("2999-12-31", 0)):
            suite = support.suite([support.step("ok")], findings={
                "suppress": [{"fact": "gpu.ecc", "reason": "a known batch", "until": until}]})
            done = self.rackproof("inventory", "--check", "--suite", self.write("s.json", suite), *files)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn("its suppression ended on 2000-01-01" if code else
                          "suppressed until 2999-12-31: a known batch", done.stdout)

    def test_an_inventory_conforms_to_its_schema_and_a_damaged_one_does_not(self):
        node = self.taken(options=["--nvml-deadline", "30 s"])
        text = json.dumps(node, sort_keys=True, separators=(",", ":"))
        good = self.rackproof("check", self.write("node.json", text))
        self.assertEqual(good.returncode, 0, good.stdout)
        self.assertIn("good inventory", good.stdout)
        node["facts"]["cpu.model"] = {"source": "nowhere"}
        text = json.dumps(node, sort_keys=True, separators=(",", ":"))
        bad = self.rackproof("check", self.write("node.json", text))
        self.assertEqual(bad.returncode, 2)
        self.assertIn("/facts/cpu.model", bad.stdout)

    def test_each_fact_is_one_that_is_described(self):
        listed = json.loads(self.rackproof("list", "facts", "--json").stdout)["facts"]
        known = [one["name"] for one in listed]
        node = self.taken()
        given = set(node["facts"]).union(*(device["facts"] for device in node["devices"]))
        self.assertGreater(len(given), 100)
        self.assertEqual([name for name in sorted(given)
                          if not any(fnmatch.fnmatchcase(name, pattern) for pattern in known)], [])

    def test_a_driver_that_hangs_costs_its_own_facts_alone(self):
        began = time.monotonic()
        node = self.taken(options=["--nvml-deadline", "0.5 s"], delays_ms={"nvmlDeviceGetVbiosVersion": 60000})
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(node["devices"], [])
        self.assertEqual(node["facts"]["gpu.nvml_count"]["unreadable"], "no answer in 0.5 s")
        self.assertEqual(node["facts"]["gpu.silent"]["value"], "no answer in 0.5 s")
        self.assertIn("value", node["facts"]["memory.total_bytes"])

    def test_what_is_no_inventory_is_refused(self):
        node = self.taken()
        (self.folder / "bad.json").write_text("{]")
        self.refused(self.rackproof("inventory", "--check", "bad.json"), "bad.json", "inventory --json prints")
        self.refused(self.rackproof("inventory", "--check", "no.json"), "no.json", "there is no such file")
        self.write("a.json", node)
        self.write("b.json", node)
        self.refused(self.rackproof("inventory", "--check", "a.json", "b.json"), "b.json", "and so is a.json")
        self.refused(self.rackproof("inventory", "a.json"), "--check")


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class RunLooksFirst(support.Case):
    def run_rack(self, **findings):
        """Three hosts, of which odd-1 has ECC switched off."""
        played = {"hosts": [{"match": match, "gpus": 2, "device": dict(GB200, ecc=ecc)}
                            for match, ecc in (("odd-1", False), ("*", True))], "bench": {}}
        nvml = self.write("rack.json", played)
        suite = self.write("suite.json", support.suite([support.step("ok")], findings=findings))
        command = [*support.MPIRUN, "-n", "3", str(racks.AS_HOST), "odd-%d", "1", "-",
                   str(support.RACKPROOF), "run", "--suite", suite, "--out", "out"]
        env = support.environment(RACKPROOF_TEST=str(self.folder), FAKE_NVML_FILE=nvml,
                                  LD_LIBRARY_PATH=support.FAKE_NVML)
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=env)
        return done, self.report()

    def test_the_odd_host_is_named_and_the_run_rejected(self):
        done, report = self.run_rack()
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("odd-1: gpu.ecc is false on 2 devices, and true on 4 of 6", report["acceptance_reason"])
        self.assertNotIn("fail", {c["verdict"]["outcome"] for c in report["cells"]})
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)

    def test_a_suite_stops_before_anything_is_measured(self):
        done, report = self.run_rack(stop=[{"id": "config-mismatch", "fact": "gpu.ecc"}])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("stopped-by-finding: config-mismatch, odd-1: gpu.ecc is false", done.stderr)
        self.assertEqual({a["step"] for a in report["attempts"]} & {"ok"}, set())
        self.assertEqual({c["verdict"]["reason_id"] for c in report["cells"]}, {"stopped-by-finding"})


if __name__ == "__main__":
    support.main()
