"""rackproof render: each form is read by a program that people read such files with."""
import csv
import datetime
import io
import json
import pathlib
import re
import shutil
import subprocess
import unittest

import support

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = SOURCE / "tests" / "golden" / "report" / "sample.report.json"
SCHEMA = SOURCE / "tests" / "data" / "render" / "junit.xsd"
PROMTOOL = SOURCE / "build" / "tools" / "debian" / "usr" / "bin" / "promtool"
# Debian's own has the modules of its packages; another one that comes first in PATH may not.
PYTHON = "/usr/bin/python3"
HOSTILE = "<b>\"';|`*[x](y)@all\n=1+1\r\t\u202e\ufffe\\,#5 {}&amp;"


def has_module(name):
    return subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode == 0


class Render(support.Case):
    def setUp(self):
        super().setUp()
        report = json.loads(SAMPLE.read_text())
        report["run"]["labels"][HOSTILE] = HOSTILE
        report["run"]["labels"]["rack"] += HOSTILE
        report["suite"]["id"] += HOSTILE
        report["acceptance_reason"] += HOSTILE
        facts = {name: {"source": "NVML", "value": HOSTILE} for name in ("gpu.name", "gpu.serial", "gpu.pci_address")}
        report["nodes"][0]["devices"].append({"uuid": HOSTILE, "index": 0, "facts": facts})
        for cell in report["cells"]:
            if cell["verdict"]["outcome"] != "pass":
                cell["verdict"]["reason"] += HOSTILE
                cell["parameters"][HOSTILE] = HOSTILE
        self.write("hostile.json", report)
        with open(self.folder / "measured.json", "wb") as stream:
            subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "40"],
                           stdout=stream, check=True)
        self.assertEqual(self.rackproof("judge", "measured.json", "-o", "many.json").returncode, 3)

    def reports(self):
        return [SAMPLE, self.folder / "hostile.json", self.folder / "many.json"]

    def rendered(self, form, report, *options):
        done = self.rackproof("render", "--format", form, report, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def read_by(self, text, *command):
        done = subprocess.run([str(part) for part in command], input=text, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    @unittest.skipUnless(shutil.which("xmllint"), "xmllint is not installed")
    def test_junit_fits_the_schema_of_its_readers(self):
        for report in self.reports():
            text = self.rendered("junit", report)
            self.read_by(text, "xmllint", "--noout", "--schema", SCHEMA, "-")
        broken = text.replace('time="', 'time="1e', 1)
        refused = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, "-"], input=broken,
                                 text=True, capture_output=True, check=False)
        self.assertNotEqual(refused.returncode, 0)

    @unittest.skipUnless(has_module("junitparser"), "python3-junitparser is not installed")
    def test_junit_is_counted_as_it_says(self):
        program = ("import junitparser, sys; x = junitparser.JUnitXml.fromstring(sys.stdin.read());"
                   "c = [c for s in x for c in s]; k = lambda t: sum(isinstance(r, t) for o in c for r in o.result);"
                   "print(x.tests, x.failures, x.errors, len(c), k(junitparser.Failure), k(junitparser.Error))")
        for report in self.reports():
            said = self.read_by(self.rendered("junit", report), PYTHON, "-c", program).split()
            self.assertEqual(said[:3], said[3:])

    @unittest.skipUnless(PROMTOOL.exists(), "promtool is not here: scripts/setup gets it")
    def test_promtool_finds_nothing_to_say(self):
        for report in self.reports():
            for details in ("all", "aggregate"):
                text = self.rendered("openmetrics", report, "--details", details)
                self.assertEqual(self.read_by(text, PROMTOOL, "check", "metrics"), "")

    @unittest.skipUnless(has_module("prometheus_client"), "python3-prometheus-client is not installed")
    def test_the_strict_reader_of_openmetrics_takes_it(self):
        program = ("import sys; from prometheus_client.openmetrics.parser import "
                   "text_string_to_metric_families as read;"
                   "print(sum(len(f.samples) for f in read(sys.stdin.read())))")
        for report in self.reports():
            for details in ("all", "aggregate"):
                text = self.rendered("openmetrics", report, "--details", details)
                samples = int(self.read_by(text, PYTHON, "-c", program))
                self.assertEqual(samples, sum(not line.startswith("#") for line in text.splitlines()))

    def test_alerts_are_as_the_interface_takes_them(self):
        """What api/v2/openapi.yaml of Alertmanager demands of a postableAlert, and types.Alert.Validate() after it."""
        for report in self.reports():
            alerts = json.loads(self.rendered("alertmanager", report))
            given = json.loads(pathlib.Path(report).read_text())
            self.assertEqual(alerts[0]["labels"]["acceptance"], given["acceptance"])
            bad = [cell for cell in given["cells"] if cell["required"] and cell["verdict"]["outcome"] == "fail"]
            grave = [one for one in given["findings"] if one["severity"] in ("error", "isolate")]
            self.assertEqual(len(alerts) > 1, bool(bad or grave))
            for alert in alerts:
                self.assertLessEqual({"labels", "annotations"}, set(alert))
                self.assertLessEqual(set(alert), {"labels", "annotations", "startsAt", "generatorURL"})
                self.assertEqual({"alertname", "rack", "run", "suite", "severity"} - set(alert["labels"]), set())
                self.assertIn(alert["labels"]["severity"], ("warning", "critical"))
                self.assertRegex(alert["startsAt"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\Z")
                datetime.datetime.fromisoformat(alert["startsAt"].removesuffix("Z"))
                for texts in (alert["labels"], alert["annotations"]):
                    for name, value in texts.items():
                        self.assertRegex(name, r"\A[a-zA-Z_][a-zA-Z0-9_]*\Z")
                        self.assertNotRegex(value, "\\A\\Z|[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e]")
                self.assertTrue(alert["annotations"]["summary"])
            told = {json.dumps(alert["labels"], sort_keys=True) for alert in alerts}
            self.assertEqual(len(told), len(alerts))

    @unittest.skipUnless(has_module("pandas"), "python3-pandas is not installed")
    def test_pandas_reads_the_table_in_one_line(self):
        program = ("import pandas, sys; t = pandas.read_csv(sys.stdin);"
                   "print(len(t), t.outcome.eq('fail').sum(), t.observed.dtype, t.required.dtype)")
        for report in self.reports():
            cells = json.loads(pathlib.Path(report).read_text())["cells"]
            failed = sum(cell["verdict"]["outcome"] == "fail" for cell in cells)
            self.assertEqual(self.read_by(self.rendered("csv", report), PYTHON, "-c", program),
                             f"{len(cells)} {failed} float64 bool\n")

    def test_the_table_has_each_cell_and_its_exact_number(self):
        cells = json.loads(SAMPLE.read_text())["cells"]
        rows = list(csv.DictReader(io.StringIO(self.rendered("csv", SAMPLE))))
        self.assertEqual([row["cell"] for row in rows], [cell["id"] for cell in cells])
        for row, cell in zip(rows, cells):
            observed = cell["verdict"].get("observed")
            self.assertEqual(row["observed"], "" if observed is None else row["observed"])
            if observed is not None:
                self.assertEqual(float(row["observed"]), observed)

    def test_the_same_report_gives_the_same_bytes(self):
        for form in ("alertmanager", "csv", "html", "junit", "md", "openmetrics", "terminal"):
            self.assertEqual(self.rendered(form, SAMPLE), self.rendered(form, SAMPLE))
            done = self.rackproof("render", "-f", form, SAMPLE, "-o", "out.txt")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertEqual((self.folder / "out.txt").read_bytes().decode(),
                             subprocess.run([str(support.RACKPROOF), "render", "-f", form, str(SAMPLE)],
                                            capture_output=True, check=True).stdout.decode())

    @unittest.skipUnless(PROMTOOL.exists(), "promtool is not here: scripts/setup gets it")
    def test_the_dashboard_asks_for_what_there_is(self):
        board = json.loads((support.STAGE / "share/rackproof/grafana/rackproof.json").read_text())
        families = {line.split()[2] for line in self.rendered("openmetrics", SAMPLE).splitlines()
                    if line.startswith("# TYPE")}
        links = {"rackproof_failed_links", "rackproof_cell_worst_link_ratio"}
        variables = {one["name"]: one for one in board["templating"]["list"]}
        values = {"rack": "rack7", "suite": "acceptance", "metric": "stream.triad"}
        self.assertEqual(set(variables), set(values))
        rules = []

        def asks(expr):
            # Patterns of names are tried on a server, in monitoring_test.py.
            asked = set(re.findall(r"rackproof_\w+", re.sub(r'__name__!?~"[^"]*"', "", expr)))
            self.assertTrue(asked and asked <= families | links, asked - families)
            rules.append({"record": f"a:{len(rules)}", "expr": re.sub(r"\$(\w+)", lambda name: values[name[1]], expr)})
        self.assertEqual([entry["name"] for entry in board["__inputs"]], ["DS_PROMETHEUS"])
        taken = {}
        for panel in board["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            for cell in ((x, y) for x in range(place["x"], place["x"] + place["w"])
                         for y in range(place["y"], place["y"] + place["h"])):
                self.assertIsNone(taken.setdefault(cell, None), f"{panel['title']} and {taken[cell]}")
                taken[cell] = panel["title"]
            if panel["type"] == "row":
                self.assertIn(panel.get("repeat", "rack"), values)
                continue
            self.assertEqual(panel["datasource"]["uid"], "${DS_PROMETHEUS}")
            self.assertTrue(panel["targets"])
            for target in panel["targets"]:
                asks(target["expr"])
            if panel["title"].startswith("Verdict"):
                colours = panel["fieldConfig"]["defaults"]["mappings"][0]["options"]
                self.assertEqual([(colours[code]["text"], colours[code]["color"]) for code in "1234"],
                                 [("accepted", "green"), ("verified", "blue"), ("incomplete", "orange"), ("rejected", "red")])
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))
        for annotation in board["annotations"]["list"]:
            if not annotation.get("builtIn"):
                asks(annotation["expr"])
        self.write("rules.json", {"groups": [{"name": "dashboard", "rules": rules}]})
        self.read_by("", PROMTOOL, "check", "rules", self.folder / "rules.json")

    def test_a_file_is_readable_for_whom_it_should_be(self):
        for options, mode in (((), 0o600), (("--mode", "0644"), 0o644), (("--mode", "640"), 0o640)):
            done = self.rackproof("render", "-f", "openmetrics", SAMPLE, "-o", "rack.prom", *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual((self.folder / "rack.prom").stat().st_mode & 0o7777, mode)
        self.assertEqual([path.name for path in self.folder.glob("rack.prom*")], ["rack.prom"])
        for mode in ("64", "888", "06444", "4755", "-644", "0o644", "u+r", ""):
            done = self.rackproof("render", "-f", "csv", SAMPLE, "-o", "bad.csv", f"--mode={mode}")
            self.assertEqual((done.returncode, done.stdout), (2, ""), mode)
            self.assertIn("--mode", done.stderr)
            self.assertFalse((self.folder / "bad.csv").exists())
        done = self.rackproof("render", "-f", "csv", SAMPLE, "--mode", "0644")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--out", done.stderr)

    def test_the_details_of_a_large_report_are_chosen(self):
        def families(*options):
            done = self.rackproof("render", "-f", "openmetrics", "many.json", *options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return re.findall(r"^(rackproof_\w+)\{", done.stdout, re.M)
        everything = families("--details", "all")
        self.assertEqual(families(), everything)
        self.assertEqual(families("--details", "auto"), everything)
        self.assertEqual(everything.count("rackproof_device_info"), 40)
        few = families("--details", "aggregate")
        for name, one_by_one, left in (("rackproof_gemm_rate_flops_per_second", 400, 10),
                                       ("rackproof_copy_rate_bytes_per_second", 400, 0)):
            self.assertEqual((everything.count(name), few.count(name)), (one_by_one, left))
        for options, words in ((("-f", "openmetrics", "--details", "some"), "--details: 'some' is not known"),
                               (("-f", "csv", "--details", "all"), "--details: 'csv' always has everything: expected "
                                                                   "--format openmetrics")):
            done = self.rackproof("render", SAMPLE, *options)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)

    def test_what_cannot_be_rendered_is_said(self):
        done = self.rackproof("render", "--format", "pdf", SAMPLE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--format: 'pdf' is not known; expected one of alertmanager, csv, html, junit, md", done.stderr)
        (self.folder / "cut.json").write_text(SAMPLE.read_text()[:5000])
        done = self.rackproof("render", "--format", "csv", "cut.json", "-o", "cut.csv")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cut.json: ", done.stderr)
        self.assertFalse((self.folder / "cut.csv").exists())
        done = self.rackproof("render", "--format", "csv", SAMPLE, "-o", "no/such/folder/x.csv")
        self.assertEqual(done.returncode, 2, done.stderr)

    def test_a_run_writes_what_it_was_asked_for(self):
        done = self.run_suite([support.step("good")], "--render", "junit,md", "--render", "csv")
        self.assertIn("junit: ", done.stdout)
        for form, name in (("junit", "report.junit.xml"), ("md", "report.md"), ("csv", "report.csv")):
            self.assertEqual((self.folder / "out" / name).read_bytes().decode().replace("\r", ""),
                             self.rendered(form, "out").replace("\r", ""))
        self.assertFalse((self.folder / "out" / "report.prom").exists())
        refused = self.rackproof("run", "--render", "junit,pdf", "--out", "other")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--render: 'pdf' is not known", refused.stderr)
        self.assertFalse((self.folder / "other").exists())


if __name__ == "__main__":
    support.main()
