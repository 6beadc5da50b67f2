"""rackproof diagnose: a table of measurements in, the nodes that are unlike the others out."""
import json
import random
import subprocess

import support


def rows(nodes=40, metrics=6):
    generator = random.Random(7)
    return [{"node": f"n{i:03}",
             **{f"rate.{m}": round(100 * (m + 1) * generator.gauss(1, 0.005), 6)
                for m in range(metrics)}} for i in range(nodes)]


class Diagnose(support.Case):
    def diagnose(self, lines, *arguments):
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n"
                       for line in lines)
        (self.folder / "rows.jsonl").write_text(text)
        return self.rackproof("diagnose", "rows.jsonl", *arguments)

    def test_alike_nodes_are_accepted(self):
        done = self.diagnose(rows())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ACCEPTED", done.stdout)

    def test_a_slow_node_is_named_first(self):
        table = rows()
        table[23]["rate.4"] *= 0.85
        done = self.diagnose(table, "--out", "found.json")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?s)REJECTED 1 of 40.*outlier +n023\n +rate\.4 ")
        found = json.loads((self.folder / "found.json").read_text())
        self.assertEqual(found["nodes"][0]["node"], "n023")
        self.assertEqual(found["nodes"][0]["deviations"][0]["metric"], "rate.4")
        self.assertEqual(len(found["nodes"]), 40)
        self.assertEqual(found["counts"]["outlier"], 1)

    def test_the_members_of_a_slower_group_are_named(self):
        for nodes, slow in ((64, 7), (16, 4), (64, 16), (4, 2), (8, 4)):
            with self.subTest(nodes=nodes, slow=slow):
                table = rows(nodes)
                for row in table[:slow]:
                    row["rate.2"] /= 2
                done = self.diagnose(table, "--more-is-better", "rate.*", "--json")
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                named = [node["node"] for node in json.loads(done.stdout)["nodes"]
                         if node["verdict"] == "slower-group"]
                self.assertEqual(named, [f"n{i:03}" for i in range(slow)])

    def test_where_the_noise_is_not_tested_a_node_is_named_by_rank(self):
        table = [{"node": f"n{i:03}", "retries": 0} for i in range(40)]
        table[7]["retries"] = 5
        done = self.diagnose(table, "--less-is-better", "retries")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("by-rank    n007", done.stdout)
        self.assertIn("no rate promised: the values lie on coarse steps", done.stdout)

    def test_the_direction_of_a_metric(self):
        table = rows()
        table[5]["rate.1"] *= 1.2
        self.assertEqual(self.diagnose(table).returncode, 3)
        self.assertIn("two bad sides, since neither --more-is-better nor --less-is-better names them: 6", self.diagnose(table).stdout)
        self.assertEqual(self.diagnose(table, "--more-is-better", "rate.*").returncode, 0)
        self.assertEqual(self.diagnose(table, "--less-is-better", "rate.1").returncode, 3)

    def test_a_missing_value_never_passes(self):
        table = rows()
        del table[9]["rate.0"]
        table[10]["rate.0"] = None
        done = self.diagnose(table, "--json")
        self.assertEqual(done.returncode, 4, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual([node["node"] for node in found["nodes"][:2]], ["n009", "n010"])
        self.assertEqual(found["nodes"][0]["verdict"], "incomplete")
        self.assertEqual(found["metrics"]["rate.0"]["missing"], 2)

    def test_three_nodes_cannot_be_compared(self):
        done = self.diagnose(rows(3))
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("INCOMPLETE", done.stdout)

    def test_the_same_rows_give_the_same_bytes(self):
        table = rows(300, 20)
        table[5]["rate.1"] *= 0.8
        first = self.diagnose(table, "--json").stdout
        self.assertTrue(first)
        for _ in range(5):
            self.assertEqual(self.diagnose(table, "--json").stdout, first)
        with open(self.folder / "rows.jsonl", encoding="utf-8") as stream:
            done = subprocess.run([support.RACKPROOF, "diagnose", "-", "--json"], stdin=stream,
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, first)

    def test_bad_input_names_the_line(self):
        for line, what in [('{"node":"x","a":"fast"}', '"a" of node "x": expected a number'),
                           ('{"node":"x","a":NaN}', "column"),
                           ('{"a":1}', '"node" is missing'),
                           ('{"node":"n003","a":1}', "already")]:
            with self.subTest(line):
                done = self.diagnose(rows() + [line], "--out", "none.json")
                self.assertEqual(done.returncode, 2)
                self.assertIn("rows.jsonl: line 41: ", done.stderr)
                self.assertIn(what, done.stderr)
                self.assertFalse((self.folder / "none.json").exists())

    def test_the_first_wrong_line_is_named_whoever_reads_it(self):
        table = [json.dumps(row) for row in rows(6000, 40)]
        for place in (700, 4000, 4100, 5990):
            table[place] = "{"
        for _ in range(5):
            self.assertIn("line 701: ", self.diagnose(table).stderr)

    def test_usage(self):
        self.assertIn("holds no measurements", self.diagnose([""]).stderr)
        done = self.diagnose(rows(), "--less-is-better", "latency*")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'latency*' matches no metric", done.stderr)
        done = self.diagnose(rows(), "--less-is-better", "rate.*", "--more-is-better", "rate.3")
        self.assertIn("both match rate.3", done.stderr)
        self.assertEqual(self.rackproof("diagnose", "absent.jsonl").returncode, 2)
        self.assertEqual(self.rackproof("diagnose", ".").returncode, 2)


if __name__ == "__main__":
    support.main()
