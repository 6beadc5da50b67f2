"""rackproof gate as Prolog, Epilog and HealthCheckProgram of a real Slurm, by the script that is shipped: a played fault
drains its node with the reason, the job goes elsewhere, and nodes that are well stay."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import cluster  # noqa: E402
import support  # noqa: E402

GATE = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "slurm" / "gate.sh"
STATE = {"milliwatts": 90000, "ecc_corrected": 0, "ecc_uncorrected": 0}
# Slurm starts these programs with its own few variables: what plays the hardware comes by this file.
WRAPPER = """#!/bin/sh
export RACKPROOF_GATE_CONF={folder}/gate.conf TESTED_IN={folder} LD_LIBRARY_PATH={libraries}
export FAKE_NVML_FILE={folder}/$SLURMD_NODENAME.json
exec {gate} >> {folder}/gate.$SLURMD_NODENAME.log 2>&1
"""


class Gated(unittest.TestCase):
    """A cluster of its own for each test: a node is drained for good."""

    CONFIGURATION = ""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-gate-slurm-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.nodes = [f"node{i + 1}" for i in range(cluster.NODES)]
        for node in self.nodes:
            self.play(node)
        (self.folder / "root" / "dev").mkdir(parents=True)
        (self.folder / "root" / "dev" / "kmsg").touch()
        wrapper = self.folder / "gate"
        wrapper.write_text(WRAPPER.format(
            folder=self.folder, gate=GATE, libraries=f"{support.FAKE_NVML}:{cluster.PLUGINS}:{cluster.LIBRARIES}"))
        wrapper.chmod(0o755)
        self.slurm = cluster.Cluster(self.folder / "slurm", more=self.CONFIGURATION.format(gate=wrapper))
        (self.folder / "gate.conf").write_text(
            f"RACKPROOF={support.RACKPROOF}\nSLURM_CONF={self.slurm.conf}\nPATH={cluster.UNPACKED}/bin:$PATH\n"
            f"RACKPROOF_GATE='--state {self.folder}/state --counters-root {self.folder}/root'\n"
            "RACKPROOF_GATE_PROLOG=--no-bench\n")
        self.addCleanup(self.slurm.stop)
        self.slurm.start(60)

    def play(self, node, **host):
        device = {"name": "NVIDIA H200", "uuid": f"GPU-{node}-{{index}}", "state": STATE}
        text = json.dumps({"hosts": [{"match": "*", "gpus": 2, "device": device, **host}]})
        # Whole, whatever reads it meanwhile.
        (self.folder / f"{node}.new").write_text(text)
        (self.folder / f"{node}.new").rename(self.folder / f"{node}.json")

    def look(self, node):
        """The node as it is, remembered."""
        subprocess.run([str(self.folder / "gate")], check=True, timeout=60,
                       env=self.slurm.environment(SLURMD_NODENAME=node))

    def fact(self, node, name):
        text = self.slurm.ask("scontrol", "show", "node", node)
        for line in text.splitlines():
            if line.strip().startswith(f"{name}="):
                return line.strip()[len(name) + 1:]
            for word in line.split():
                if word.startswith(f"{name}="):
                    return word[len(name) + 1:]
        return ""

    def drained(self, node):
        return "DRAIN" in self.fact(node, "State")

    def await_drained(self, node, reason, seconds=90):
        self.slurm.await_true(lambda: self.drained(node), seconds, f"{node} to be drained; {self.said()}")
        self.assertTrue(self.fact(node, "Reason").startswith(f"rackproof: {reason}: "), self.fact(node, "Reason"))

    def said(self):
        return "".join(path.read_text() for path in sorted(self.folder.glob("gate.node*.log")))

    def submit(self, *options, script="#!/bin/sh\nhostname; echo $SLURMD_NODENAME\n"):
        done = subprocess.run(["sbatch", "--parsable", "-N1", f"--output={self.folder}/job.%j", *options],
                              input=script, capture_output=True, text=True, timeout=30, cwd=self.folder,
                              env=self.slurm.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def await_state(self, job, state, seconds=90):
        self.slurm.await_true(lambda: self.slurm.state(job) == state, seconds, f"job {job} {state}; {self.said()}")

    def others_are_well(self, *drained):
        for node in self.nodes:
            self.assertEqual(self.drained(node), node in drained, f"{node}: {self.fact(node, 'Reason')}; {self.said()}")


@unittest.skipIf(cluster.why_not(), cluster.why_not())
class Prolog(Gated):
    CONFIGURATION = "Prolog={gate}\nEpilog={gate}\nSchedulerParameters=nohold_on_prolog_fail\n"

    def test_a_fault_before_the_job_drains_the_node_and_the_job_goes_elsewhere(self):
        self.look("node1")
        self.play("node1", missing=[1])
        job = self.submit()
        self.await_drained("node1", "gpu-missing")
        self.assertIn("GPU-node1-1", self.fact("node1", "Reason"))
        self.await_state(job, "COMPLETED")
        self.assertNotIn("node1", (self.folder / f"job.{job}").read_text().splitlines())
        self.others_are_well("node1")

    def test_a_fault_of_the_job_drains_the_node_after_it(self):
        for node in self.nodes:
            self.look(node)
        bad = json.loads((self.folder / "node1.json").read_text())
        bad["hosts"][0]["devices"] = {"0": {"state": dict(STATE, ecc_uncorrected=1)}}
        (self.folder / "bad.json").write_text(json.dumps(bad))
        job = self.submit("-w", "node1", script=f"#!/bin/sh\ncp {self.folder}/bad.json {self.folder}/node1.json\n")
        self.await_state(job, "COMPLETED")
        self.await_drained("node1", "ecc-uncorrected")
        job = self.submit()
        self.await_state(job, "COMPLETED")
        self.others_are_well("node1")


@unittest.skipIf(cluster.why_not(), cluster.why_not())
class Health(Gated):
    CONFIGURATION = "HealthCheckProgram={gate}\nHealthCheckInterval=3\n"

    def test_faults_drain_their_nodes_from_time_to_time(self):
        state = self.folder / "state"
        self.slurm.await_true(lambda: all((state / f"{node}.json").exists() for node in self.nodes), 60,
                              f"a first look at each node; {self.said()}")
        self.others_are_well()
        self.play("node2", devices={"0": {"lost": 15}})
        self.play("node4", delays_ms={"nvmlInit_v2": 600000})
        self.await_drained("node2", "gpu-silent")
        # Within the 50 s that a gate has, before Slurm ends it after 60.
        self.await_drained("node4", "driver-silent")
        # Another round of looks leaves the others, and the reasons.
        began = time.time()
        self.slurm.await_true(lambda: all((state / f"{node}.json").stat().st_mtime > began
                                          for node in ("node1", "node3", "node5")), 90, "another round")
        self.others_are_well("node2", "node4")
        self.assertTrue(self.fact("node2", "Reason").startswith("rackproof: gpu-silent: "))


if __name__ == "__main__":
    support.main()
