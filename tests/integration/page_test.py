"""The page of a report in a browser: what people do with it, what it may not do, and who can read it."""
import json
import re
import shutil
import unittest

import browse
import racks
import support

SAMPLE = browse.SOURCE / "tests" / "golden" / "report" / "sample.report.json"
RACK = "gb200-nvl72-bad-link"
HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(1)>\u202e\\u003c${x}`\ufffe"


@unittest.skipUnless(browse.HAS_NODE, "no node or no npm packages: scripts/setup gets them")
class Page(support.Case):
    def use(self, report, word):
        page = self.folder / "page.html"
        done = self.rackproof("render", "--format", "html", "-o", page, report)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        seen = browse.use("use.mjs", page, word)
        self.assertEqual(seen["problems"], [])
        self.assertEqual(seen["requests"], [])
        self.assertEqual(seen["axe"], [])
        self.assertFalse(seen["foreign_ran"])
        self.assertLessEqual(max(seen["overflow"].values()), 0, "wider than the window")
        self.assertLessEqual(seen["elements"], 3000)
        self.assertGreater(seen["paper_bytes"], 10000)
        self.assertEqual(seen["still"]["problems"], [])
        self.assertTrue(seen["map"])
        for title, told in seen["map"]:
            self.assertIn(title.split(" cells ")[-1], told)
        self.assertEqual(seen["table"]["outcomes"], ["pass"])
        self.assertTrue(seen["table"]["none"].startswith("0 of "))
        self.assertIn("subject", seen["table"]["sorted"])
        self.assertNotEqual(seen["table"]["up"], seen["table"]["down"])
        for name in seen["table"]["names"]:
            self.assertIn(word, name)
        return seen

    @unittest.skipUnless(browse.CHROMIUM, "chromium is not installed")
    @unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
    @unittest.skipUnless(racks.namespaces_work(), "this kernel gives no namespaces for hosts of their own")
    def test_the_bad_link_of_a_rack_is_a_click_away(self):
        played = racks.kept(RACK)
        if played:
            shutil.copytree(played, self.folder / "out")
        else:
            racks.Rack(RACK, self.folder).run()
        report = self.report()
        failed = [cell for cell in report["cells"] if cell["verdict"]["outcome"] == "fail"]
        seen = self.use("out/report.json", "nvl-07")
        self.assertEqual(seen["still"]["heading"], "✗ Rejected")
        cell = seen["cell"]
        self.assertLessEqual(cell["clicks"], 2)
        self.assertEqual(cell["name"], "nvl-07 GPU 1 - nvl-07 GPU 2")
        link = "nvl-07/GPU-nvl-07-1 - nvl-07/GPU-nvl-07-2"
        # The page's script words numbers as the rest of the report does.
        told = "\n".join(cell["told"].split())
        shown = next(one for one in failed if self.is_of(one, link, told.split("\n")))
        for words in ("✗ fail", shown["verdict"]["reason_id"], *self.numbers_of(shown)):
            self.assertIn("\n".join(words.split()), told)
        # From there to all of that link, and of no other but the way back.
        self.assertEqual({frozenset(name.split(" - ")) for name in cell["subjects"]},
                         {frozenset(link.split(" - "))})
        self.assertEqual(seen["table"]["all"].split(", page")[0],
                         f"{len(report['cells']):,} of {len(report['cells']):,} cells")
        self.assertEqual(seen["table"]["passed"].split(" of ")[0], f"{report['counts']['pass']:,}")
        # What its node did around that time, for as long as the recording is what the report says.
        self.assertIn("load.1", " ".join(cell["recorded"]["sentences"]))
        self.assertGreater(max(cell["recorded"]["colours"]), 10)
        for recording in self.folder.glob("out/journals/*.recording"):
            changed = bytearray(recording.read_bytes())
            changed[-1] ^= 1
            recording.write_bytes(changed)
        page = self.rackproof("render", "--format", "html", "out").stdout
        self.assertIn('"curves":[]', page)
        # Pairs, spread and sizes: each is drawn, and says what is in it.
        self.assertEqual(len(seen["sentences"]), 3)
        self.assertIn("2 of 216 links failed", seen["sentences"][0])
        self.assertGreater(max(seen["colours"]), 50)

    def is_of(self, cell, name, words):
        subject = cell["subject"]
        ends = f"{subject['host']}/{subject['device']} - {subject['peer_host']}/{subject['peer_device']}"
        parameters = [f"{key}={value}" for key, value in cell["parameters"].items()]
        return ends == name and {cell["metric"], *parameters} <= {word.rstrip(",") for word in words}

    def numbers_of(self, cell):
        verdict = cell["verdict"]
        numbers = [[verdict[name], "B/s"] for name in ("observed", "limit_low") if name in verdict]
        return browse.use("quantities.mjs", input=json.dumps(numbers))

    @unittest.skipUnless(browse.CHROMIUM, "chromium is not installed")
    def test_what_a_report_holds_stays_text(self):
        report = json.loads(SAMPLE.read_text())
        report["run"]["labels"][HOSTILE] = HOSTILE
        for cell in report["cells"]:
            cell["verdict"]["reason"] = cell["verdict"].get("reason", "") + HOSTILE
            cell["parameters"][HOSTILE] = HOSTILE
            cell["step"] += HOSTILE
        for step in report["steps"]:
            step["id"] += HOSTILE
        self.write("hostile.json", report)
        seen = self.use("hostile.json", "node")
        self.assertIn("<script>alert(1)</script>", " ".join(seen["sentences"] + [seen["cell"]["told"]]))

    def test_numbers_are_worded_as_in_the_rest_of_the_report(self):
        """Of what quantity_test.cpp asks of the C++ side, read out of it."""
        text = (browse.SOURCE / "tests" / "unit" / "model" / "quantity_test.cpp").read_text()
        asked = re.findall(r'quantity\(([-+.e\d]+), ("[^"]*")\) == ("[^"]*")', text)
        pairs = [[float(value), json.loads(unit)] for value, unit, _ in asked]
        wanted = [json.loads(answer) for _, _, answer in asked]
        self.assertGreater(len(pairs), 30)
        self.assertEqual(browse.use("quantities.mjs", input=json.dumps(pairs)), wanted)


if __name__ == "__main__":
    support.main()
