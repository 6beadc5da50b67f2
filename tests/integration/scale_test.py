"""Many ranks on few cores: the control plane holds, every rank is accounted for."""
import os
import unittest

import support
from support import step

RANKS = [int(n) for n in os.environ.get("RACKPROOF_SCALE", "64").split(",")]


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
class Scale(support.Case):
    def test_ranks(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                done = self.run_suite([step("ok"), step("segv"), step("slow")], ranks=ranks,
                                      out=f"out{ranks}", timeout=400)
                self.assertEqual(done.returncode, 4, done.stderr[-2000:])
                report = self.report(f"out{ranks}")
                self.assertEqual(len(report["ranks"]), ranks)
                self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})
                self.assertTrue(report["run"]["completed"])
                self.assertEqual([c["verdict"]["reason_id"] for c in report["cells"]],
                                 ["no-baseline", "signalled", "no-baseline"])


if __name__ == "__main__":
    support.main()
