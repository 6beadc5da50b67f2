"""What rackproof explains is something that it says."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Ids(unittest.TestCase):
    def test_every_id_of_the_catalogue_is_given_by_some_source(self):
        done = subprocess.run([os.environ["RACKPROOF_PROGRAM"], "explain"], capture_output=True, text=True, check=True)
        known = {line.split()[0] for line in done.stdout.splitlines()}
        self.assertGreater(len(known), 80)
        sources = [file for file in sorted((ROOT / "harness").rglob("*")) if file.suffix in (".cpp", ".hpp")]
        sources.append(ROOT / "reports/model/finding.hpp")
        given = {word for file in sources for word in re.findall(r'"([a-z0-9-]+)"', file.read_text(encoding="utf-8"))}
        self.assertEqual(known - given, set())


if __name__ == "__main__":
    unittest.main()
