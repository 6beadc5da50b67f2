"""rackproof trend over the reports of many nights."""
import json
import random
import subprocess

import support


class Trend(support.Case):
    def setUp(self):
        super().setUp()
        made = subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "8"],
                              stdout=subprocess.PIPE, check=True).stdout
        (self.folder / "raw.json").write_bytes(made)
        self.rackproof("judge", "raw.json", "--out", "first.json")
        report = json.loads((self.folder / "first.json").read_text())
        report["cells"] = [cell for cell in report["cells"] if cell["step"] in ("gemm", "stream")]
        noise = random.Random(5)
        for night in range(30):
            report["run"]["id"] = f"night{night:02}"
            report["run"]["began_utc"] = f"2026-03-{night + 1:02}T02:00:00.000Z"
            report["run"]["labels"]["firmware"] = "1" if night < 17 else "2"
            for cell in report["cells"]:
                value = 1e12 * (1 + noise.gauss(0, 0.003))
                if night >= 17 and cell["metric"] == "gemm.rate":
                    value *= 0.95
                cell["verdict"]["observed"] = value
            self.write(f"nights/{night:02}/report.json", report)

    def write(self, name, value):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        return str(path)

    def test_the_night_and_what_changed_there_are_named(self):
        done = self.rackproof("trend", "nights", "--fail-on", "regression")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stdout, r"^10 changes in 180 series over 30 runs")
        self.assertIn("WORSE (10)", done.stdout)
        self.assertNotIn("BETTER", done.stdout)
        self.assertIn("between night16, 2026-03-17T02:00:00.000Z and night17, 2026-03-18T02:00:00.000Z",
                      done.stdout)
        self.assertIn("changed there: label.firmware: 1 -> 2", done.stdout)
        result = json.loads(self.rackproof("trend", "nights", "--json").stdout)
        self.assertEqual({change["metric"] for change in result["changes"]}, {"gemm.rate"})
        self.assertEqual({change["subjects_with_it"] for change in result["changes"]}, {8})
        for change in result["changes"]:
            self.assertAlmostEqual(change["shift"], -0.05, delta=0.005)

    def test_what_is_no_report_is_said(self):
        (self.folder / "nights" / "05" / "report.json").write_text("{")
        done = self.rackproof("trend", "nights")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("05/report.json", done.stderr)
        done = self.rackproof("trend", "nights", "nights/07/report.json", "--skip-unfit")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("over 29 runs", done.stdout)
        self.assertIn("left out: nights/07/report.json: is run night07 again", done.stdout)
        self.assertIn("05/report.json", done.stdout)
        (self.folder / "empty").mkdir()
        for path in ("empty", "nowhere"):
            done = self.rackproof("trend", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(path, done.stderr)

    def test_few_nights_are_no_trend(self):
        done = self.rackproof("trend", *[f"nights/{night:02}" for night in range(6)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 changes in 0 series over 6 runs", done.stdout)
        self.assertIn("180 series are too short", done.stdout)
        done = self.rackproof("trend", "nights/00", "nights/01", "--fail-on", "regression")
        self.assertEqual(done.returncode, 4, done.stdout)


if __name__ == "__main__":
    support.main()
