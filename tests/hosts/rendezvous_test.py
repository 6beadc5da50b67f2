"""Hosts that do not belong together are refused before anything is measured, or are told apart."""
import subprocess
import unittest

import cases
from cases import step

STAGE = cases.support.STAGE
BOOT_ID = "/proc/sys/kernel/random/boot_id"


class Rendezvous(cases.Case):
    def check_refused(self, hosts, *words):
        code = self.run_on(hosts, [step("ok")])
        out, err = self.said()
        self.assertEqual(code, 2, err)
        for word in words:
            self.assertIn(word, err)
        self.assertFalse((self.folder / "out").exists(), "a refused run leaves nothing")
        self.check_quiet(hosts)
        return err

    def test_M8_another_version_on_one_host(self):
        hosts = self.hosts(2, script={"node2": f"mount --bind '{cases.OTHER_VERSION}' '{cases.support.RACKPROOF}'\n"})
        version = self.rackproof("--version").stdout.split()[1]
        self.check_refused(hosts, "rank 1 on node2 runs rackproof 99.0.0 (other)", f"rank 0 on node1 runs {version} ")

    def test_M8_another_table_on_one_host(self):
        table = cases.PLATFORMS / "h100-sxm.json"
        (self.folder / "edited.json").write_text(table.read_text() + "// lowered here\n")
        hosts = self.hosts(2, script={"node2": f"mount --bind '{self.folder}/edited.json' '{table}'\n"})
        self.check_refused(hosts, "rank 1 on node2 has other suites or platform tables installed than rank 0 on node1",
                           "platforms/h100-sxm.json")

    def test_M8_another_bench_on_one_host(self):
        program = STAGE / "libexec" / "rackproof" / "fake-host"
        hosts = self.hosts(2, script={"node2": f"mount --bind /bin/true '{program}'\n"})
        self.check_refused(hosts, "rank 1 on node2 has other benches installed than rank 0 on node1",
                           "programs/fake-host")

    def test_N8_two_machines_of_one_name(self):
        boot = "echo 11111111-2222-3333-4444-555555555555 > '{tmp}/boot'\nmount --bind '{tmp}/boot' " + BOOT_ID + "\n"
        hosts = self.hosts(3, uts={"node3": "node2"}, script={"node3": boot})
        self.check_refused(hosts, "rank 1 and rank 2 are on two machines that are both called node2")

    def test_N8_host_names_of_63_characters(self):
        self.check_names_of(63)

    def test_N8_host_names_of_64_characters(self):
        """As many as a kernel takes. The UCX of Debian 13 aborts any program there that is linked with it."""
        program = STAGE / "bin" / "rackproof-mpi"
        done = subprocess.run(["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$1" --version', "a" * 64, program],
                              capture_output=True, text=True, check=False)
        if "ucs_log_initialized" in done.stderr:
            self.skipTest("the UCX that MPI loads here aborts on such a host: " + done.stderr.split("\n", 1)[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_names_of(64)

    def check_names_of(self, length):
        # Not the first: mpirun 4.1.4 itself smashes its stack where it is started on such a host.
        names = {"node1": "node1", "node2": "a" * length, "node3": "a" * (length - 1) + "b"}
        hosts = self.hosts(3, uts=names)
        self.assertEqual(self.run_on(hosts, [step("ok")]), 4, self.said())
        report = self.report()
        self.assertEqual(sorted(node["host"] for node in report["nodes"]), sorted(names.values()))
        self.assertEqual(self.outcomes(report, "ok"), {name: "unjudged" for name in names.values()})

    @unittest.skipUnless(cases.support_hosts.FAKETIME.exists(), "libfaketime is not installed")
    def test_C3_clocks_of_two_hosts_apart(self):
        ahead = {"LD_PRELOAD": str(cases.support_hosts.FAKETIME), "FAKETIME": "+300s", "DONT_FAKE_MONOTONIC": "1",
                 "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        hosts = self.hosts(3, environment={"node2": ahead})
        self.assertEqual(self.run_on(hosts, [step("ok")]), 4, self.said())
        report = self.report()
        offsets = {node["host"]: node["facts"].get("clock.offset_seconds", {}).get("value")
                   for node in report["nodes"]}
        self.assertIsNone(offsets["node1"])
        self.assertAlmostEqual(offsets["node2"], 300, delta=2)
        self.assertAlmostEqual(offsets["node3"], 0, delta=2)
        apart = self.findings(report, "clocks-apart")
        self.assertEqual([finding["subject"] for finding in apart], ["node2"])
        self.assertIn("ahead of that of rank 0 on node1", apart[0]["text"])
        # Nothing but the time of day is another.
        self.assertEqual(set(self.outcomes(report, "ok").values()), {"unjudged"})
        for attempt in report["attempts"]:
            self.assertLess(attempt["seconds"], 60)

    def test_a_host_whose_disk_nobody_else_sees(self):
        """Its journal stays there; what rank 0 gathered makes the whole report."""
        own = f"mkdir -p '{self.folder}/out'\nmount -t tmpfs none '{self.folder}/out'\n"
        hosts = self.hosts(2, script={"node2": own})
        self.assertEqual(self.run_on(hosts, [step("ok"), cases.all_reduce(64)]), 4, self.said())
        report = self.report()
        self.assertEqual([path.name for path in sorted((self.folder / "out" / "journals").glob("*.jsonl"))],
                         ["0001-rank-00000.jsonl", "0001-rank-00001.gathered.jsonl"])
        self.assertEqual(self.outcomes(report, "ok"), {"node1": "unjudged", "node2": "unjudged"})
        self.assertEqual(set(self.outcomes(report, "collectives").values()), {"verified"})
        self.assertEqual({rank["state"] for rank in report["ranks"]}, {"finished"})
        self.assertIn("0001-rank-00001.jsonl", hosts["node2"].do("ls", self.folder / "out" / "journals"))
        before = (self.folder / "out" / "report.json").read_bytes()
        self.rackproof("assemble", "out")
        self.assertEqual((self.folder / "out" / "report.json").read_bytes(), before)
        self.check_quiet(hosts)


if __name__ == "__main__":
    cases.support.main()
