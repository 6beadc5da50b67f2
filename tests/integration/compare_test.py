"""rackproof compare on reports of many devices."""
import json
import subprocess

import support


class Compare(support.Case):
    def setUp(self):
        super().setUp()
        made = subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "24"],
                              stdout=subprocess.PIPE, check=True).stdout
        (self.folder / "raw.json").write_bytes(made)
        self.rackproof("judge", "raw.json", "--out", "before.json")
        report = json.loads((self.folder / "before.json").read_text())
        for cell in report["cells"]:
            if cell["metric"] == "gemm.rate" and "observed" in cell["verdict"]:
                cell["verdict"]["observed"] *= 0.95
        for node in report["nodes"]:
            node["facts"]["kernel.release"] = {"value": "9.9", "source": "a test"}
        report["run"]["labels"]["cooling"] = "off"
        self.write("after.json", report)

    def test_a_report_equals_itself(self):
        done = self.rackproof("compare", "before.json", "before.json", "--fail-on", "worse")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("B against A: 0 worse, 0 better, 0 inconclusive, 60 equivalent within 2 %",
                      done.stdout)
        self.assertIn("+0 % [+0 %, +0 %]", done.stdout)

    def test_what_got_worse_is_told_with_what_goes_with_it(self):
        done = self.rackproof("compare", "before.json", "after.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("B against A: 10 worse, 0 better, 0 inconclusive, 50 equivalent", done.stdout)
        self.assertRegex(done.stdout, r"worse +gemm\.rate [^\n]*\n +-5 % \[-5 %, -5 %\], .*24 pairs")
        self.assertRegex(done.stdout, r"100 %  label\.cooling: A \(not known\) \(24\); B off \(24\)")
        self.assertIn("cannot tell them apart", done.stdout)
        self.assertEqual(
            self.rackproof("compare", "before.json", "after.json", "--fail-on", "worse").returncode, 3)
        back = self.rackproof("compare", "after.json", "before.json", "--fail-on", "worse")
        self.assertEqual(back.returncode, 0)
        self.assertIn("0 worse, 10 better", back.stdout)

    def test_a_gate_does_not_pass_what_has_no_number_any_more(self):
        report = json.loads((self.folder / "before.json").read_text())
        del report["cells"][7]["verdict"]["observed"]
        self.write("lost.json", report)
        done = self.rackproof("compare", "before.json", "lost.json", "--fail-on", "worse")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("1 of A without a number in B", done.stdout)
        self.assertEqual(self.rackproof("compare", "before.json", "lost.json").returncode, 0)

    def test_the_page_tells_the_same_and_runs_nothing(self):
        report = json.loads((self.folder / "after.json").read_text())
        report["run"]["id"] = "</title><script>alert(1)</script>"
        for cell in report["cells"]:
            cell["step"] += "<b>"
        for step in report["steps"]:
            step["id"] += "<b>"
        self.write("hostile.json", report)
        for after in ("after.json", "hostile.json"):
            done = self.rackproof("compare", "before.json", after, "--page", "cmp.html")
            page = (self.folder / "cmp.html").read_text()
            self.assertIn("default-src 'none'; style-src 'unsafe-inline'\">", page)
            self.assertNotIn("<script", page)
            self.assertNotIn("<b>", page)
        self.assertIn("nothing can be compared", done.stdout)
        self.rackproof("compare", "before.json", "after.json", "--page", "cmp.html")
        page = (self.folder / "cmp.html").read_text()
        self.assertIn("<h1>10 worse, 0 better, 0 inconclusive</h1>", page)
        self.assertEqual(page.count("<svg"), page.count("</svg>"))
        self.assertEqual(page.count("<svg"), 60)

    def test_groups_and_json(self):
        done = self.rackproof("compare", "--a", "before.json", "before.json", "--b", "after.json",
                              "--json", "--margin", "10")
        result = json.loads(done.stdout)
        self.assertEqual(result["schema"], "rackproof/compare/1")
        self.assertEqual([len(result["a"]), len(result["b"])], [2, 1])
        self.assertEqual({line["answer"] for line in result["lines"]}, {"equivalent"})
        self.assertAlmostEqual(min(line["shift"] for line in result["lines"]), -0.05, 6)
        self.assertEqual(result["associations"], [])

    def test_what_cannot_be_compared_is_said(self):
        report = json.loads((self.folder / "before.json").read_text())
        report["cells"] = []
        self.write("empty.json", report)
        done = self.rackproof("compare", "before.json", "empty.json")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("nothing can be compared", done.stdout)
        self.assertIn("only in A: 60 quantities", done.stdout)
        for arguments, what in [(["before.json"], "two reports"),
                                (["--a", "before.json"], "both sides"),
                                (["before.json", "nowhere.json"], "nowhere.json"),
                                (["before.json", "after.json", "--margin", "0"], "--margin")]:
            done = self.rackproof("compare", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    support.main()
