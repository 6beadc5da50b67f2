"""`rackproof gate`: a node that is well is silent, each played fault is named with the part, and whatever hangs, it ends in
time. A healthy node is gated RACKPROOF_GATES times (20; the nightly run asks for 10,000)."""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

import support

GATES = int(os.environ.get("RACKPROOF_GATES", "20"))
H200 = {
    "name": "NVIDIA H200", "uuid": "GPU-{index}", "pci_id": "10de:2335", "compute_capability": "9.0",
    "memory_bytes": 150754820096, "pcie_generation": 5, "pcie_width": 16, "ecc": True, "persistence": True,
    "vbios": "96.00.9F.00.01", "serial": "16520{index}", "nvlinks": 18, "row_remap_failed": 0,
}
COUNTED = {"milliwatts": 90000, "ecc_corrected": 0, "ecc_uncorrected": 0, "pcie_replays": 0, "nvlink_replays": 0,
           "nvlink_recoveries": 0, "nvlink_flit_crc_errors": 0, "nvlink_data_crc_errors": 0, "remapped_rows": 0}
XID = "4,{},5140900,-;NVRM: Xid (PCI:0000:09:00): {}, pid=1, name=x\n"


class Node(support.Case):
    """A node with four GPUs as NVML plays them, and a kernel's log of its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "root" / "dev").mkdir(parents=True)
        self.log("6,1,1,-;nothing to see\n")
        self.play()

    def play(self, state=None, device=None, devices=None, **host):
        fields = dict(H200, state=dict(COUNTED, **(state or {})), **(device or {}))
        self.write("nvml.json", {"hosts": [{"match": "*", "gpus": 4, "device": fields,
                                            "devices": devices or {}, **host}]})

    def counted(self, index, **state):
        """One GPU with other counters than the rest."""
        return {str(index): {"state": dict(COUNTED, **state)}}

    def log(self, text):
        with open(self.folder / "root" / "dev" / "kmsg", "a", encoding="ascii") as file:
            file.write(text)

    def gate(self, *arguments, state="state", timeout=120, **env):
        command = [str(support.RACKPROOF), "gate", "--state", state, "--counters-root", "root", *map(str, arguments)]
        env = support.environment(TESTED_IN=str(self.folder), FAKE_NVML_FILE=str(self.folder / "nvml.json"),
                                  LD_LIBRARY_PATH=support.FAKE_NVML, SLURMD_NODENAME="n7", **env)
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=env)
        self.seconds = time.monotonic() - began
        return done

    def well(self, *arguments, **env):
        done = self.gate(*arguments, **env)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def bad(self, reason, part="", code=3, arguments=(), **env):
        """Named in the last line."""
        done = self.gate(*arguments, **env)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        last = done.stdout.splitlines()[-1]
        self.assertTrue(last.startswith(f"rackproof: {reason}: "), done.stdout)
        self.assertIn(part, last)
        return done

    def state(self):
        return json.loads((self.folder / "state" / "n7.json").read_text())

    def edit_state(self, change):
        state = self.state()
        node = json.loads(state["look"]["node"])
        change(state, node)
        state["look"]["node"] = json.dumps(node)
        (self.folder / "state" / "n7.json").write_text(json.dumps(state))


@unittest.skipUnless(pathlib.Path(support.FAKE_NVML).exists(), "the fake NVML is not built")
class Health(Node):
    def test_a_node_that_is_well_is_silent_at_every_look(self):
        began = time.monotonic()
        for i in range(GATES):
            self.play(state={"ecc_corrected": i, "pcie_replays": 2 * i})
            self.log(XID.format(10 + i, 31))
            self.well("--mode", ("health", "epilog")[i % 2])
        print(f"{GATES} gates, {(time.monotonic() - began) / GATES:.2f} s each", flush=True)

    def test_a_first_look_says_so_to_those_who_ask_and_is_remembered(self):
        done = self.gate("-v")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note     first-look: ", done.stdout)
        self.assertNotIn("first-look", self.gate("-v").stdout)
        self.assertEqual(os.stat(self.folder / "state" / "n7.json").st_mode & 0o777, 0o600)

    def test_a_lost_gpu_is_named_as_long_as_it_is_lost(self):
        self.well()
        kept = self.state()
        self.play(devices={"2": {"lost": 15}})
        for _ in range(2):
            done = self.bad("gpu-silent", "2: GPU is lost")
            self.assertIn("gpu-missing, GPU-2: ", done.stdout)
        self.assertEqual(self.state(), kept)
        self.play()
        self.well()

    def test_a_gpu_that_is_gone(self):
        self.well()
        self.play(missing=[1])
        self.bad("gpu-missing", "GPU-1")

    def test_no_driver_where_there_were_gpus(self):
        self.well()
        self.play(errors={"nvmlInit_v2": 9})
        self.bad("driver-missing", "Driver Not Loaded")

    def test_a_narrow_link_and_an_nvlink_that_is_down(self):
        self.well()
        self.play(devices={"3": {"pcie_width_now": 8}})
        self.bad("unlike-before", "GPU-3: gpu.pcie_width_now is 8, at the last good look it was 16")
        self.play(devices={"0": {"nvlinks_down": [4]}})
        self.bad("unlike-before", "GPU-0: gpu.nvlinks_active is 17")

    def test_memory_that_is_missing(self):
        self.well()

        def more(_, node):
            node["facts"]["memory.total_bytes"]["value"] *= 2
        self.edit_state(more)
        self.bad("unlike-before", "memory.total_bytes is ")

    def test_memory_that_the_golden_inventory_has(self):
        node = json.loads(self.rackproof("inventory", "--json", LD_LIBRARY_PATH=support.FAKE_NVML,
                                         FAKE_NVML_FILE=str(self.folder / "nvml.json")).stdout)
        self.well("--golden", self.write("golden.json", node))
        node["facts"]["memory.total_bytes"]["value"] *= 2
        self.bad("unlike-golden", "memory.total_bytes is ", arguments=["--golden", self.write("golden.json", node)])
        self.play(missing=[0])
        self.bad("gpu-missing", "there are 3 GPUs, in the golden inventory 4", state="other",
                 arguments=["--golden", self.write("golden.json", node)])

    def test_counters_that_rise(self):
        self.well()
        self.play(devices=self.counted(1, ecc_uncorrected=2))
        self.bad("ecc-uncorrected", "GPU-1: 2 more uncorrected ECC errors")
        # The driver was loaded again, and counts from the beginning.
        self.play()
        self.well()
        self.play(devices=self.counted(3, nvlink_recoveries=1))
        self.bad("nvlink-errors", "GPU-3")

    def test_what_the_kernel_told_since(self):
        self.log(XID.format(5, 79))
        self.well()
        self.log(XID.format(6, 31))
        self.well()
        self.log(XID.format(7, 79))
        self.bad("kernel-error", "0000:09:00")

    def test_a_table_that_is_named(self):
        table = support.platform(support.HOLDS, recognise=[{"fact": "gpu.nvml_count", "equals": 8}])
        self.bad("gpu-missing", " requires 8", arguments=["--platform", self.write("table.json", table)])

    def test_accepted_for_a_reason(self):
        self.well()
        self.play(missing=[1])
        done = self.gate("--accept", "ticket 4711: three GPUs until May")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("accepted gpu-missing, GPU-1", done.stdout)
        self.assertEqual(self.state()["accepted"], "ticket 4711: three GPUs until May")
        self.well()
        self.play(missing=[1, 2])
        self.bad("gpu-missing", "GPU-2")

    def test_as_json(self):
        self.play(devices={"2": {"lost": 15}})
        done = self.gate("--json", "--mode", "epilog")
        self.assertEqual(done.returncode, 3)
        result = json.loads(done.stdout)
        self.assertEqual((result["schema"], result["verdict"], result["mode"], result["node"], result["benches"]),
                         ("rackproof/gate/1", "bad", "epilog", "n7", False))
        self.assertEqual(result["findings"][0]["reason"], "gpu-silent")
        self.assertTrue(result["scheduler_reason"].startswith("rackproof: gpu-silent: "))

    def test_bad_input(self):
        for arguments, words in ((["--limit", "1 s"], "--limit 1 s: expected from 5 s"),
                                 (["--node", "n[1-9]"], "the name of one node"),
                                 (["--mode", "prologue"], "prologue"),
                                 (["--golden", "no.json"], "no.json"),
                                 (["--platform", "no-such-table"], "no-such-table"),
                                 (["--bench", "--no-bench"], "--bench")):
            done = self.gate(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")


@unittest.skipUnless(pathlib.Path(support.FAKE_NVML).exists(), "the fake NVML is not built")
class State(Node):
    def test_a_damaged_state_is_no_pass_and_stays(self):
        self.well()
        file = self.folder / "state" / "n7.json"
        file.write_text(file.read_text()[:-40])
        kept = file.read_text()
        for _ in range(2):
            done = self.bad("state-unreadable", "n7.json", code=4)
            self.assertIn("it is damaged", done.stdout)
        self.assertEqual(file.read_text(), kept)
        self.assertEqual(self.gate("--lenient").returncode, 0)
        self.assertEqual(self.gate("--accept", "looked at").returncode, 0)
        self.well()

    def test_a_damaged_state_hides_nothing(self):
        self.well()
        (self.folder / "state" / "n7.json").write_text("")
        self.play(devices={"2": {"lost": 15}})
        self.bad("gpu-silent")

    def test_what_is_no_file(self):
        (self.folder / "state" / "n7.json").mkdir(parents=True)
        self.bad("state-unreadable", "no regular file", code=4)

    def test_a_state_of_another_machine_makes_a_first_look_and_says_so(self):
        self.well()

        def other(_, node):
            node["facts"]["host.machine_id_hash"] = {"source": "test", "value": "0000000000000000"}
            node["facts"]["memory.total_bytes"]["value"] *= 2
        self.edit_state(other)
        done = self.gate()
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("rackproof: state-foreign: ", done.stderr)
        self.well()

    def test_a_state_of_a_later_version_makes_a_first_look_and_says_so(self):
        self.well()
        (self.folder / "state" / "n7.json").write_text('{"schema": "rackproof/gate-state/9"}')
        done = self.gate()
        self.assertEqual(done.returncode, 0)
        self.assertIn("rackproof: state-other-version: ", done.stderr)

    def test_a_start_of_the_machine(self):
        self.well()

        def other(state, node):
            node["facts"]["host.boot_id"]["value"] = "another"
            state["look"]["last_message"] = 10**9
        self.edit_state(other)
        self.assertIn("restarted", self.gate("-v").stdout)
        self.edit_state(other)
        self.log(XID.format(2, 48))
        self.bad("kernel-error")

    def test_a_place_that_cannot_be_written_drains_nobody(self):
        (self.folder / "full").write_text("a file, where a folder should be")
        done = self.gate(state="full")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("rackproof: state-not-kept: ", done.stderr)

    def test_a_disk_that_is_full_leaves_the_state_before(self):
        self.well()
        kept = self.state()
        command = ["prlimit", "--fsize=0:", str(support.RACKPROOF), "gate", "--state", "state", "--counters-root", "root"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder, env=support.environment(
            TESTED_IN=str(self.folder), FAKE_NVML_FILE=str(self.folder / "nvml.json"),
            LD_LIBRARY_PATH=support.FAKE_NVML, SLURMD_NODENAME="n7"))
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertIn("state-not-kept", done.stderr)
        self.assertEqual(self.state(), kept)
        self.assertEqual([p.name for p in (self.folder / "state").iterdir()], ["n7.json"])


@unittest.skipUnless(pathlib.Path(support.FAKE_NVML).exists(), "the fake NVML is not built")
class Hangs(Node):
    def test_a_driver_that_hangs(self):
        self.well()
        for function in ("nvmlInit_v2", "nvmlDeviceGetVbiosVersion", "nvmlDeviceGetFieldValues"):
            self.play(delays_ms={function: 600000})
            done = self.bad("driver-silent", code=4, arguments=["--limit", "12 s"])
            self.assertLess(self.seconds, 12, done.stdout)
            self.assertEqual(len(done.stdout.splitlines()), 2, done.stdout)
        self.assertEqual(self.gate("--limit", "12 s", "--lenient").returncode, 0)

    def test_a_disk_that_hangs(self):
        os.mkfifo(self.folder / "golden.json")
        done = self.bad("limit-passed", "reading the tables", code=4,
                        arguments=["--limit", "6 s", "--golden", "golden.json"])
        self.assertLess(self.seconds, 6, done.stdout)

    def test_a_signal_leaves_nothing_behind(self):
        self.play(delays_ms={"nvmlInit_v2": 600000})
        process = subprocess.Popen(
            [str(support.RACKPROOF), "gate", "--state", "state"], cwd=self.folder, stdin=subprocess.DEVNULL,
            env=support.environment(TESTED_IN=str(self.folder), FAKE_NVML_FILE=str(self.folder / "nvml.json"),
                                    LD_LIBRARY_PATH=support.FAKE_NVML))
        self.addCleanup(process.wait)
        self.wait_for(lambda: len(support.processes_of(self.folder)) >= 3, what="the look")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(support.processes_of(self.folder, 10), [])


@unittest.skipUnless(pathlib.Path(support.FAKE_NVML).exists(), "the fake NVML is not built")
class Drain(Node):
    SCONTROL = """#!/bin/sh
