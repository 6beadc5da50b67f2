"""scripts/prose finds decisions by sentences, and nothing else."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

DECISIONS = [
    'if (by != "the loss of its rank") return;',
    'if ("the loss of its rank" == by) return;',
    'if (by == "loss"\n    " of its rank") return;',
    'if (by == std::string("left out")) return;',
    'if ("left out"sv == by) return;',
    'if (by.starts_with("member ")) return;',
    'if (text.find("waiting for disk", 3) == npos) return;',
    'if (text.find(R"(waiting for disk)") == npos) return;',
    'auto at = std::find(all.begin(), all.end(), "left out");',
    'if (std::strcmp(text.c_str(), "left out") == 0) return;',
    'std::regex pattern("left [a-z]+");',
    'constexpr std::string_view kWhy = "left out"; bool f() { return why == kWhy; }',
    'constexpr const char* kWhy = "left out"; bool f() { return kWhy == why; }',
    'constexpr char kWhy[] = "left out"; bool f() { return why.ends_with(kWhy); }',
    "const int n = 1'000; if (by == \"left out\") return;",
    'bool f() { return state(pid) == kOfHeader; }',
]
OTHERS = [
    'if (kind == "close") return;',
    'if (text.find(", ") == npos || text.find("\\n ") == npos) return;',
    '// by == "the loss of its rank"',
    '/* by == "the loss of its rank" */',
    'say(by == kLost ? "the loss of its rank" : "the end of the run");',
    'if (fields.find("why") == end) fail("there is no why");',
    'CHECK(names.contains(text_of("the loss of its rank")));',
    'Word{Reason::kLost, "the loss of its rank"};',
    'bool f() { return kind == Type::kElsewhere; }',
    "if (letter == ' ') return;",
]


class Prose(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.put("harness/run/words.hpp", 'inline constexpr const char* kOfHeader = "stopped by a signal";')
        # The name of another file's own constant is none here.
        self.put("harness/run/other.cpp", 'constexpr const char* kElsewhere = "not here";')

    def put(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def check(self):
        done = subprocess.run([ROOT / "scripts" / "prose", self.folder], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_decisions_are_told_with_their_line(self):
        for code in DECISIONS:
            with self.subTest(code):
                self.put("harness/run/a.cpp", "\n" + code)
                status, out = self.check()
                self.assertEqual(status, 1)
                self.assertRegex(out, r"^harness/run/a.cpp:2: decides by a sentence: ")
                self.assertIn("3 files, 1 problems", out)

    def test_what_decides_nothing_is_passed_over(self):
        for code in OTHERS:
            with self.subTest(code):
                self.put("harness/run/a.cpp", code)
                self.assertEqual(self.check(), (0, "3 files, 0 problems\n"))

    def test_every_room_is_read(self):
        for path in ("contract/a.hpp", "benches/copy/a.cpp", "benches/copy/a.cu", "reports/model/a.hpp", "harness/a.cpp"):
            with self.subTest(path):
                self.put(path, DECISIONS[0])
                self.assertIn(f"{path}:1: ", self.check()[1])

    def test_foreign_text_is_allowed_where_the_list_says_so(self):
        self.put("benches/kit/nccl/log.cpp", DECISIONS[0])
        self.assertEqual(self.check()[0], 0)

    def test_a_tree_without_sources_is_no_success(self):
        with tempfile.TemporaryDirectory(prefix="rackproof-test-") as empty:
            self.assertEqual(subprocess.run([ROOT / "scripts" / "prose", empty], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unittest.main()
