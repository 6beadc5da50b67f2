"""What each bench says that it prints (bench.json) is expected by a suite and held to a speed by a table, or a list says
why not: a number that nobody judges must not be so by oversight."""
import fnmatch
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')


def load(path):
    text = path.read_text()
    return json.loads(STRING_OR_COMMENT.sub(lambda found: found.group() if found.group()[0] == '"' else " ", text))


def listed(value):
    return value if isinstance(value, list) else [value]


def printed():
    """Bench, backend and metric of all that the benches print."""
    return {(path.parent.name, backend, name) for path in sorted((ROOT / "benches").glob("*/bench.json"))
            for entry in load(path)["metrics"] for name in entry["names"] for backend in entry["backends"]}


def expected_by_suites():
    return {(step["bench"], step["backend"], metric)
            for path in (ROOT / "configs" / "suites").glob("*.json") for step in load(path)["steps"]
            for expectation in step.get("expect", []) for metric in listed(expectation["metric"])}


def with_a_speed():
    """Backend and pattern of the metric of each baseline that limits more than the answer."""
    return {(baseline.get("backend", "*"), metric)
            for path in (ROOT / "configs" / "platforms").glob("*.json") for baseline in load(path).get("baselines", [])
            if baseline["judge"] != "correctness" for metric in listed(baseline["metric"])}


class Printed(unittest.TestCase):
    def setUp(self):
        self.reasons = load(pathlib.Path(__file__).with_name("printed.json"))
        for reason in self.reasons:
            self.assertEqual(set(reason), {"by", "bench", "backend", "metrics", "reason"})
            self.assertIn(reason["by"], ("suite", "speed"))
            self.assertGreater(len(reason["reason"]), 20)

    def hold(self, by, lacking):
        reasons = [reason for reason in self.reasons if reason["by"] == by]
        for bench, backend, metric in sorted(lacking):
            fits = [reason for reason in reasons if (reason["bench"], reason["backend"]) == (bench, backend)
                    and any(fnmatch.fnmatchcase(metric, pattern) for pattern in reason["metrics"])]
            with self.subTest(printed=f"{metric} of {bench}-{backend}", by=by):
                self.assertEqual(len(fits), 1, "nobody holds it to anything, and one reason for that is not given")
        for reason in reasons:
            for pattern in reason["metrics"]:
                with self.subTest(reason=pattern, bench=reason["bench"]):
                    self.assertTrue(any((bench, backend) == (reason["bench"], reason["backend"])
                                        and fnmatch.fnmatchcase(metric, pattern) for bench, backend, metric in lacking),
                                    "the reason is needed no longer")

    def test_suites_expect_nothing_that_no_bench_prints(self):
        self.assertEqual(expected_by_suites() - printed(), set())

    def test_what_no_suite_expects_has_a_reason(self):
        self.hold("suite", printed() - expected_by_suites())

    def test_what_no_table_has_a_speed_for_has_a_reason(self):
        speeds = with_a_speed()
        self.hold("speed", {(bench, backend, metric) for bench, backend, metric in printed()
                            if not any(of in ("*", backend) and fnmatch.fnmatchcase(metric, pattern)
                                       for of, pattern in speeds)})


if __name__ == "__main__":
    unittest.main()