printf '%s\\n' "$@" >> "$(dirname "$0")/said"
echo -- >> "$(dirname "$0")/said"
[ "$1" = show ] && cat "$(dirname "$0")/shown"
[ -e "$(dirname "$0")/slow" ] && exec sleep 100
exit 0
"""

    def setUp(self):
        super().setUp()
        place = self.folder / "bin"
        place.mkdir()
        (place / "scontrol").write_text(self.SCONTROL)
        (place / "scontrol").chmod(0o755)
        (place / "shown").write_text("NodeName=n7 State=IDLE Reason=none\n")
        self.path = {"PATH": f"{place}:{os.environ['PATH']}"}

    def said(self):
        path = self.folder / "bin" / "said"
        return path.read_text().split("--\n") if path.exists() else []

    def test_a_node_that_is_well_is_not_drained(self):
        self.well("--drain", "do", **self.path)
        self.assertEqual(self.said(), [])

    def test_the_command_is_printed_before_the_reason(self):
        self.play(devices={"2": {"lost": 15}})
        lines = self.bad("gpu-silent", arguments=["--drain", "print"], **self.path).stdout.splitlines()
        self.assertEqual(lines[-2], f"scontrol update NodeName=n7 State=DRAIN Reason='{lines[-1]}'")
        self.assertEqual(self.said(), [])

    def test_the_node_is_drained_with_the_reason(self):
        self.play(devices={"2": {"lost": 15}})
        lines = self.bad("gpu-silent", arguments=["--drain", "do"], **self.path).stdout.splitlines()
        self.assertEqual(lines[-2], "the node is drained")
        self.assertEqual(self.said()[1], f"update\nNodeName=n7\nState=DRAIN\nReason={lines[-1]}\n")

    def test_the_reason_of_somebody_else_stays(self):
        (self.folder / "bin" / "shown").write_text("NodeName=n7 State=IDLE+DRAIN Reason=moved\n")
        self.play(devices={"2": {"lost": 15}})
        done = self.bad("gpu-silent", arguments=["--drain", "do"], **self.path)
        self.assertIn("drained already", done.stdout)
        self.assertEqual(len(self.said()), 2)

    def test_a_node_that_is_not_known_is_drained_unless_that_is_lenient(self):
        self.play(delays_ms={"nvmlInit_v2": 600000})
        self.bad("driver-silent", code=4, arguments=["--drain", "do", "--limit", "20 s"], **self.path)
        self.assertLess(self.seconds, 20)
        self.assertEqual(len(self.said()), 3)
        self.bad("driver-silent", code=0, arguments=["--drain", "do", "--limit", "20 s", "--lenient"], **self.path)
        self.assertEqual(len(self.said()), 3)

    def test_a_scheduler_that_does_not_answer_is_not_waited_for(self):
        (self.folder / "bin" / "slow").touch()
        self.play(devices={"2": {"lost": 15}})
        done = self.bad("gpu-silent", arguments=["--drain", "do"], **self.path)
        self.assertLess(self.seconds, 50)
        self.assertIn("the node is not drained: scontrol: no answer", done.stdout)


class Benches(Node):
    def bench(self, mode, *arguments):
        suite = self.write("suite.json", support.suite([support.step(mode)]))
        table = self.write("table.json", support.platform(support.HOLDS))
        return self.gate("--mode", "prolog", "--suite", suite, "--platform", table, *arguments)

    def test_right_answers(self):
        done = self.bench("ok")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_wrong_answer_is_bad_and_not_remembered(self):
        done = self.bench("wrong-answer")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("rackproof: bench-failed: "), done.stdout)
        self.assertFalse((self.folder / "state" / "n7.json").exists())

    def test_a_bench_that_dies_says_nothing_of_the_node(self):
        done = self.bench("exit-1")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("rackproof: bench-incomplete: "), done.stdout)

    def test_benches_are_left_out_where_they_are_not_wanted(self):
        self.assertEqual(self.bench("wrong-answer", "--no-bench").returncode, 0)
        suite = self.write("suite.json", support.suite([support.step("wrong-answer")]))
        self.assertEqual(self.gate("--mode", "epilog", "--suite", suite).returncode, 0)
        self.assertEqual(self.gate("--mode", "epilog", "--suite", suite, "--bench").returncode, 3)

    def test_no_folder_is_left_behind(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        suite = self.write("suite.json", support.suite([support.step("ok")]))
        self.gate("--mode", "prolog", "--suite", suite, TMPDIR=str(temporary))
        self.assertEqual(list(temporary.iterdir()), [])


class Shipped(support.Case):
    def test_the_shipped_suite_runs_on_this_machine_and_its_answers_are_right(self):
        done = self.rackproof("gate", "--mode", "prolog", "--json", "--state", "state", "--limit", "5 min", timeout=400)
        result = json.loads(done.stdout)
        self.assertTrue(result["benches"], done.stdout)
        self.assertEqual([f for f in result["findings"] if f["reason"] in ("bench-failed", "bench-incomplete")], [])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        print(f"with the shipped suite: {result['seconds']:.1f} s", flush=True)


if __name__ == "__main__":
    support.main()
