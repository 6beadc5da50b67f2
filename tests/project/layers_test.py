"""scripts/layers knows the arrows between the rooms, and says each include that goes against one."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

ALLOWED = [
    ("benches/protocol/a.hpp", "contract/b.hpp"),
    ("benches/copy/a.cpp", "contract/b.hpp"),
    ("benches/copy/a.cu", "benches/kit/b.hpp"),
    ("reports/model/a.hpp", "contract/b.hpp"),
    ("reports/csv/a.cpp", "reports/model/b.hpp"),
    ("reports/csv/a.cpp", "reports/catalogue/b.hpp"),
    ("reports/json/a.cpp", "reports/model/b.hpp"),
    ("harness/judge/a.cpp", "contract/b.hpp"),
    ("harness/judge/a.cpp", "benches/protocol/b.hpp"),
    ("harness/judge/a.cpp", "harness/stats/b.hpp"),
    ("harness/main_mpi.cpp", "contract/b.hpp"),
    ("harness/main_mpi.cpp", "benches/pairs/b.hpp"),
    ("tests/unit/copy/a.cpp", "benches/copy/b.hpp"),
]
FORBIDDEN = [
    ("contract/a.hpp", "benches/protocol/b.hpp"),
    ("contract/a.hpp", "reports/model/b.hpp"),
    ("contract/a.hpp", "harness/stats/b.hpp"),
    ("benches/protocol/a.hpp", "benches/kit/b.hpp"),
    ("benches/copy/a.cpp", "benches/gemm/b.hpp"),
    ("benches/copy/a.cpp", "reports/model/b.hpp"),
    ("reports/model/a.hpp", "benches/protocol/b.hpp"),
    ("reports/model/a.cpp", "reports/json/b.hpp"),
    ("reports/json/a.cpp", "reports/catalogue/b.hpp"),
    ("reports/csv/a.cpp", "reports/html/b.hpp"),
    ("harness/judge/a.cpp", "harness/run/b.hpp"),
    ("harness/judge/a.cpp", "benches/copy/b.hpp"),
    ("harness/judge/a.cpp", "elsewhere/b.hpp"),
]


class Layers(unittest.TestCase):
    def check(self, path, line, benches=()):
        with tempfile.TemporaryDirectory(prefix="rackproof-test-") as folder:
            for bench in benches:
                described = pathlib.Path(folder, "benches", bench, "bench.json")
                described.parent.mkdir(parents=True)
                described.write_text("{}")
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#pragma once\n{line}\n")
            done = subprocess.run([ROOT / "scripts" / "layers", folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_what_follows_an_arrow_is_passed_over(self):
        for path, header in ALLOWED:
            with self.subTest(path=path, header=header):
                self.assertEqual(self.check(path, f'#include "{header}"'), (0, "1 files, 0 problems\n"))

    def test_what_goes_against_an_arrow_is_told_with_its_line(self):
        for path, header in FORBIDDEN:
            with self.subTest(path=path, header=header):
                status, out = self.check(path, f'#include "{header}"')
                self.assertEqual(status, 1)
                self.assertIn(f"{path}:2: {header}: ", out)

    def test_the_arrows_are_counted_once_for_two_rooms(self):
        with tempfile.TemporaryDirectory(prefix="rackproof-test-") as folder:
            for path, headers in (("harness/stats/a.hpp", ()), ("harness/judge/a.cpp", ("stats/a", "stats/b")),
                                  ("harness/cli/a.cpp", ("judge/a", "stats/a", "cli/b"))):
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True)
                file.write_text("".join(f'#include "harness/{one}.hpp"\n' for one in headers))
            done = subprocess.run([ROOT / "scripts" / "layers", "--arrows", folder], capture_output=True, text=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual([line[1:] for line in lines[:-1]], [["cli", "judge", "stats"], ["judge", "stats"], ["stats"]])
        self.assertEqual(lines[-1], "3 rooms, 3 arrows".split())

    def test_a_room_on_another_floor_of_the_page_is_told(self):
        page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="rackproof-test-") as folder:
            pathlib.Path(folder, "docs").mkdir()
            pathlib.Path(folder, "docs", "architecture.md").write_text(page.replace("| 0 | `stats` |", "| 1 | `stats` |"))
            done = subprocess.run([ROOT / "scripts" / "layers", folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("docs/architecture.md: room stats is on floor 1, of scripts/layers 0\n", done.stdout)
        self.assertIn("scripts/layers: there is no room harness/judge\n", done.stdout)

    def test_the_words_of_everybody_ask_for_no_library(self):
        for path in ("contract/a.hpp", "benches/protocol/a.hpp"):
            with self.subTest(path):
                self.assertEqual(self.check(path, "#include <string_view>")[0], 0)
                self.assertEqual(self.check(path, "#include <fmt/format.h>")[0], 1)

    def test_the_harness_knows_no_bench_by_name(self):
        for line in ('auto name = "mine";', 'run("mine-cuda");'):
            with self.subTest(line):
                status, out = self.check("harness/judge/a.cpp", line, benches=["mine", "other"])
                self.assertEqual(status, 1)
                self.assertIn("harness/judge/a.cpp:2: ", out)
        for path, line in (("harness/judge/a.cpp", 'auto name = "mines";'), ("harness/judge/a.cpp", '// "mine"'),
                           ("benches/mine/a.cpp", 'bench.name = "mine";')):
            with self.subTest(path=path, line=line):
                self.assertEqual(self.check(path, line, benches=["mine"])[0], 0)

    def test_a_bench_that_is_called_as_a_field_is_told_by_its_programs(self):
        self.assertEqual(self.check("harness/judge/a.cpp", 'auto field = "steps";', benches=["steps"])[0], 0)
        self.assertEqual(self.check("harness/judge/a.cpp", 'auto name = "steps-host";', benches=["steps"])[0], 1)

    def test_a_tree_without_sources_is_no_success(self):
        self.assertEqual(self.check("docs/a.hpp", "")[0], 1)


if __name__ == "__main__":
    unittest.main()
