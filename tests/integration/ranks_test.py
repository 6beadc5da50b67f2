"""Several ranks on this host: one report, node cells once, world cells once; a rank that is killed or
stopped is named and nothing that was measured is lost."""
import os
import pathlib
import signal
import time
import unittest

import support
from support import step

WORLD = {
    "id": "world", "title": "world", "bench": "collectives", "backend": "mpi",
    "arguments": ["--ops", "all_reduce", "--begin", "8", "--end", "64", "--factor", "8",
                  "--dtypes", "float", "--redops", "sum", "--min-seconds", "0.01"],
    "placement": "world", "deadline": "60 s", "grace": "1 s",
    "expect": [{"metric": "all_reduce.busbw",
                "parameters": {"bytes": [8, 64], "dtype": "float", "redop": "sum",
                               "ranks": "$ranks"}}],
}


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
class Ranks(support.Case):
    def check_whole(self, ranks):
        done = self.run_suite([step("ok"), WORLD], ranks=ranks)
        report = self.report()
        self.assertEqual(report["run"]["ranks"], ranks, done.stderr)
        self.assertEqual(len(report["ranks"]), ranks)
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})
        self.assertEqual([c["step"] for c in report["cells"]], ["ok", "world", "world"])
        for cell in report["cells"]:
            self.assertIn(cell["verdict"]["outcome"], ("verified", "unjudged"),
                          cell["verdict"]["reason"])
        self.assertEqual(done.stdout.count("report: "), 1, "rank 0 alone speaks")
        self.assertNotIn("\033", done.stderr)
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)
        path = self.folder / "out" / "report.json"
        before = path.read_bytes()
        self.rackproof("assemble", "out")
        self.assertEqual(path.read_bytes(), before)

    def test_two(self):
        self.check_whole(2)

    def test_four(self):
        self.check_whole(4)

    def test_configuration_error_under_a_launcher(self):
        path = self.write("bad.json", '{"schema": "rackproof/suite/1"}')
        done = self.rackproof("run", "--suite", path, ranks=2)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("bad.json"), 1, done.stderr)

    def test_killed_rank(self):
        steps = [step("ok"), step("hang", deadline="60 s")]
        process = self.start_suite(steps, ranks=4)
        pids = self.wait_for(lambda: len(self.journal_ranks()) == 4 and self.journal_ranks(),
                             what="the journals")
        self.wait_for(lambda: self.has_begun(self.journal(0), "hang"),
                      what="the hanging step")
        time.sleep(0.3)
        os.kill(pids[2], signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertEqual(self.benches(2.0), [], "a bench outlived its rank")
        done = self.rackproof("assemble", "out")
        self.assertEqual(done.returncode, 4, done.stdout)
        report = self.report()
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        self.assertEqual(self.verdict(report, "hang")["outcome"], "untested")
        lost = [f for f in report["findings"] if f["id"] == "rank-lost"]
        self.assertTrue(lost)
        self.assertIn("rank 2", lost[0]["subject"])
        self.assertEqual({r["rank"]: r["state"] for r in report["ranks"]}[2], "lost")

    def test_stopped_rank_in_a_collective(self):
        # Without --max-iterations it is through in 20 ms on an idle machine, before it can be stopped.
        # Its warden looks at nine tenths of the deadline: on a busy machine the collective takes seconds to come to a size.
        world = dict(WORLD, deadline="16 s",
                     arguments=WORLD["arguments"][:-1] + ["60", "--max-iterations", "10000000"])
        process = self.start_suite([step("ok"), world], ranks=2)
        pids = self.wait_for(lambda: len(self.journal_ranks()) == 2 and self.journal_ranks(),
                             what="the journals")
        # It says where it is twice a second: the second time it is in the middle of the first size.
        self.wait_for(lambda: self.journal(1).count("all_reduce 8 B") > 1, what="the collective")
        os.kill(pids[1], signal.SIGSTOP)
        process.communicate(timeout=60)
        self.wait_for(lambda: self.report(), what="the report")
        time.sleep(3)
        self.rackproof("assemble", "out")
        report = self.report()
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertEqual(self.verdict(report, "ok")["outcome"], "unjudged")
        states = {a["rank"]: a["ending"].get("state", "") for a in report["attempts"]
                  if a["step"] == "world"}
        self.assertIn("stopped", states[1])
        hung = [finding for finding in report["findings"] if finding["id"] == "group-failed"]
        self.assertEqual(len(hung), 1, report["findings"])
        evidence = hung[0]["evidence"]
        self.assertEqual((evidence["behind_member"], evidence["rank"], evidence["waiting"]), (1, 1, 1), hung)
        self.assertGreaterEqual(evidence["still_seconds"], 2)
        self.assertRegex(report["acceptance_reason"],
                         r"step world, .*: not done at its deadline; member 1 of 2 \(rank 1 on .*\) was stopped by a signal")
        self.assertRegex(hung[0]["text"], rf"iteration {evidence['iteration']} of all_reduce {evidence['bytes']} B float sum")
        self.assertEqual(self.rackproof("check", "out/report.json").returncode, 0)

    def journal(self, rank):
        path = self.folder / "out" / "journals" / f"0001-rank-{rank:05}.jsonl"
        return path.read_text() if path.exists() else ""

    def benches(self, seconds):
        until = time.monotonic() + seconds
        while True:
            found = []
            for entry in pathlib.Path("/proc").iterdir():
                try:
                    if entry.name.isdigit() and b"fake-host" in (entry / "cmdline").read_bytes():
                        if str(self.folder).encode() in (entry / "environ").read_bytes():
                            found.append(entry.name)
                except OSError:
                    continue
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.05)


if __name__ == "__main__":
    support.main()
