"""A rank that is killed, stopped or aborts, at any instant: it is named with the last step it reached, what was
measured is kept, the others go on where the launcher lets them and end in order where it does not, and everything
is over within its bound. RACKPROOF_SEED and RACKPROOF_ROUNDS choose the instants and how many are tried."""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import racks
import support
from support import step

SEED = int(os.environ.get("RACKPROOF_SEED", "1"))
ROUNDS = int(os.environ.get("RACKPROOF_ROUNDS", "3"))
RECOVERY = ["--enable-recovery"]
# Silence that makes a rank lost; patience of a rank with rank 0 and of a warden with a stopped rank.
SILENCE, PATIENCE = 20, 30
DEADLINE = 8
# Of steps that nothing happens to, or whose ranks the launcher ends: never reached but by a starved machine.
FAR_DEADLINE = 60
WORLD = {
    "id": "world", "title": "world", "bench": "collectives", "backend": "mpi",
    "arguments": ["--ops", "all_reduce", "--begin", "8", "--end", "8", "--dtypes", "float", "--redops", "sum",
                  "--min-seconds", "0.01"],
    "placement": "world", "deadline": f"{DEADLINE} s", "grace": "1 s",
    "expect": [{"metric": "all_reduce.busbw",
                "parameters": {"bytes": 8, "dtype": "float", "redop": "sum", "ranks": "$ranks"}}],
}


def slow(name, seconds, deadline=DEADLINE):
    return step("slow", id=name, arguments=["--mode", "slow", "--seconds", str(seconds)], deadline=f"{deadline} s")


def wait_for(condition, seconds, what):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if value := condition():
                return value
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


