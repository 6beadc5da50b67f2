"""The shipped suites: every step gives its bench a command line that the bench takes, on a machine without a GPU
they are waived, and with some they owe what is expected."""
import json
import re
import subprocess

import support

LIBEXEC = support.STAGE / "libexec" / "rackproof"
SUITES = support.STAGE / "share" / "rackproof" / "configs" / "suites"
GROUP = ["--ranks", "2", "--rank", "0"]


def steps():
    for path in sorted(SUITES.glob("*.json")):
        text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
        for step in json.loads(text)["steps"]:
            yield path.stem, step


def start(program, *arguments):
    env = support.environment(CUDA_VISIBLE_DEVICES="")
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, env=env,
                          timeout=60, stdin=subprocess.DEVNULL)


class Suites(support.Case):
    def test_every_option_is_one_of_its_bench(self):
        known = {}
        seen = 0
        for suite, step in steps():
            program = LIBEXEC / f"{step['bench']}-{step['backend']}"
            if not program.exists():
                continue
            if program not in known:
                known[program] = set(re.findall(r"^\s*(--[a-z0-9-]+)", start(program, "--help").stdout,
                                                flags=re.M))
            options = [a for a in step.get("arguments", []) if a.startswith("--")]
            seen += len(options)
            with self.subTest(suite=suite, step=step["id"]):
                self.assertLessEqual(set(options), known[program])
                if step["placement"] == "device":
                    self.assertIn("--device", known[program])
                if step["placement"] in ("world", "groups") and step["backend"] != "mpi":
                    self.assertLessEqual({"--ranks", "--rank", "--device"}, known[program])
        self.assertGreater(seen, 40)

    def test_every_gpu_step_is_understood_and_unavailable_without_a_gpu(self):
        """Exit 2 would be a wrong command line: it is told before the driver is looked for."""
        seen = 0
        for suite, step in steps():
            program = LIBEXEC / f"{step['bench']}-{step['backend']}"
            if step["backend"] not in ("cuda", "nccl") or not program.exists():
                continue
            more = GROUP if step["placement"] in ("world", "groups") else []
            with self.subTest(suite=suite, step=step["id"]):
                seen += 1
                self.assertIn(step.get("when_unavailable"), ("waive", "waive_without_device"))
                done = start(program, *step["arguments"], *more)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        if seen == 0:
            self.skipTest("this build has no bench for GPUs")

    def dry_run(self, suite, fake, *arguments):
        done = self.rackproof("run", "--suite", suite, "--dry-run", "--all", "--out", suite, *arguments,
                              LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML=fake)
        self.assertEqual(done.returncode, 8, done.stderr)
        return done.stdout

    def test_without_a_gpu_its_cells_are_waived(self):
        for suite in ("node", "acceptance", "certification", "fabric", "soak"):
            cells = [line for line in self.dry_run(suite, "gpus=0").splitlines()
                     if re.match(r"\S*-gpu\S*:.*\[", line)]
            self.assertTrue(cells)
            for line in cells:
                self.assertIn("(waived: no device here)", line)

    def test_with_eight_gpus_there_is_a_cell_for_each(self):
        # Recognised it would be as whatever this machine's processor is in a table for.
        node = self.dry_run("node", "gpus=8", "--platform", "gpu-generic")
        self.assertEqual(node.count("stream.triad[type=double variant=tuned]")
                         + node.count("stream.triad[type=double, variant=tuned]"), 8, node[:3000])
        self.assertIn("judged by gpu-generic", node)
        fabric = self.dry_run("fabric", "gpus=8")
        self.assertEqual(fabric.count("copy.peer_write"), 56 * 4)
        self.assertEqual(len(re.findall(r"^pairs-gpu-latency:.* - .*:pairs.latency\[", fabric,
                                        flags=re.M)), 28)
        for suite in ("node", "acceptance", "certification", "fabric", "soak"):
            text = self.dry_run(suite, "gpus=8")
            self.assertLess(int(re.search(r"(\d+) cells in", text).group(1)), 1500)


if __name__ == "__main__":
    support.main()
