"""GPUs through a stand-in for NVIDIA's management library: a node with eight of them, without any."""
import json
import unittest

import support


class Inventory(support.Case):
    def devices(self, fake):
        done = self.rackproof("inventory", "--json", LD_LIBRARY_PATH=support.FAKE_NVML,
                              FAKE_NVML=fake)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_eight(self):
        node = self.devices("gpus=8 host=rack7")
        self.assertEqual([d["uuid"] for d in node["devices"]],
                         [f"GPU-rack7-{i}" for i in range(8)])
        self.assertEqual(node["devices"][3]["facts"]["gpu.name"]["value"], "Fake H200")
        self.assertEqual(node["facts"]["gpu.nvml_count"]["value"], 8)

    def test_none(self):
        node = self.devices("gpus=0")
        self.assertEqual(node["devices"], [])
        self.assertEqual(node["facts"]["gpu.nvml_count"]["value"], 0)

    def test_driver_in_trouble(self):
        node = self.devices("gpus=8 init=9")
        self.assertEqual(node["devices"], [])
        self.assertIn("Driver Not Loaded", node["facts"]["gpu.nvml_count"]["unreadable"])

    def test_for_people(self):
        done = self.rackproof("inventory", LD_LIBRARY_PATH=support.FAKE_NVML, FAKE_NVML="gpus=1")
        self.assertIn("device 0, GPU-node0-0", done.stdout)
        self.assertIn("gpu.memory_bytes", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
