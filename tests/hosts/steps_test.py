"""A training step over four hosts, one of which has a throttled wire: the sentence that says what makes it slow names its
rank, and on a healthy network nobody's."""
import json

import cases

PROGRAM = cases.support.STAGE / "libexec" / "rackproof" / "steps-host"
# All wires are shaped, far below what this machine can move: what one takes does not depend on the others.
HEALTHY = "160mbit"
SICK = "20mbit"
TRIES = 4
ARGUMENTS = ("--json", "--card", "llama-8b", "--tp", "2", "--pp", "2", "--layers", "2", "--scale", "32", "--sequence", "256",
             "--micro-batches", "2", "--steps", "3", "--parts", "train")


class Steps(cases.Case):
    def setUp(self):
        super().setUp()
        self.made = self.hosts(4)
        for name in self.made.hosts:
            self.made.throttle(name, HEALTHY)

    def said_of(self, name):
        """What makes a step slow, of those sentences that there are."""
        process = self.start_on(self.made, [*self.made.mpirun(), PROGRAM, *ARGUMENTS], name)
        self.assertEqual(process.wait(timeout=240), 0, self.said(name))
        records = [json.loads(line) for line in self.said(name)[0].splitlines() if line.startswith("{")]
        checks = [record for record in records if record["kind"] == "check"]
        self.assertTrue(checks and all(check["passed"] and check["compared"] > 0 for check in checks), checks)
        return [record["text"] for record in records if record["kind"] == "note" and "share" in record.get("facts", {})]

    def test_a_throttled_wire_is_named_by_its_rank(self):
        # What else runs here can keep a rank for longer than a message takes, four times out of seven.
        for attempt in range(TRIES):
            slow = [text for text in self.said_of(f"healthy{attempt}") if text.startswith("slow link")]
            if not slow:
                break
        self.assertEqual(slow, [])
        self.made.throttle("node3", SICK)
        for attempt in range(TRIES):
            said = self.said_of(f"sick{attempt}")
            if said and said[0].startswith("slow link: messages of rank 2 take "):
                break
        self.assertEqual(len(said), 1, said)
        self.assertTrue(said[0].startswith("slow link: messages of rank 2 take "), said)
        self.check_quiet(self.made)


if __name__ == "__main__":
    cases.support.main()
