"""What rackproof explains is something that it says, and each reason that it gives is explained."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSTANT = re.compile(r'\b(k\w+) = "([a-z0-9-]+)"')


def constants(path):
    """(name, id) of the ids that a header has constants for."""
    return CONSTANT.findall((ROOT / path).read_text(encoding="utf-8"))


class Ids(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([os.environ["RACKPROOF_PROGRAM"], "explain"], capture_output=True, text=True, check=True)
        cls.known = {line.split()[0] for line in done.stdout.splitlines()}
        cls.reasons = constants("reports/model/reason_id.hpp")
        cls.findings = constants("reports/model/finding_id.hpp")

    def test_each_reason_and_each_finding_is_explained(self):
        for all_of in (self.reasons, self.findings):
            self.assertGreater(len(all_of), 40)
            ids = [id for _, id in all_of]
            self.assertEqual(len(ids), len(set(ids)))
            self.assertEqual(set(ids) - self.known, set())

    def test_each_id_that_is_explained_is_given_by_some_source(self):
        files = [file for file in sorted((ROOT / "harness").rglob("*")) if file.suffix in (".cpp", ".hpp")]
        code = "\n".join(file.read_text(encoding="utf-8") for file in files)
        given = set(re.findall(r'"([a-z0-9-]+)"', code))
        for space, all_of in (("reason_id", self.reasons), ("finding_id", self.findings)):
            used = set(re.findall(rf"\b{space}::(k\w+)", code))
            given |= {id for name, id in all_of if name in used}
        self.assertEqual(self.known - given, set())


if __name__ == "__main__":
    unittest.main()