def gone(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


class Job:
    """A run under mpirun in a folder of its own, each rank on a host of its own."""

    def __init__(self, folder, steps, ranks, launcher=(), preload=None, preloaded=None):
        """With a preloaded library for one rank, the last unless said."""
        self.folder, self.ranks = folder, ranks
        self.folder.mkdir(parents=True)
        self.out = self.folder / "out"
        self.errors = self.folder / "stderr"
        (self.folder / "suite.json").write_text(json.dumps(support.suite(steps)))
        self.preloaded = ranks - 1 if preloaded is None else preloaded
        self.process = self.launch(["--suite", "suite.json", "--out", "out"], launcher, preload)

    def launch(self, arguments, launcher=(), preload=None):
        rank = [str(racks.AS_HOST), "node-%d", "1", "-", str(support.RACKPROOF), "run", *arguments]
        command = [*support.MPIRUN, *launcher]
        if preload:  # for one rank alone; mpirun 5.0.7 crashes when it is given two programs
            only = '[ "$OMPI_COMM_WORLD_RANK" != "$0" ] || export LD_PRELOAD="$1"; shift; exec "$@"'
            rank = ["sh", "-c", only, str(self.preloaded), str(preload), *rank]
        command += ["-n", str(self.ranks), *rank]
        with open(self.errors, "a", encoding="utf-8") as errors:
            return subprocess.Popen(command, stdout=errors, stderr=errors, stdin=subprocess.DEVNULL, cwd=self.folder,
                                    env=support.environment(RACKPROOF_TEST=str(self.folder)))

    def journal(self, rank):
        path = self.out / "journals" / f"0001-rank-{rank:05}.jsonl"
        return path.read_text(errors="replace") if path.exists() else ""

    def lines(self, rank):
        return [json.loads(line) for line in self.journal(rank).splitlines(True) if line.endswith("\n")]

    def pids(self):
        """Process id by rank, once all journals are there."""
        def found():
            firsts = [self.lines(rank)[:1] for rank in range(self.ranks)]
            return all(firsts) and {line["rank"]: line["pid"] for [line] in firsts}
        return wait_for(found, 90, f"the journals; {self.errors.read_text()}")

    def await_step(self, name, rank=None):
        """Until rank 0 has begun the step, or that rank has."""
        def there():
            if rank is not None:
                return f'"step":"{name}"' in self.journal(rank)
            return any(line["j"] == "step" and line["id"] == name and line["state"] == "begun"
                       for line in self.lines(0))
        wait_for(there, 90, f"step {name}; {self.errors.read_text()}")

    def end(self, seconds):
        """mpirun's exit code, or None after this long."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def report(self, seconds=60):
        """The last act waits up to 45 s for the other journals."""
        path = self.out / "report.json"
        return wait_for(lambda: path.exists() and json.loads(path.read_text()), seconds,
                        f"the report; the launcher's output was\n{self.errors.read_text()}")


def outcomes(report, step_id):
    return {cell["subject"]["host"]: cell["verdict"]["outcome"] for cell in report["cells"] if cell["step"] == step_id}


# What takes long is waiting for silence to be certain: these jobs run side by side. Each gives its job, and seconds
# after the loss.

def survivors(folder):
    job = Job(folder, [slow("one", 2), slow("two", 4), WORLD, step("ok", id="three")], 4, RECOVERY)
    pids = job.pids()
    for rank in (1, 2):
        job.await_step("two", rank)
    began = time.monotonic()
    os.kill(pids[1], signal.SIGKILL)
    os.kill(pids[2], signal.SIGSTOP)
    job.report(SILENCE + 2 * DEADLINE + 10)
    reported = time.monotonic() - began
    wait_for(lambda: gone(pids[0]), 15, "the end of rank 0")
    rank_0 = time.monotonic() - began
    code = job.end(PATIENCE + 30)
    mpirun = time.monotonic() - began
    # That of Open MPI 5 does not wait for it; its own warden ends it.
    wait_for(lambda: gone(pids[2]), PATIENCE + 15, "the end of the stopped rank")
    return job, {"report": reported, "rank 0": rank_0, "mpirun": mpirun, "stopped rank": time.monotonic() - began,
                 "code": code}


def is_open_mpi_4():
    return " 4." in subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout


def headless(folder):
    job = Job(folder, [slow("one", 1), step("hang", deadline="120 s")], 3, RECOVERY)
    pids = job.pids()
    for rank in (1, 2):
        job.await_step("hang", rank)
    began = time.monotonic()
    os.kill(pids[0], signal.SIGKILL)
    code = job.end(PATIENCE + 30)
    ended = time.monotonic() - began
    job.report()
    return job, {"mpirun": ended, "report": time.monotonic() - began, "code": code}


def stopped(folder):
    job = Job(folder, [slow("one", 2), slow("two", 1)], 3)
    pids = job.pids()
    job.await_step("one", 1)
    began = time.monotonic()
    os.kill(pids[1], signal.SIGSTOP)
    code = job.end(SILENCE + 2 * DEADLINE + 30)
    ended = time.monotonic() - began
    # The launcher sends KILL and leaves: the kernel may take a moment.
    wait_for(lambda: gone(pids[1]), 15, "the end of the stopped rank")
    return job, {"mpirun": ended, "code": code}


def late_report(folder):
    job = Job(folder, [step("ok")], 3, preload=support.BUILD / "tests" / "fakes" / "late-rename.so", preloaded=0)
    wait_for(lambda: '"reason":"finished"' in job.journal(1), 60, "the end of the steps")
    began = time.monotonic()
    code = job.end(120)
    return job, {"mpirun": time.monotonic() - began, "code": code}


@unittest.skipUnless(support.HAS_MPIRUN, support.WITHOUT_MPIRUN)
@unittest.skipUnless(racks.namespaces_work(), "namespaces for hosts of their own are not permitted here")
class LostRanks(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.addClassCleanup(support.end_all, cls.place)
        pool = concurrent.futures.ThreadPoolExecutor()
        cls.addClassCleanup(pool.shutdown)
        cls.waiting = {play.__name__: pool.submit(play, cls.place / play.__name__)
                       for play in (survivors, headless, stopped, late_report)}

    def setUp(self):
        super().setUp()
        self.addCleanup(support.end_all, self.folder)

    def job(self, name):
        job, facts = self.waiting[name].result()
        self.say(", ".join(f"{what} {value:.1f} s" if isinstance(value, float) else f"{what} {value}"
                           for what, value in facts.items()))
        self.assertIsNotNone(facts["code"], "mpirun did not end: " + job.errors.read_text())
        self.assertEqual(support.processes_of(job.folder, 3), [], "processes of this job are still there")
        return job, facts

    def start(self, name, *arguments, **more):
        return Job(self.folder / name, *arguments, **more)

    def lost(self, report, rank):
        info = {r["rank"]: r for r in report["ranks"]}[rank]
        self.assertEqual(info["state"], "lost", info)
        named = [f for f in report["findings"] if f["id"] == "rank-lost" and
                 f["subject"] == f"rank {rank} on node-{rank}"]
        self.assertEqual(len(named), 1, report["findings"])
        return info["detail"], named[0]

    def say(self, text):
        print(f"{self.id().split('.')[-1]}: {text}", flush=True)

    def test_survivors_finish_without_a_killed_and_a_stopped_rank(self):
        job, facts = self.job("survivors")
        report = job.report()
        self.assertLess(facts["rank 0"], SILENCE + DEADLINE + 10)
        self.assertLess(facts["mpirun"], PATIENCE + 15)
        self.assertLess(facts["stopped rank"], PATIENCE + 15)
        for rank in (1, 2):
            detail, finding = self.lost(report, rank)
            self.assertRegex(detail, r"^silent for 2\d s; the last step it reached was two$")
            self.assertEqual(finding["step"], "two")
        self.assertEqual(outcomes(report, "one"), {f"node-{rank}": "unjudged" for rank in range(4)})
        # What the stopped rank had running came to its end in its journal, and counts.
        self.assertEqual(outcomes(report, "two"), {"node-0": "unjudged", "node-1": "untested", "node-2": "unjudged",
                                                   "node-3": "unjudged"})
        self.assertEqual(outcomes(report, "three"), {"node-0": "unjudged", "node-1": "untested", "node-2": "untested",
                                                     "node-3": "unjudged"})
        [world] = [cell["verdict"] for cell in report["cells"] if cell["step"] == "world"]
        self.assertEqual((world["outcome"], world["reason_id"]), ("untested", "late-rank"))
        self.assertEqual(report["acceptance"], "incomplete")
        self.assertIn('"reason":"rank-stopped"', job.journal(2))
        self.assertIn('"reason":"finished"', job.journal(3))

    def test_survivors_leave_when_rank_0_is_killed(self):
        job, facts = self.job("headless")
        report = job.report()
        self.assertLess(facts["mpirun"], PATIENCE + 10)
        detail, finding = self.lost(report, 0)
        self.assertIn("vanished", detail)
        self.assertEqual(finding["step"], "hang")
        # Nobody may take it for an accepted run. Open MPI 4 forgets what its ranks end with when told to recover.
        if not is_open_mpi_4():
            self.assertNotEqual(facts["code"], 0, job.errors.read_text())
        self.assertEqual(set(outcomes(report, "one").values()), {"unjudged"})
        self.assertEqual(set(outcomes(report, "hang").values()), {"untested"})
        # The last act waited for them: what they ran is ended, not cut off.
        for rank in (1, 2):
            self.assertIn("rank 0 fell silent", job.journal(rank))
        self.assertEqual({r["rank"]: r["state"] for r in report["ranks"]}, {0: "lost", 1: "finished", 2: "finished"})

    def test_a_stopped_rank_does_not_keep_the_job(self):
        job, facts = self.job("stopped")
        self.assertEqual(facts["code"], 4, job.errors.read_text())
        report = job.report()
        self.assertEqual(self.lost(report, 1)[1]["step"], "one")
        self.assertEqual(outcomes(report, "two"), {"node-0": "unjudged", "node-1": "untested", "node-2": "unjudged"})

    def test_no_rank_leaves_before_the_report_is_written(self):
        """The first that leaves ends the job for rank 0, too; a large report takes longer than they wait in silence."""
        job, facts = self.job("late_report")
        self.assertGreater(facts["mpirun"], PATIENCE)
        report = json.loads((job.out / "report.json").read_text())
        self.assertEqual(facts["code"], {"verified": 7, "incomplete": 4}[report["acceptance"]], job.errors.read_text())
        self.assertEqual({r["state"] for r in report["ranks"]}, {"finished"})

    def test_in_a_collective(self):
        for launcher in ([], RECOVERY):
            with self.subTest(launcher=launcher):
                world = dict(WORLD, arguments=WORLD["arguments"][:-1] +
                             ["60", "--max-iterations", "10000000"])
                job = self.start("collective" + "".join(launcher), [step("ok"), world], 3, launcher)
                pids = job.pids()
                wait_for(lambda: "rank-2" in job.journal(2), 60, "the collective")
                began = time.monotonic()
                os.kill(pids[2], signal.SIGKILL)
                self.assertIsNotNone(job.end(DEADLINE + 10), "mpirun did not end")
                report = job.report()
                self.say(f"{launcher or 'plain'}: report {time.monotonic() - began:.1f} s after the loss")
                self.assertEqual(report["acceptance"], "incomplete")
                self.assertEqual(self.lost(report, 2)[1]["step"], "world")
                self.assertEqual(set(outcomes(report, "ok").values()), {"unjudged"})
                [cell] = [cell for cell in report["cells"] if cell["step"] == "world"]
                self.assertEqual(cell["verdict"]["outcome"], "untested")

    def test_abort(self):
        preload = support.BUILD / "tests" / "fakes" / "abort-on-signal.so"
        job = self.start("abort", [slow("one", 1), step("hang", deadline="60 s")], 3, preload=preload)
        pids = job.pids()
        job.await_step("hang")
        began = time.monotonic()
        os.kill(pids[2], signal.SIGUSR1)
        self.assertNotIn(job.end(10), (None, 0))
        report = job.report()
        self.say(f"report {time.monotonic() - began:.1f} s after MPI_Abort")
        self.lost(report, 2)
        self.assertEqual(set(outcomes(report, "one").values()), {"unjudged"})
        self.assertEqual(set(outcomes(report, "hang").values()), {"untested"})

    def test_random_instants(self):
        chance = random.Random(SEED)
        names = [f"s{i}" for i in range(5)]
        for number in range(ROUNDS):
            victim = chance.randrange(3)
            how = chance.choice([signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV])
            instant = chance.uniform(0, 3)
            with self.subTest(seed=SEED, round=number, victim=victim, signal=how.name, instant=instant):
                steps = [slow(name, 0.4, FAR_DEADLINE) for name in names]
                job = self.start(f"random-{number}", [*steps, dict(WORLD, deadline=f"{FAR_DEADLINE} s")], 3)
                pids = job.pids()
                # Of a run whose rank 0 is gone before it has written down what is owed there is no report.
                job.await_step(names[0])
                time.sleep(instant)
                if not gone(pids[victim]):
                    os.kill(pids[victim], how)
                self.assertIsNotNone(job.end(FAR_DEADLINE + 15), "mpirun did not end")
                self.check_round(job, names)

    def check_round(self, job, names):
        report = job.report()
        done = {line["id"] for line in job.lines(0) if line["j"] == "step" and line["state"] == "done"}
        for name in names:
            measured = {"unjudged"} if name in done else {"unjudged", "untested"}
            self.assertLessEqual(set(outcomes(report, name).values()), measured, name)
        if report["run"]["completed"]:
            return
        self.assertEqual(report["acceptance"], "incomplete")
        job.end(0)
        resumed = job.launch(["--resume", "out"])
        self.assertNotEqual(resumed.wait(2 * FAR_DEADLINE), 2, job.errors.read_text())
        report = json.loads((job.out / "report.json").read_text())
        self.assertTrue(report["run"]["completed"], job.errors.read_text())
        self.assertLessEqual({cell["verdict"]["outcome"] for cell in report["cells"]}, {"unjudged", "verified"})
        self.assertEqual(len({(a["step"], a["host"]) for a in report["attempts"] if a["step"] in done}),
                         len(done) * job.ranks)
        again = [a for a in report["attempts"] if a["step"] in done and a["nonce"].split("/")[1] == "2"]
        self.assertEqual(again, [], "a step that was done was run again")


if __name__ == "__main__":
    support.main()
