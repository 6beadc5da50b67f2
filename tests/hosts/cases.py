"""What the tests over several hosts share: a run of the real program over them, and what it left."""
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("integration", "support/hosts"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

import hosts as support_hosts  # noqa: E402  (the paths above come first)
import support  # noqa: E402
from support import step, suite  # noqa: E402,F401

OTHER_VERSION = support.BUILD / "tests" / "hosts" / "rackproof-other"
PLATFORMS = support.STAGE / "share" / "rackproof" / "configs" / "platforms"
WHY_NOT = support_hosts.why_not("nft", "tc") or (None if support.HAS_MPIRUN else support.WITHOUT_MPIRUN)


def world(bench, arguments, metrics, parameters, **more):
    """A step inside the ranks."""
    fields = {"id": bench, "title": bench, "bench": bench, "backend": "mpi", "arguments": arguments,
              "placement": "world", "deadline": "60 s", "grace": "1 s",
              "expect": [{"metric": metrics, "parameters": {**parameters, "ranks": "$ranks"}}]}
    fields.update(more)
    return fields


def all_reduce(size, **more):
    return world("collectives",
                 ["--ops", "all_reduce", "--begin", str(size), "--end", str(size), "--dtypes", "float",
                  "--redops", "sum", "--iterations", "5", "--warmup", "1", "--min-seconds", "0.01"],
                 "all_reduce.busbw", {"bytes": size, "dtype": "float", "redop": "sum"}, **more)


def matrix(size, **more):
    step_of_links = world("pairs", ["--sizes", str(size), "--tests", "one", "--samples", "5", "--warmup", "0"],
                          "pairs.bandwidth", {"bytes": size, "direction": ["forward", "backward"]}, **more)
    step_of_links["expect"][0]["for_each"] = "link"
    return step_of_links


class Case(support.Case):
    """Hosts are gone before the test's folder is searched for what was left behind."""

    suite_fields = {}  # beside the steps

    def setUp(self):
        if WHY_NOT:
            self.skipTest(WHY_NOT)
        super().setUp()
        self.all_hosts = []

    def tearDown(self):
        for one in self.all_hosts:
            one.close()
        super().tearDown()

    def hosts(self, count, name="hosts", **more):
        made = support_hosts.Hosts(count, self.folder / name, **more)
        made.base_environment = support.environment(RACKPROOF_TEST=str(self.folder))
        self.all_hosts.append(made)
        return made

    def command(self, hosts, steps, *arguments, out="out", **more):
        path = self.write(f"{out}-suite.json", suite(steps, **self.suite_fields))
        return [*hosts.mpirun(**more), support.RACKPROOF, "run", "--suite", path, "--out", out, *arguments]

    def start_on(self, hosts, words, name="out"):
        """On the first host, where the launcher runs; what it says goes to files."""
        with (self.folder / f"{name}.stdout").open("w") as out, (self.folder / f"{name}.stderr").open("w") as err:
            return hosts["node1"].start(*words, env=hosts.base_environment, cwd=self.folder, stdout=out, stderr=err)

    def said(self, name="out"):
        return (self.folder / f"{name}.stdout").read_text(), (self.folder / f"{name}.stderr").read_text()

    def run_on(self, hosts, steps, *arguments, out="out", timeout=120, **more):
        """Gives the launcher's exit code."""
        process = self.start_on(hosts, self.command(hosts, steps, *arguments, out=out, **more), out)
        try:
            return process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.fail(f"the launcher did not end in {timeout} s: {self.said(out)}")

    def check_quiet(self, hosts, names=None):
        """Nothing runs on a host any more but its first process."""
        for name in names or hosts.hosts:
            self.wait_for(lambda name=name: not hosts[name].processes(), seconds=20,
                          what=f"the end of everything on {name}")

    def journal(self, rank, out="out", segment=1):
        path = self.folder / out / "journals" / f"{segment:04}-rank-{rank:05}.jsonl"
        return path.read_text() if path.exists() else ""

    def wait_for_step(self, name, ranks, out="out", segment=1, seconds=60):
        """Until every rank has begun the step."""
        for rank in ranks:
            self.wait_for(lambda rank=rank: f"/{name}/" in self.journal(rank, out, segment), seconds,
                          what=f"step {name} on rank {rank}: {self.said(out)}")

    def findings(self, report, finding_id):
        return [finding for finding in report["findings"] if finding["id"] == finding_id]

    def assembled(self, out="out"):
        self.rackproof("assemble", out)
        return self.report(out)

    def outcomes(self, report, step_id):
        """By subject."""
        found = {}
        for cell in report["cells"]:
            if cell["step"] != step_id:
                continue
            subject = cell["subject"]
            found[subject.get("host") or subject.get("group")] = cell["verdict"]["outcome"]
        return found


def seconds_since(start):
    return time.monotonic() - start
