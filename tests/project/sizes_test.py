"""scripts/sizes reads every room, and says what is too long."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Sizes(unittest.TestCase):
    def check(self, path, text):
        with tempfile.TemporaryDirectory(prefix="rackproof-test-") as folder:
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text)
            done = subprocess.run([ROOT / "scripts" / "sizes", folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_a_file_of_any_room_has_at_most_400_lines(self):
        for path in ("contract/a.hpp", "benches/copy/a.cu", "reports/model/a.cpp", "harness/cli/a.cpp",
                     "tests/unit/cli/a.cpp", "scripts/a", "cmake/a.cmake"):
            with self.subTest(path):
                self.assertEqual(self.check(path, "\n" * 400)[0], 0)
                self.assertEqual(self.check(path, "\n" * 401), (1, f"{path}: 401 lines, 400 at most\n1 files, 1 problems\n"))

    def test_a_function_has_at_most_70_lines(self):
        def function(lines):
            return "\nint f() {\n" + "  g();\n" * (lines - 2) + "}\n"
        self.assertEqual(self.check("contract/a.hpp", function(70))[0], 0)
        status, out = self.check("contract/a.hpp", function(71))
        self.assertEqual(status, 1)
        self.assertIn("contract/a.hpp:2: a function of 71 lines, 70 at most", out)

    def test_a_room_of_harness_and_reports_has_at_most_4000_lines(self):
        def room(house, lines):
            with tempfile.TemporaryDirectory(prefix="rackproof-test-") as folder:
                there = pathlib.Path(folder, house, "room")
                there.mkdir(parents=True)
                for number in range(lines // 400):
                    (there / f"f{number}.cpp").write_text("\n" * 400)
                (there / "rest.hpp").write_text("\n" * (lines % 400))
                return subprocess.run([ROOT / "scripts" / "sizes", folder], capture_output=True, text=True)
        for house in ("harness", "reports"):
            self.assertEqual(room(house, 4000).returncode, 0)
            done = room(house, 4001)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{house}/room: a room of 4001 lines, 4000 at most", done.stdout)
        self.assertEqual(room("benches", 4001).returncode, 0)


if __name__ == "__main__":
    unittest.main()
