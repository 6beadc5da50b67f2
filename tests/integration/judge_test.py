"""rackproof judge on reports of many devices, wherever the cells are."""
import json
import subprocess

import support


class Judge(support.Case):
    def setUp(self):
        super().setUp()
        with open(self.folder / "report.json", "wb") as stream:
            subprocess.run([str(support.BUILD / "tests" / "perf" / "make_report"), "120"],
                           stdout=stream, check=True)
        self.text = (self.folder / "report.json").read_bytes()

    def test_in_place_and_in_memory_agree(self):
        in_place = self.rackproof("judge", "report.json")
        self.assertEqual(in_place.returncode, 3, in_place.stderr)
        self.assertIn("120 GPUs: node00003 GPU 5 (GPU-0000001d", " ".join(in_place.stdout.split()))
        in_memory = self.rackproof("judge", "report.json", "--out", "judged.json")
        self.assertEqual((in_place.returncode, in_place.stdout),
                         (in_memory.returncode, in_memory.stdout))
        report = json.loads((self.folder / "judged.json").read_text())
        self.assertEqual(report["counts"], {"pass": 7190, "fail": 10, "unjudged": 0, "untested": 0,
                                            "waived": 0})
        again = self.rackproof("judge", "judged.json")
        self.assertEqual(again.stdout, in_place.stdout)
        # show says the verdict once more, at the end.
        shown = self.rackproof("show", "judged.json").stdout.splitlines(keepends=True)
        self.assertEqual("".join(shown[:-1]), in_place.stdout)
        self.assertTrue(shown[-1].startswith("REJECTED 15 hosts, 120 GPUs: "), shown[-1])
        self.assertEqual(self.rackproof("check", "judged.json").returncode, 0)

    def test_a_waiver_excuses_what_is_slow_until_its_day(self):
        self.rackproof("judge", "report.json", "--out", "judged.json")
        failed = [cell for cell in json.loads((self.folder / "judged.json").read_text())["cells"]
                  if cell["verdict"]["outcome"] == "fail"]
        self.assertEqual(len(failed), 10)
        hosts = sorted({cell["subject"]["host"] for cell in failed})
        waivers = [{"subject": host, "reason": "known", "until": "2099-12-31", "approved_by": "J. Doe"} for host in hosts]
        self.write("waivers.json", {"schema": "rackproof/waivers/1", "waivers": waivers})
        self.assertEqual(self.rackproof("check", "waivers.json").returncode, 0)
        for more in ((), ("--out", "waived.json")):
            done = self.rackproof("judge", "report.json", "--waive", "waivers.json", *more)
            self.assertIn("10 waived", " ".join(done.stdout.split()), done.stderr)
            self.assertIn("until 2099-12-31 by J. Doe", " ".join(done.stdout.split()))
        waived = json.loads((self.folder / "waived.json").read_text())
        self.assertEqual((waived["counts"]["fail"], waived["counts"]["waived"]), (0, 10))
        self.assertEqual(self.rackproof("check", "waived.json").returncode, 0)
        over = self.rackproof("judge", "report.json", "--waive", f"* on {hosts[0]} until 2001-01-01 by J. Doe: known")
        self.assertEqual(over.returncode, 3)
        self.assertIn("ended on 2001-01-01", " ".join(over.stdout.split()))
        for wrong in ("gemm.* until 2099-12-31: known", "none.json"):
            done = self.rackproof("judge", "report.json", "--waive", wrong)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_topology_says_where_adapters_are_connected(self):
        self.rackproof("judge", "report.json", "--out", "judged.json")
        report = json.loads((self.folder / "judged.json").read_text())
        host = report["nodes"][0]["host"]
        for node in report["nodes"]:
            node["facts"]["infiniband.mlx5_0.node_guid"] = {"value": "a088:c203:00ab:0010", "source": "/sys"}
            node["facts"]["infiniband.mlx5_1.node_guid"] = {"value": "a088:c203:00ab:0020", "source": "/sys"}
        self.write("adapters.json", report)
        (self.folder / "cables.csv").write_text("host,nic,leaf,leaf_port,rail,cable_serial\n"
                                                f"{host},mlx5_0,leaf2,31,0,MT2325VS01234\nelsewhere,mlx5_0,leaf9,1,0,\n")
        done = self.rackproof("judge", "adapters.json", "--topology", "cables.csv", "--out", "placed.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        placed = json.loads((self.folder / "placed.json").read_text())
        facts = next(node["facts"] for node in placed["nodes"] if node["host"] == host)
        self.assertEqual({name[len("fabric.mlx5_0."):]: fact["value"] for name, fact in facts.items()
                          if name.startswith("fabric.mlx5_0.")},
                         {"leaf": "leaf2", "leaf_port": "31", "rail": "0", "cable_serial": "MT2325VS01234"})
        self.assertEqual(facts["fabric.mlx5_0.leaf"]["source"], "cables.csv:2")
        self.assertIn("unreadable", facts["fabric.mlx5_1.leaf"])
        gaps = [finding for finding in placed["findings"] if finding["id"] == "topology-gap"]
        self.assertEqual(len(gaps), len(report["nodes"]))
        self.assertEqual(self.rackproof("check", "placed.json").returncode, 0)
        for text, said in (("host,nic,leef\n", "cables.csv:1: leef: is not a known column; did you mean 'leaf'?"),
                           ("host,nic,leaf\nelsewhere,mlx5_0,leaf9\n", "names no adapter of a host of this run"),
                           ("\x7fELF", "cables.csv:1: is no text")):
            (self.folder / "cables.csv").write_text(text)
            for verb in (("judge", "adapters.json"), ("run", "--suite", "smoke", "--dry-run")):
                done = self.rackproof(*verb, "--topology", "cables.csv")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(said, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_what_is_generated_is_laid_out_as_reports_are(self):
        self.rackproof("judge", "report.json", "--out", "judged.json")
        written = json.loads((self.folder / "judged.json").read_text())
        generated = json.loads(self.text)
        self.assertEqual((generated.pop("schema_version"), written.pop("schema_version")), ("1.2", "1.9"))
        # What a report of 1.2 does not know yet.
        del written["judged_claims"]
        for table in written["platforms"]:
            for baseline in table["baselines"]:
                baseline.pop("generic", None)
        for report in (written, generated):
            for cell in report["cells"]:
                del cell["verdict"]
            for key in ("acceptance", "acceptance_reason", "counts", "required_counts", "findings"):
                del report[key]
        self.assertEqual(generated, written)

    def test_another_layout_is_read_as_well(self):
        done = self.rackproof("judge", "report.json")
        (self.folder / "other.json").write_text(json.dumps(json.loads(self.text)))
        self.assertEqual(self.rackproof("judge", "other.json").stdout, done.stdout)

    def test_what_is_wrong_is_told_with_its_place(self):
        for old, new, what in [
                (b'"better": "more"', b'"better": "most"', "/measurements/0/better: expected one of"),
                (b'"outcome": "untested"', b'"outcame": "untested"', "/cells/0/verdict"),
                (b'\n ],\n "counts"', b'\n ],\n "cuonts"', "counts"),
                (b'"samples": [\n', b'"samples": [\n,', "not JSON")]:
            with self.subTest(new):
                self.assertIn(old, self.text)
                (self.folder / "bad.json").write_bytes(self.text.replace(old, new, 1))
                done = self.rackproof("judge", "bad.json")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("bad.json: ", done.stderr)
                self.assertIn(what, done.stderr)
        (self.folder / "cut.json").write_bytes(self.text[:-100000])
        self.assertIn("cut off", self.rackproof("judge", "cut.json").stderr)

    def test_the_same_report_gives_the_same_bytes(self):
        first = self.rackproof("judge", "report.json").stdout
        for _ in range(3):
            self.assertEqual(self.rackproof("judge", "report.json").stdout, first)


if __name__ == "__main__":
    support.main()
