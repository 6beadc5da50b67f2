"""steps-host as a user has it, under a launcher: what it refuses, what it prints, and planted faults that it names.

Nothing here depends on how fast the machine is: what is late is so by more than a step can be."""
import json
import subprocess

import support

PROGRAM = support.STAGE / "libexec" / "rackproof" / "steps-host"
USAGE, WRONG_ANSWER = 2, 4
LLAMA = ("--card", "llama-8b")
TINY = ("--layers", "2", "--scale", "64", "--sequence", "32", "--micro-batches", "2",
        "--steps", "3", "--rounds", "6", "--sizes", "4096", "--batches", "2", "--context", "16")
CARD = {"name": "m", "hidden_size": 64, "layers": 4, "heads": 4, "kv_heads": 2, "feed_forward": 128, "experts": 1,
        "experts_per_token": 1, "precision": "bf16"}


class Steps(support.Case):
    def setUp(self):
        super().setUp()
        if not PROGRAM.exists() or not support.HAS_MPIRUN:
            self.skipTest(support.WITHOUT_MPIRUN)

    def steps(self, ranks, *arguments):
        return subprocess.run([*support.MPIRUN, "-n", str(ranks), str(PROGRAM), *map(str, arguments)], text=True,
                              capture_output=True, timeout=300, cwd=self.folder, stdin=subprocess.DEVNULL,
                              env=support.environment())

    def records(self, ranks, *arguments):
        card = () if "--card" in arguments else LLAMA
        done = self.steps(ranks, "--json", *card, *TINY, *arguments)
        return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def refuse(self, ranks, arguments, *words):
        done = self.steps(ranks, *arguments)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("steps-host: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def card(self, **changes):
        fields = {**CARD, **changes}
        path = self.folder / "m.json"
        path.write_text(json.dumps({name: value for name, value in fields.items() if value is not None}, indent=1))
        return ("--card", "m.json", "--sequence", "32")

    def test_refusals(self):
        self.refuse(2, ("--card", "gpt-9"), "--card gpt-9", "llama-8b", "mixtral-8x7b")
        self.refuse(2, self.card(heads=None), "m.json: \"heads\" is missing", "expected")
        self.refuse(2, self.card(heads=7), "m.json:5: \"heads\"", "divisor")
        self.refuse(2, (*LLAMA, *TINY, "--tp", "2", "--pp", "2"), "a product of 2", "the nearest that fit 2 ranks: --tp")
        self.refuse(3, (*LLAMA, *TINY, "--pp", "3"), "--pp 3", "at most one stage a layer")
        self.refuse(2, ("--card", "llama-70b", "--tp", "2"), "GiB are missing", "fits")
        self.refuse(2, (*LLAMA, *TINY, "--tp", "2", "--fsdp"), "--fsdp: expected --dp of at least 2")
        self.refuse(2, (*LLAMA, *TINY, "--dp", "2", "--fsdp", "--parts", "decode"), "--fsdp: expected --parts without")
        self.refuse(3, (*self.card(hidden_size=64, heads=4), "--dp", "3", "--fsdp"), "to divide the 64 rows of a matrix")

    def test_each_part_is_proved_under_each_layout(self):
        for ranks, layout in ((1, ()), (2, ("--tp", "2", "--sequence-parallel")), (2, ("--pp", "2")),
                              (4, ("--tp", "2", "--dp", "2", "--progress", "thread")),
                              (4, ("--pp", "2", "--dp", "2", "--fsdp"))):
            with self.subTest(layout=layout):
                parts = "overlap,train" + ("" if "--fsdp" in layout else ",prefill,decode") + (",kv" if ranks > 1 else "")
                done, records = self.records(ranks, "--parts", parts, *layout)
                self.assertEqual(done.returncode, 0, done.stderr)
                checks = [record for record in records if record["kind"] == "check"]
                self.assertTrue(all(check["passed"] and check["compared"] > 0 for check in checks))
                self.assertIn("steps.train", [check["name"] for check in checks])

    def test_experts(self):
        done, records = self.records(4, "--card", "mixtral-8x7b", "--ep", "2", "--tp", "2", "--parts", "train")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("steps.step_time", [record["name"] for record in records if record["kind"] == "metric"])

    def test_a_flipped_bit_is_named_with_rank_layer_tensor_and_element(self):
        for part, check in (("train", "steps.train"), ("prefill", "steps.prefill"), ("kv", "steps.kv_transfer"),
                            ("decode", "steps.decode.2"), ("overlap", "steps.overlap.tensor")):
            with self.subTest(part=part):
                done, records = self.records(2, "--tp", "2", "--parts", part, "--inject", "bitflip:77:3")
                self.assertEqual(done.returncode, WRONG_ANSWER, done.stderr)
                wrong = [record for record in records if record["kind"] == "check" and not record["passed"]]
                self.assertTrue(wrong[0]["name"].startswith(check), wrong)
                self.assertEqual(wrong[0]["first_wrong"]["rank"], 1)
                self.assertRegex(wrong[0]["first_wrong"]["where"], r"^rank 1, layer \d+, .+, row \d+, column \d+$")

    def test_a_flipped_bit_of_gathered_weights_is_named(self):
        done, records = self.records(2, "--dp", "2", "--fsdp", "--parts", "train", "--inject",
                                      f"bitflip:{self.before_weights()}:3")
        self.assertEqual(done.returncode, WRONG_ANSWER, done.stderr)
        wrong = [record for record in records if record["kind"] == "check" and not record["passed"]]
        self.assertRegex(wrong[0]["first_wrong"]["where"], r"^rank 1, layer 0, attention.qkv weights, row 0, column 5$")

    @staticmethod
    def before_weights():
        """Elements of the tensors of a layer that are compared before its weights, and five more: two micro-batches of 32 tokens of
        64 numbers four times, and half of the gradients of matrices of 64 x (64 + 2 x 16), 64 x 64, 64 x 448 and 224 x 64."""
        return 2 * 4 * 32 * 64 + 64 * (96 + 64 + 448 + 224) // 2 + 5

    def test_a_late_rank_is_named(self):
        done, records = self.records(2, "--tp", "2", "--parts", "train", "--plant", "late:1:3000")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = [record["text"] for record in records if record["kind"] == "note"]
        self.assertTrue(any(text.startswith("late rank: rank 1 ") for text in said), said)
        self.assertEqual(records[0]["fault_injected"], "late:1:3000")

    def test_a_slow_product_is_named(self):
        # What else runs here can make a rank late by more than that, which is then what is said.
        for _ in range(6):
            done, records = self.records(2, "--tp", "2", "--parts", "train", "--plant", "slow-gemm:0:3000")
            self.assertEqual(done.returncode, 0, done.stderr)
            said = [record["text"] for record in records if record["kind"] == "note"]
            if any(text.startswith("slow GEMM: mlp.down forward takes rank 0 ") for text in said):
                return
        self.fail(said)


if __name__ == "__main__":
    support.main()
