"""rackproof under a real Slurm: a whole run, a lost rank, a stopped one, the time limit, a requeue, and whose exit
code counts."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import cluster  # noqa: E402
import support  # noqa: E402
from support import step  # noqa: E402

SBATCH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "slurm" / "rackproof.sbatch"
WORLD = {
    "id": "world", "title": "world", "bench": "collectives", "backend": "mpi",
    "arguments": ["--ops", "all_reduce", "--begin", "8", "--end", "8", "--dtypes", "float", "--redops", "sum",
                  "--min-seconds", "0.01"],
    "placement": "world", "deadline": "60 s", "grace": "1 s",
    "expect": [{"metric": "all_reduce.busbw",
                "parameters": {"bytes": 8, "dtype": "float", "redop": "sum", "ranks": "$ranks"}}],
}
SILENCE, PATIENCE = 20, 30
ENDED = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"}


def slow(name, seconds):
    return step("slow", id=name, arguments=["--mode", "slow", "--seconds", str(seconds)], deadline="60 s")


class Job:
    """The batch script that is shipped, as it is, on one node of the cluster and with a few tasks on it."""

    def __init__(self, slurm, folder, steps, ranks, *options, **env):
        self.slurm, self.folder = slurm, folder
        self.folder.mkdir(parents=True)
        (self.folder / "suite.json").write_text(json.dumps(support.suite(steps)))
        done = subprocess.run(
            ["sbatch", "--parsable", "-N1", f"--ntasks-per-node={ranks}", "--overcommit", "--output=job.log", *options,
             str(SBATCH), "--suite", "suite.json"],
            capture_output=True, text=True, cwd=self.folder, timeout=30,
            env=slurm.environment(RACKPROOF=str(support.RACKPROOF), RACKPROOF_OUT="out", OMPI_MCA_btl="vader,self",
                                  RACKPROOF_TEST=str(self.folder), **env))
        if done.returncode != 0:
            raise AssertionError(f"sbatch: {done.stderr}")
        self.number = done.stdout.strip()

    def log(self):
        path = self.folder / "job.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def lines(self, rank=0, segment=1):
        path = self.folder / "out" / "journals" / f"{segment:04}-rank-{rank:05}.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines(True) if line.endswith("\n")]

    def wait_for(self, condition, seconds, what):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if value := condition():
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s in vain for {what}: {self.log()}\n{self.facts()}")

    def await_step(self, name, seconds=60, segment=1):
        self.wait_for(lambda: any(line["j"] == "step" and line["id"] == name for line in self.lines(0, segment)),
                      seconds, f"step {name}")

    def pid(self, rank):
        return self.wait_for(lambda: [line["pid"] for line in self.lines(rank)[:1]], 60, f"rank {rank}")[0]

    def facts(self):
        return self.slurm.ask("scontrol", "show", "job", self.number)

    def await_end(self, seconds):
        def code():
            words = dict(word.split("=", 1) for word in self.facts().split() if "=" in word)
            return words.get("JobState") in ENDED and words["ExitCode"]
        return self.wait_for(code, seconds, f"the end of job {self.number}")

    def report(self):
        return json.loads((self.folder / "out" / "report.json").read_text())


# Each of these mostly waits, so they run side by side. Each gives its job and what it saw of it.

def killed(slurm, folder):
    job = Job(slurm, folder, [step("ok", id="one"), slow("two", 5), WORLD], 3, RACKPROOF_RESTARTS="1")
    victim = job.pid(2)
    job.await_step("two")
    began = time.monotonic()
    os.kill(victim, signal.SIGKILL)
    job.wait_for(lambda: "srun ended" in job.log(), 60, "the end of srun")
    ended = time.monotonic() - began
    # Written by the warden that outlives rank 0, maybe after srun.
    job.wait_for((job.folder / "out" / "report.json").exists, 30, "the report of the first start")
    first = job.report()
    code = job.await_end(SILENCE + 60)
    return job, {"code": code, "srun": ended, "first": first}


def stopped(slurm, folder):
    job = Job(slurm, folder, [slow("one", 24), step("ok", id="two")], 3)
    victim = job.pid(2)
    job.await_step("one")
    began = time.monotonic()
    os.kill(victim, signal.SIGSTOP)
    code = job.await_end(PATIENCE + 60)
    return job, {"code": code, "end": time.monotonic() - began}


def limited(slurm, folder):
    # Slurm looks at the clock every 30 s and rather warns early: 20 to 50 s after the start.
    job = Job(slurm, folder, [slow(f"s{i}", 7) for i in range(8)], 2, "--time=1", "--signal=TERM@10",
              RACKPROOF_RESTARTS="9")
    # Again from the queue, it has gone on: that is enough to see.
    job.wait_for(lambda: any(line["j"] == "step" and line["state"] == "done" for line in job.lines(0, 2)), 150,
                 "a step of the second start")
    slurm.ask("scancel", job.number)
    code = job.await_end(60)
    subprocess.run([str(support.RACKPROOF), "assemble", "out"], cwd=folder, capture_output=True, check=False)
    return job, {"code": code}


def requeued(slurm, folder):
    job = Job(slurm, folder, [step("ok", id="one"), slow("two", 5), step("ok", id="three"), WORLD], 2)
    job.await_step("two")
    slurm.ask("scontrol", "requeue", job.number)
    code = job.await_end(120)
    return job, {"code": code}


def whole(slurm, folder):
    folder.mkdir()
    (folder / "suite.json").write_text(json.dumps(support.suite([slow("one", 3), WORLD])))
    process = subprocess.Popen(
        ["srun", "--immediate=60", "--mpi=pmix", "-N1", "-n3", "--overcommit", str(support.RACKPROOF), "run", "--suite",
         "suite.json", "--out", "out"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        stdin=subprocess.DEVNULL, cwd=folder,
        env=slurm.environment(RACKPROOF_TEST=str(folder), OMPI_MCA_btl="vader,self"))
    seen = ""
    while process.poll() is None and not seen:
        for pid, line in support.processes_of(folder):
            try:
                if "fake-host" in line:
                    seen = pathlib.Path(f"/proc/{pid}/environ").read_text(errors="replace")
            except OSError:
                continue
        time.sleep(0.05)
    out, err = process.communicate(timeout=90)
    report = json.loads((folder / "out" / "report.json").read_text())
    return report, {"code": process.returncode, "stdout": out, "stderr": err, "environment": seen}


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipIf(cluster.why_not(), cluster.why_not())
class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-slurm-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.slurm = cluster.Cluster(cls.place)
        cls.addClassCleanup(cls.slurm.stop)
        cls.slurm.start()
        plays = [killed, stopped, limited, requeued, whole]
        pool = concurrent.futures.ThreadPoolExecutor(len(plays))
        cls.addClassCleanup(pool.shutdown)
        cls.waiting = {play.__name__: pool.submit(play, cls.slurm, cls.place / play.__name__) for play in plays}

    def job(self, name):
        job, facts = self.waiting[name].result()
        print(f"{name}: " + ", ".join(f"{what} {value:.1f} s" for what, value in facts.items()
                                      if isinstance(value, float)), flush=True)
        self.assertEqual(support.processes_of(job.folder, 5), [], "processes of this job are still there")
        return job, facts

    def outcomes(self, report):
        return {cell["step"]: cell["verdict"]["outcome"] for cell in report["cells"]}

    def test_whole_run(self):
        report, facts = self.waiting["whole"].result()
        self.assertEqual(report["run"]["launcher"], "srun", facts["stderr"])
        self.assertEqual([r["state"] for r in report["ranks"]], ["finished"] * 3)
        self.assertEqual([r["local_rank"] for r in report["ranks"]], [0, 1, 2])
        self.assertEqual(self.outcomes(report), {"one": "unjudged", "world": "verified"}, report["cells"])
        self.assertEqual(facts["stdout"].count("report: "), 1, "rank 0 alone speaks")
        self.assertIn("RACKPROOF_NONCE=", facts["environment"])
        for name in ("SLURM_", "PMIX_", "PMI_", "OMPI_"):
            self.assertNotIn("\0" + name, facts["environment"])

    def test_killed_rank(self):
        job, facts = self.job("killed")
        # This Slurm kills the others at once, and with them what would have made the report: the script does.
        first = facts["first"]
        self.assertEqual(self.outcomes(first), {"one": "unjudged", "two": "untested", "world": "untested"})
        self.assertEqual({r["rank"]: r["state"] for r in first["ranks"]}, {0: "lost", 1: "lost", 2: "lost"})
        # Its warden alone was left to say what happened.
        self.assertEqual([r["rank"] for r in first["ranks"] if "vanished" in r["detail"]], [2])
        # srun has a code of its own; the job's is that of the verdict.
        self.assertIn("srun ended with 137 after start 1", job.log())
        self.assertEqual(facts["code"], "4:0")
        self.assert_gone_on(job)

    def test_stopped_rank(self):
        job, facts = self.job("stopped")
        report = job.report()
        self.assertEqual({r["rank"]: r["state"] for r in report["ranks"]}, {0: "finished", 1: "finished", 2: "lost"})
        self.assertEqual(self.outcomes(report), {"one": "unjudged", "two": "unjudged"})
        self.assertEqual(facts["code"], "4:0")

    def test_time_limit(self):
        job, _ = self.job("limited")
        report = job.report()
        self.assertEqual(report["run"]["segments"], 2, job.log())
        first = job.lines(0, 1)
        [asked] = [line for line in first if line["j"] == "stopping"]
        [ended] = [line for line in first if line["j"] == "ended"]
        self.assertTrue(ended["interrupted"])
        self.assertLess(ended["seconds"] - asked["t"], 5)
        self.assertEqual(first[-1]["reason"], "interrupted")
        self.assert_nothing_twice(report)

    def test_requeue_resumes(self):
        job, _ = self.job("requeued")
        self.assert_gone_on(job)

    def assert_gone_on(self, job):
        report = job.report()
        self.assertEqual(report["run"]["segments"], 2, job.log())
        self.assertTrue(report["run"]["completed"], job.log())
        self.assertLessEqual(set(self.outcomes(report).values()), {"unjudged", "verified"})
        self.assertIn("after start 2 of this job", job.log())
        self.assert_nothing_twice(report)

    def assert_nothing_twice(self, report):
        """No step that one segment completed is run by a later one."""
        done = [(a["step"], a["rank"]) for a in report["attempts"] if a["ending"]["kind"] == "completed"]
        self.assertEqual(len(done), len(set(done)), done)


if __name__ == "__main__":
    support.main()
