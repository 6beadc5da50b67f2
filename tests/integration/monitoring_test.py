#!/usr/bin/env python3
"""Reports as Prometheus gets them: two racks in one folder of node_exporter's, with the programs themselves."""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

import support

SOURCE = Path(__file__).resolve().parents[2]
SAMPLE = SOURCE / "tests" / "golden" / "report" / "sample.report.json"
TOOLS = SOURCE / "build" / "tools" / "debian" / "usr" / "bin"
PROMTOOL, PROMETHEUS, EXPORTER = (TOOLS / name for name in ("promtool", "prometheus", "prometheus-node-exporter"))
BOARD = json.loads((SOURCE / "reports" / "openmetrics" / "grafana.json").read_text())
RULES = SOURCE / "reports" / "openmetrics" / "rackproof.rules.yml"
ALERTS = 'count by (alertname, rack, suite, run) (ALERTS{alertstate="firing"})'


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def utc(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def fetched(url):
    with urllib.request.urlopen(url, timeout=5) as answer:
        return answer.read().decode()


def filled(expr, metric="stream.triad"):
    """With all racks and suites chosen."""
    return expr.replace("$rack", ".*").replace("$suite", ".*").replace("$metric", metric)


def query_of(panel, ref="A"):
    """What a panel of the dashboard asks."""
    found = next(p for p in BOARD["panels"] if p["title"].startswith(panel))
    return filled(next(target["expr"] for target in found["targets"] if target["refId"] == ref))


class Monitoring(support.Case):
    def setUp(self):
        super().setUp()
        self.textfiles = self.folder / "textfiles"
        self.textfiles.mkdir()
        rejected = json.loads(SAMPLE.read_text())
        self.assertEqual(rejected["acceptance"], "rejected")
        rejected["run"]["labels"]["rack"] = "8"
        # As if of today: a run of long ago has an alert of its own.
        rejected["run"]["began_utc"] = utc(time.time())
        self.rejected = rejected
        # The accepted rack comes first, in the folder and in the alphabet.
        self.render("a", self.accepted("7", time.time()))
        self.render("b", rejected)

    def accepted(self, rack, began):
        report = json.loads(json.dumps(self.rejected))
        report["run"].update(id=f"r-accepted-{rack}", labels={"rack": rack}, began_utc=utc(began))
        report["acceptance"] = "accepted"
        for cell in report["cells"]:
            if cell["verdict"]["outcome"] == "fail":
                cell["verdict"]["outcome"] = "pass"
        return report

    def render(self, name, report):
        self.write(f"{name}.json", report)
        done = self.rackproof("render", "-f", "openmetrics", f"{name}.json", "--mode", "0644", "-o", f"textfiles/{name}.prom")
        self.assertEqual(done.returncode, 0, done.stderr)

    def failed(self):
        """Verdicts of cells that failed, as the dashboard lists them; links are told by host."""
        return [cell["verdict"] for cell in self.rejected["cells"]
                if cell["verdict"]["outcome"] == "fail" and cell["subject"]["kind"] != "link"]

    def promtool(self, *command):
        done = subprocess.run([str(PROMTOOL), *map(str, command)], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(PROMTOOL.exists(), "promtool is not here: scripts/setup gets it")
    def test_the_rules_that_are_installed_do_what_they_should(self):
        self.assertEqual((support.STAGE / "share/rackproof/prometheus/rackproof.rules.yml").read_bytes(), RULES.read_bytes())
        self.promtool("check", "rules", RULES)
        self.promtool("test", "rules", SOURCE / "tests" / "data" / "prometheus" / "rules_test.yml")
        families = set(re.findall(r"^# TYPE (\w+)", (self.textfiles / "b.prom").read_text(), re.M))
        asked = set(re.findall(r"\brackproof_\w+", RULES.read_text()))
        self.assertEqual(asked - families, {"rackproof_failed_links"}, "the sample has no links")

    @unittest.skipUnless(PROMTOOL.exists(), "promtool is not here: scripts/setup gets it")
    def test_the_alert_fires_for_the_rejected_rack_alone(self):
        series = [{"series": match[1], "values": f"{match[2]}x5"}
                  for path in sorted(self.textfiles.iterdir())
                  for match in re.finditer(r"^(rackproof_\w+(?:\{.*\})?) (\S+)$", path.read_text(), re.M)]
        self.assertEqual(len({one["series"] for one in series}), len(series))
        run = self.rejected["run"]["id"]
        firing = f'{{alertname="RackproofRackRejected",rack="8",suite="acceptance",run="{run}"}}'
        self.write("test.yml", json.dumps({
            "rule_files": [str(RULES)], "evaluation_interval": "1m",
            "tests": [{"interval": "1m", "input_series": series,
                       "promql_expr_test": [
                           {"expr": ALERTS, "eval_time": "1m", "exp_samples": [{"labels": firing, "value": 1}]},
                           {"expr": f"count by (rack) ({query_of('Failed cells')})", "eval_time": "1m",
                            "exp_samples": [{"labels": '{rack="8"}', "value": len(self.failed())}]}]}]}))
        self.promtool("test", "rules", "test.yml")

    def as_nobody(self, program):
        """Words that start it as another user, who can read these folders; none where that cannot be done."""
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            return []
        words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.folder.chmod(0o755)
        self.textfiles.chmod(0o755)
        seen = subprocess.run([*words, "sh", "-c", 'test -x "$1" && test -r "$2"', "sh", program, self.textfiles / "a.prom"],
                              check=False)
        return words if seen.returncode == 0 else []

    def start(self, *command):
        process = subprocess.Popen([str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop, process)
        return process

    @unittest.skipUnless(EXPORTER.exists() and PROMETHEUS.exists(),
                         "node_exporter and Prometheus are not here: scripts/setup gets them")
    def test_a_rejected_rack_is_not_hidden_by_an_accepted_one(self):
        exporter, server = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
        nobody = self.as_nobody(EXPORTER)
        started = [self.start(*nobody, EXPORTER, "--collector.disable-defaults", "--collector.textfile",
                              f"--collector.textfile.directory={self.textfiles}",
                              f"--web.listen-address={exporter}")]
        text = self.wait_for(lambda: fetched(f"http://{exporter}/metrics"), what="node_exporter")
        self.assertIn("node_textfile_scrape_error 0", text)
        if nobody:
            # Without --mode a report is its owner's.
            self.rackproof("render", "-f", "openmetrics", "a.json", "-o", "textfiles/own.prom")
            self.assertIn("node_textfile_scrape_error 1", fetched(f"http://{exporter}/metrics"))
            (self.textfiles / "own.prom").unlink()
            self.assertIn("node_textfile_scrape_error 0", fetched(f"http://{exporter}/metrics"))
        self.write("prometheus.yml", json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": "racks", "static_configs": [{"targets": [exporter]}]}]}))
        started.append(self.start(PROMETHEUS, "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                                  f"--web.listen-address={server}"))

        def ask(query):
            words = urllib.parse.urlencode({"query": query})
            return json.loads(fetched(f"http://{server}/api/v1/query?{words}"))["data"]["result"]
        self.wait_for(lambda: len(ask("rackproof_run_info")) == 2, seconds=60, what="the first scrape")
        alerts = self.wait_for(lambda: json.loads(fetched(f"http://{server}/api/v1/alerts"))["data"]["alerts"],
                               what="an alert")
        self.assertEqual([(one["state"], one["labels"], one["annotations"]["summary"]) for one in alerts],
                         [("firing", {"alertname": "RackproofRackRejected", "severity": "critical", "rack": "8",
                                      "suite": "acceptance", "run": self.rejected["run"]["id"]}, "Rack 8 was rejected")])
        self.assertEqual([one["metric"]["rack"] for one in ask('rackproof_acceptance{acceptance="accepted"} == 0')], ["8"])
        self.assertEqual({one["metric"]["rack"] for one in ask("rackproof_run_info")}, {"7", "8"})
        listed = ask(query_of("Failed cells"))
        self.assertEqual(len(listed), len(self.failed()))
        self.assertEqual({one["metric"]["rack"] for one in listed}, {"8"})
        self.assertEqual(len(ask(query_of("Failed cells", "B"))), sum("ratio" in verdict for verdict in self.failed()))
        self.assertLess(len(ask(query_of("Failed cells", "B"))), len(listed), "one failed without a number")
        self.assertEqual({(one["metric"]["rack"], one["metric"]["suite"]): one["value"][1] for one in ask(query_of("Verdict"))},
                         {("7", "acceptance"): "1", ("8", "acceptance"): "4"})
        # Numbers of two hosts of each rack, how they lie, and the limit that both have.
        self.assertEqual([len(ask(query_of("$metric", ref))) for ref in "ABCDE"], [4, 10, 2, 0, 2])
        self.assertEqual({one["value"][1] for one in ask(query_of("$metric", "C"))}, {"30720000000"})
        changes = next(one["expr"] for one in BOARD["annotations"]["list"] if not one.get("builtIn"))
        self.assertEqual({(one["metric"]["rack"], one["metric"]["acceptance"]) for one in ask(filled(changes))},
                         {("7", "accepted"), ("8", "rejected")})
        # Repaired and accepted, and nobody has taken the old file away.
        self.render("c", self.accepted("8", time.time() + 1))
        self.wait_for(lambda: len(ask("rackproof_run_info")) == 3, what="the scrape of the new file")
        self.wait_for(lambda: not ask("ALERTS"), what="the end of the alert")
        self.assertEqual({one["metric"]["rack"]: one["value"][1] for one in ask(query_of("Verdict"))}, {"7": "1", "8": "1"})
        for process in started:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)


if __name__ == "__main__":
    support.main()
