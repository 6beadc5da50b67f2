"""Reports of real GPUs are read, and by the tables of today nothing in them fails."""
import json
import pathlib
import unittest

import support

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "reports" / "examples"


class Examples(support.Case):
    def judged(self, name):
        done = self.rackproof("judge", EXAMPLES / name, "--platform", "h100-sxm", "--force-platform", "--out", "judged.json")
        self.assertEqual(done.stderr, "")
        report = json.loads((self.folder / "judged.json").read_text())
        failed = [cell["id"] for cell in report["cells"] if cell["verdict"]["outcome"] not in ("pass", "verified", "waived")]
        self.assertEqual(failed, [])
        return done.returncode, report

    def test_each_is_sound_and_can_be_shown(self):
        names = sorted(file.name for file in EXAMPLES.glob("*.zst"))
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            # Judged anew: sentences of the day on which it was written are none of today's.
            self.judged(name)
            self.assertEqual(self.rackproof("check", "judged.json").returncode, 0, name)
            shown = self.rackproof("show", "--all", EXAMPLES / name)
            self.assertIn("suite", shown.stdout, name)
            self.assertIn(name, (EXAMPLES / "README.md").read_text())

    def test_a_sound_h100_passes_what_its_table_asks_for(self):
        code, report = self.judged("h100-acceptance.json.zst")
        self.assertEqual(code, 4)
        self.assertEqual(report["acceptance"], "incomplete")
        passed = [cell for cell in report["cells"] if cell["verdict"]["outcome"] == "pass"]
        self.assertGreaterEqual(len(passed), 31)
        self.assertIn("align.rate", [cell["metric"] for cell in passed])
        code, report = self.judged("h100-gate.json.zst")
        self.assertEqual((code, report["acceptance"]), (7, "verified"))


if __name__ == "__main__":
    unittest.main()
