"""The files for CI servers: what they run, beside an sbatch that is none. No server is here to read them; what they hold is
read as YAML, and what they call is held against the script and the program that it is for."""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "packaging" / "ci"
JOB = ROOT / "scripts" / "ci" / "rackproof-job.sh"
PROGRAM = os.environ.get("RACKPROOF_PROGRAM", "")

SBATCH = """#!/bin/bash
printf "%s\\n" "$@" > "$HERE/words"
echo "out: $RACKPROOF_OUT" > "$RACKPROOF_OUT.log"
[ -n "$NO_REPORT" ] || { mkdir -p "$RACKPROOF_OUT" && echo '{}' > "$RACKPROOF_OUT/report.json"; }
exit "$VERDICT"
"""


def parsed(name):
    # "on" is a word there, and a truth in YAML 1.1.
    return yaml.safe_load((FILES / name).read_text().replace("\non:", "\n'on':"))


def calls(text):
    """The words behind each call of the job's script, OUT and NODES first, and of the batch script."""
    found = re.findall(r"(?:rackproof-job\.sh|rackproof\.sbatch) ([^\n']+)", text)
    return [shlex.split(re.sub(r"\$\{?[A-Za-z_.]+\}?", "x", words)) for words in found]


class Job(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        path = self.folder / "sbatch"
        path.write_text(SBATCH)
        path.chmod(0o755)

    def run_job(self, *words, verdict=0, **more):
        env = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", HERE=str(self.folder), VERDICT=str(verdict),
                   NO_REPORT="")
        env.update(more)
        return subprocess.run([str(JOB), *words], cwd=self.folder, env=env, capture_output=True, text=True, check=False)

    def test_the_code_is_that_of_the_verdict(self):
        for code in (0, 3, 4, 7):
            done = self.run_job(f"out{code}", "4", "--suite", "node", verdict=code)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(f"out: out{code}", done.stdout)

    def test_what_sbatch_is_told(self):
        self.run_job("out", "16", "--suite", "acceptance", "--label", "a b", RACKPROOF_SBATCH="--partition=gpu --time=5:00:00")
        words = (self.folder / "words").read_text().splitlines()
        self.assertEqual(words[:7], ["--wait", "--nodes", "16", "--output", "out.log", "--partition=gpu", "--time=5:00:00"])
        self.assertEqual(pathlib.Path(words[7]).resolve(), ROOT / "scripts" / "slurm" / "rackproof.sbatch")
        self.assertEqual(words[8:], ["--render", "html,junit,md", "--suite", "acceptance", "--label", "a b"])

    def test_a_job_without_a_report_is_no_pass(self):
        for said, code in ((0, 4), (1, 1), (3, 3)):
            done = self.run_job(f"lost{said}", "4", verdict=said, NO_REPORT="1")
            self.assertEqual(done.returncode, code)
            self.assertIn("left no report", done.stderr)

    def test_bad_input_is_a_usage_error(self):
        (self.folder / "there").mkdir()
        for words, said in (((), "Usage"), (("out",), "Usage"), (("out", "many"), "Usage"), (("there", "4"), "exists")):
            done = self.run_job(*words)
            self.assertEqual((done.returncode, said in done.stderr), (2, True), words)
        done = self.run_job("out", "4", RACKPROOF_BATCH="/nowhere")
        self.assertEqual((done.returncode, "RACKPROOF_BATCH" in done.stderr), (2, True))


class Files(unittest.TestCase):
    def check_shell(self, script):
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), script)

    def test_each_calls_the_program_with_options_that_it_has(self):
        options = subprocess.run([PROGRAM, "run", "--help"], capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r"--[a-z-]+", options))
        for name in ("gitlab-ci.yml", "github-actions.yml", "Jenkinsfile", "scrontab"):
            found = calls((FILES / name).read_text())
            self.assertTrue(found, name)
            for words in found:
                used = {word for word in words if word.startswith("--")}
                self.assertTrue(used)
                self.assertLessEqual(used, known, name)
                if name != "scrontab":
                    self.assertRegex(words[1], "^[1-9][0-9]*$")

    def test_gitlab(self):
        job = parsed("gitlab-ci.yml")["acceptance"]
        for line in job["script"]:
            self.check_shell(line)
        self.assertEqual(job["allow_failure"]["exit_codes"], [7])
        self.assertEqual(job["artifacts"]["when"], "always")
        self.assertTrue(job["artifacts"]["reports"]["junit"].endswith("/report.junit.xml"))

    def test_github(self):
        flow = parsed("github-actions.yml")
        self.assertEqual(set(flow["on"]), {"schedule", "workflow_dispatch"})
        steps = flow["jobs"]["acceptance"]["steps"]
        for step in steps:
            if "run" in step:
                self.check_shell(step["run"])
        # What the run left is shown and kept whatever its verdict is.
        self.assertEqual([step.get("if") for step in steps], [None, "always()", "always()"])

    def test_jenkins(self):
        text = re.sub(r"//[^\n]*|'[^']*'|\"[^\"]*\"", "", (FILES / "Jenkinsfile").read_text())
        self.assertEqual((text.count("{"), text.count("(")), (text.count("}"), text.count(")")))

    def test_scrontab(self):
        lines = [line for line in (FILES / "scrontab").read_text().splitlines() if line and not line.startswith("# ")]
        asked, entries = lines[:-1], lines[-1:]
        self.assertTrue(all(line.startswith("#SCRON --") for line in asked))
        self.assertRegex(entries[0], r"^\d+ \d+ \* \* \* /")
        # What the batch script asks for by itself is asked for here too, since it is not read there.
        own = re.findall(r"^#SBATCH (--[^\s=]+)", (ROOT / "scripts/slurm/rackproof.sbatch").read_text(), re.M)
        left_out = {"--requeue", "--open-mode"}  # a night that was lost is made up for by the next
        self.assertLessEqual(set(own) - left_out, {line.split()[1].split("=")[0] for line in asked})

    def test_the_cron_job_makes_the_job_of_the_other_file(self):
        documents = list(yaml.safe_load_all((FILES / "cronjob.yaml").read_text()))
        self.assertEqual([one["kind"] for one in documents], ["ServiceAccount", "Role", "RoleBinding", "CronJob"])
        made = list(yaml.safe_load_all((ROOT / "packaging/kubernetes/mpijob.yaml").read_text()))
        names = {one["kind"]: one["metadata"]["name"] for one in made}
        pod = documents[3]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        script = pod["containers"][0]["args"][0]
        self.check_shell(script)
        self.assertIn(f"mpijob {names['MPIJob']}", script)
        allowed = {resource for rule in documents[1]["rules"] for resource in rule["resources"]}
        self.assertEqual(allowed, {kind.lower() + "s" for kind in names})
        self.assertEqual(pod["serviceAccountName"], documents[0]["metadata"]["name"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
