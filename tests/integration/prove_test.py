"""rackproof prove, alone and over four ranks: what can be planted is caught, and the next report says so."""
import json
import unittest

import support
from support import step


class Prove(support.Case):
    def prove(self, ranks=0):
        done = self.rackproof("prove", "--out", "proof", ranks=ranks, timeout=240,
                              XDG_STATE_HOME=str(self.folder / "state"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        proof = json.loads((self.folder / "proof" / "proof.json").read_text())
        kept = (self.folder / "state" / "rackproof" / "proof.json").read_text()
        self.assertEqual(json.loads(kept), proof)
        self.assertEqual(proof["missed"], 0, done.stdout)
        return proof, {entry["name"]: entry for entry in proof["entries"]}

    def states(self, entries, state):
        return {name for name, entry in entries.items() if entry["state"] == state}

    def test_alone(self):
        proof, entries = self.prove()
        self.assertEqual(proof["ranks"], 1)
        self.assertLessEqual({"control", "crashed bench", "hung bench", "stale record", "no work",
                              "hidden wrong answer", "wrong answer elsewhere", "too good to be true",
                              "number not of its samples", "samples never sent", "endless samples", "scattered samples",
                              "slow small message", "flipped bit in align-host", "wrong score in align-host",
                              "lost tile in align-host", "early stop in align-host", "wrong letter in align-host",
                              "tampered journal"},
                             self.states(entries, "caught"))
        self.assertLessEqual({"slow rank", "two groups", "lost rank", "another build on one rank",
                              "another table on one rank"}, self.states(entries, "not-proven"))
        path = self.write("suite.json", support.suite([step("ok")]))
        known = str(self.folder / "state")
        run = self.rackproof("run", "--suite", path, "--out", "out", XDG_STATE_HOME=known)
        self.assertEqual(self.report()["tool"]["proof"]["utc"], proof["utc"])
        self.assertIn("fault detection self-tested " + proof["utc"] + " by this build", run.stdout)
        self.rackproof("run", "--suite", path, "--out", "second", XDG_STATE_HOME="/nowhere")
        self.assertNotIn("proof", self.report("second")["tool"])

    @unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
    def test_four_ranks(self):
        proof, entries = self.prove(ranks=4)
        self.assertEqual(proof["ranks"], 4)
        self.assertLessEqual({"control", "slow rank", "two groups", "lost rank", "another build on one rank",
                              "another table on one rank", "flipped bit in collectives-mpi", "flipped bit in pairs-mpi",
                              "tampered journal"}, self.states(entries, "caught"))
        self.assertIn("#3", entries["slow rank"]["seen"])
        self.assertIn("#3", entries["lost rank"]["seen"])

    def test_directory_of_another_run(self):
        (self.folder / "proof" / "journals").mkdir(parents=True)
        (self.folder / "proof" / "journals" / "0001-rank-00000.jsonl").write_text("\n")
        done = self.rackproof("prove", "--out", "proof")
        self.assertEqual(done.returncode, 2)
        self.assertIn("already holds a run", done.stderr)


if __name__ == "__main__":
    support.main()
