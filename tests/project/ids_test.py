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


class Quantities(unittest.TestCase):
    """Names of facts and columns are written in one place."""

    CONSTANT = re.compile(r'\b(k\w+) =\s+"([a-zA-Z0-9_.]+)"')
    SPACES = {"fact_name": "facts", "column_name": "columns"}
    # What the rules of tables and comparisons may name, and no inventory has.
    OF_RULES = {"kPlatformSelected", "kGpuUuid", "kClockOffsetSeconds"}

    @classmethod
    def setUpClass(cls):
        cls.named = {space: cls.CONSTANT.findall((ROOT / f"reports/model/{space}.hpp").read_text(encoding="utf-8"))
                     for space in cls.SPACES}
        cls.sources = {file: file.read_text(encoding="utf-8") for room in ("harness", "reports")
                       for file in sorted((ROOT / room).rglob("*"))
                       if file.suffix in (".cpp", ".hpp") and file.stem not in cls.SPACES}

    def described(self, part):
        done = subprocess.run([os.environ["RACKPROOF_PROGRAM"], "list", part, "--names"], capture_output=True,
                              text=True, check=True)
        return {name for name in done.stdout.split() if "*" not in name}

    def test_each_name_is_described(self):
        for space, part in self.SPACES.items():
            names = [name for _, name in self.named[space]]
            self.assertGreater(len(names), 60)
            self.assertEqual(len(names), len(set(names)))
            self.assertEqual(set(names), self.described(part))

    def test_each_name_is_given_by_the_room_that_reads_it(self):
        for space, room in (("fact_name", "inventory"), ("column_name", "telemetry")):
            code = "".join(text for file, text in self.sources.items() if file.parent.name == room)
            used = set(re.findall(rf"\b{space}::(k\w+)", code))
            self.assertEqual({name for name, _ in self.named[space]} - used - self.OF_RULES, set())

    def test_no_source_has_a_name_in_its_own_letters(self):
        names = {name for named in self.named.values() for _, name in named}
        found = [f"{file.relative_to(ROOT)}: {word}" for file, text in self.sources.items()
                 for line in re.sub(r"//.*", "", text).splitlines()
                 for word in re.findall(r'"([a-zA-Z0-9_.]+)["{]', line) if word in names]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
