"""A played rack that was rejected for one GPU is accepted after a repair, by measuring little again; and never where there
is a doubt."""
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import racks
import support

KEYGEN = pathlib.Path("/usr/bin/ssh-keygen")
GPU = "GPU-hgx-02-5"
SLOW = {"program": "gemm-cuda", "device": GPU, "parameters": {"dtype": "fp64"}, "factor": 0.3}
REPAIR = ["--reason", "GPU reseated", "--ticket", "4711"]


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.SCRIPTED_BENCH.exists(), "the scripted bench is not built")
@unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
class Retest(support.Case):
    @classmethod
    def setUpClass(cls):
        """The run that was rejected is the same for all: it is played once."""
        cls.before = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.before, ignore_errors=True)
        done = cls.rack_in(cls.before).run()
        if done.returncode != 3:
            raise AssertionError(f"exit code {done.returncode}: " + done.stderr[-2000:] + done.stdout[-3000:])

    @staticmethod
    def rack_in(folder):
        return racks.Rack("hgx-h200-noisy", folder, factors=[SLOW], noise=0.01)

    def setUp(self):
        super().setUp()
        self.rack = self.rack_in(self.folder)
        shutil.copytree(self.before / "out", self.folder / "out")

    def change(self, edit):
        played = json.loads(self.rack.file.read_text())
        edit(played)
        self.rack.file.write_text(json.dumps(played))

    def repair(self):
        self.change(lambda played: played["bench"].update(factors=[]))

    def retest(self, *arguments, out="again", of="out"):
        done = self.rack.launch("retest", of, *REPAIR, "--out", out, *arguments)
        self.told = done.stderr[-3000:] + done.stdout[-4000:]
        return done

    def report_in(self, folder):
        return self.report(folder)

    def check_accepted(self):
        self.repair()
        done = self.retest("--repaired", "hgx-02/5")
        self.assertEqual(done.returncode, 0, self.told)
        self.assertIn("hgx-02/" + GPU + " repaired, ticket 4711", " ".join(done.stdout.split()), self.told)
        before, after = self.report_in("out"), self.report_in("again")
        # Groups have the repaired GPU in them, and are measured as a whole.
        alone = [one for one in before["attempts"] if not one.get("members")]
        own = [one for one in after["attempts"] if one.get("resumed", 0) > 0 and not one.get("members")]
        self.assertGreater(len(own), 0)
        self.assertLessEqual(4 * len(own), len(alone), self.told)
        self.assertEqual(after["amends"]["run"], before["run"]["id"])
        self.assertEqual(len(after["cells"]), len(before["cells"]))
        dated = {cell.get("evidence_utc", "") for cell in after["cells"]}
        self.assertEqual(dated, {"", before["run"]["began_utc"]})
        for cell in after["cells"]:
            if cell["subject"].get("device") == GPU:
                self.assertNotIn("evidence_utc", cell)
        verified = self.rackproof("verify", "again", "--unsigned", "--exit-code")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("by its digest", verified.stdout)
        checked = self.rackproof("check", "again/report.json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def check_chain(self):
        """The second retest amends the first, which was compressed since; of a missing or changed link verify says so."""
        again = self.folder / "again"
        if not (again / "report.json.zst").exists():
            subprocess.run(["zstd", "-q", "--rm", again / "report.json"], check=True)
        done = self.retest("--repaired", "hgx-01", of="again", out="third")
        self.assertEqual(done.returncode, 0, self.told)
        kept = [path.name.partition(".")[2] for path in (self.folder / "third" / "amends").iterdir()]
        self.assertIn("json.zst", kept)
        verified = self.rackproof("verify", "third", "--unsigned")
        self.assertEqual(verified.stdout.count("by its digest"), 2, verified.stdout)
        shutil.move(self.folder / "third" / "amends", self.folder / "kept")
        missing = self.rackproof("verify", "third", "--unsigned")
        self.assertEqual(missing.returncode, 0, missing.stdout)
        self.assertIn("is not at hand", missing.stdout)
        named = self.rackproof("verify", "third", "--unsigned", "--amends", "again")
        self.assertEqual(named.stdout.count("by its digest"), 2, named.stdout)
        other = self.rackproof("verify", "third", "--unsigned", "--amends", "out/report.json")
        self.assertEqual(other.returncode, 6, other.stdout)

    def test_a_repaired_gpu_makes_one_accepted_rack(self):
        self.check_accepted()
        self.check_chain()

    def check_signed(self, folders):
        """Each report of the chain has a signature of its own, and that of the last one covers what it amends."""
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "vendor"], check=True)
        public = " ".join((self.folder / "vendor.pub").read_text().split()[:2])
        (self.folder / "signers").write_text(
            f'vendor@example.com namespaces="rackproof-report,rackproof-statement" {public}\n')
        for folder in folders:
            done = self.rackproof("sign", folder, "--key", "vendor", "--role", "vendor", "--signer", "vendor@example.com")
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.rackproof("verify", folder, "--signers", "signers")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("vendor@example.com", done.stdout)
        self.assertIn("by its digest", done.stdout)
        amended = next((self.folder / folders[-1] / "amends").iterdir())
        amended.write_bytes(amended.read_bytes()[:-1])
        done = self.rackproof("verify", folders[-1], "--signers", "signers")
        self.assertEqual(done.returncode, 6, done.stdout)

    def test_an_interrupted_retest_goes_on_and_is_signed(self):
        self.repair()
        command = self.rack.command("retest", "out", *REPAIR, "--repaired", "hgx-02/5", "--out", "again")
        journals = self.folder / "again" / "journals"
        with subprocess.Popen(command, cwd=self.folder, env=self.rack.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            self.addCleanup(process.kill)
            self.wait_for(lambda: process.poll() is not None or sum(
                path.read_text().count('"j":"end"') for path in journals.glob("0002-*.jsonl")) > 5, what="some results")
            process.send_signal(signal.SIGTERM)
            told = process.communicate(timeout=120)[0]
        self.assertNotEqual(process.returncode, 0, told[-3000:])
        # Where the launcher killed rank 0 before it was done, its warden leaves the report, and lets go of the folder.
        self.wait_for(lambda: any((self.folder / "again" / name).exists() for name in ("report.json", "report.json.zst")),
                      seconds=120, what="the report")
        cut = self.report_in("again")
        self.assertNotEqual(cut["acceptance"], "accepted", told[-3000:])
        done = self.rack.launch("run", "--resume", "again")
        ends = time.monotonic() + 60
        while done.returncode == 2 and time.monotonic() < ends:
            time.sleep(1)
            done = self.rack.launch("run", "--resume", "again")
        self.assertEqual(done.returncode, 0, done.stderr[-2000:] + done.stdout[-4000:])
        after = self.report_in("again")
        self.assertEqual(after["amends"]["run"], self.report_in("out")["run"]["id"])
        self.assertEqual(after["run"]["segments"], cut["run"]["segments"] + 1)
        verified = self.rackproof("verify", "again", "--unsigned", "--exit-code")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        if KEYGEN.exists():
            self.check_signed(["out", "again"])

    def test_a_fault_that_is_still_there_rejects_again(self):
        done = self.retest("--repaired", "hgx-02/5")
        self.assertEqual(done.returncode, 3, self.told)
        # So it does where another part was repaired: what failed is measured again.
        done = self.retest("--repaired", "hgx-01/0", out="other")
        self.assertEqual(done.returncode, 3, self.told)

    def test_what_is_not_as_it_was_is_refused(self):
        self.repair()
        report = next((self.folder / "out").glob("report.json*"))
        whole = support.report_text(self.folder / "out")
        report.write_text(whole.replace('"acceptance": "rejected"', '"acceptance": "accepted"', 1))
        done = self.retest("--repaired", "hgx-02/5")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("not what its journals give", done.stderr)
        report.write_text(whole)
        journal = self.folder / "out" / "journals" / "0001-rank-00000.jsonl"
        bytes_then = journal.read_bytes()
        journal.write_bytes(bytes_then.replace(b"gemm.rate", b"gemm.rote", 1))
        done = self.retest("--repaired", "hgx-02/5")
        self.assertEqual(done.returncode, 2, self.told)
        journal.write_bytes(bytes_then)
        done = self.retest("--repaired", "hgx-09")
        self.assertEqual(done.returncode, 2, self.told)
        # Another host has another driver, and a GPU of it another firmware.
        odd = {**self.rack.scenario["hosts"][0], "match": "hgx-01", "driver": "999.1",
               "devices": {"3": {"vbios": "other"}}}
        self.change(lambda played: played["hosts"].insert(0, odd))
        done = self.retest("--repaired", "hgx-02/5")
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn("hgx-01: gpu.driver_version was", done.stderr)
        self.assertIn("hgx-01/GPU-hgx-01-3: gpu.vbios was not there, is other", done.stderr)
        self.assertFalse((self.folder / "again").exists(), "a retest that was refused left its folder")
        # Too old is what is older than --valid: all is measured again.
        self.change(lambda played: played["hosts"].pop(0))
        done = self.retest("--repaired", "hgx-02/5", "--valid", "1 ms")
        self.assertEqual(done.returncode, 0, self.told)
        self.assertFalse(any("evidence_utc" in cell for cell in self.report_in("again")["cells"]))


if __name__ == "__main__":
    support.main()
