"""The hosts themselves: each has a name, a network and processes of its own, and nothing of them outlives the
test, however that ends."""
import pathlib
import subprocess
import sys
import unittest

import cases

OWNER = """
import sys, time
sys.path.insert(0, {path!r})
import hosts
made = hosts.Hosts(2, {folder!r})
made["node2"].start("sleep", "600")
print(made["node1"].pid, made["node2"].pid, made.switch.pid, flush=True)
time.sleep(600)
"""


class Fixture(cases.Case):
    def test_each_host_is_one(self):
        hosts = self.hosts(2, uts={"node2": "x" * 64})
        self.assertEqual(hosts["node1"].do("hostname").strip(), "node1")
        self.assertEqual(hosts["node2"].do("hostname").strip(), "x" * 64)
        self.assertIn("10.77.0.2", hosts["node2"].do("ip", "-br", "addr"))
        self.assertEqual(hosts["node1"].processes(), [])
        hosts["node2"].start("sleep", "600")
        self.wait_for(lambda: len(hosts["node2"].processes()) == 1, what="the process")
        self.assertEqual(hosts["node1"].processes(), [])

    def test_all_is_gone_when_the_owner_is_killed(self):
        path = str(pathlib.Path(cases.support_hosts.__file__).parent)
        with subprocess.Popen([sys.executable, "-c", OWNER.format(path=path, folder=str(self.folder / "own"))],
                              stdout=subprocess.PIPE, text=True) as owner:
            first = [int(pid) for pid in owner.stdout.readline().split()]
            self.assertEqual(len(first), 3)
            owner.kill()
        self.wait_for(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in first),
                      what="the end of the hosts")


if __name__ == "__main__":
    cases.support.main()
