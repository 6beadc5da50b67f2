#!/usr/bin/env python3
"""Who signs a report and who verifies it, with OpenSSH's own keys; and what is seen of every kind of change."""
import hashlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import SKIPPED, Case, end_all, step

KEYGEN = pathlib.Path("/usr/bin/ssh-keygen")
PURPOSES = 'namespaces="rackproof-report,rackproof-statement"'
JOURNAL = "journals/0001-rank-00000.jsonl"


def make_key(path, kind="ed25519"):
    subprocess.run([KEYGEN, "-q", "-t", kind, "-N", "", "-C", "", "-f", path], check=True, stdin=subprocess.DEVNULL)
    return " ".join(pathlib.Path(str(path) + ".pub").read_text().split()[:2])


def flip(path, at, bits=1):
    data = bytearray(path.read_bytes())
    data[at] ^= bits
    path.write_bytes(data)
    return data[:at].count(b"\n") + 1


class SignOff(Case):
    """Each test has a copy of a run, of keys, and of the file of whose they are."""

    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="rackproof-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        cls.addClassCleanup(end_all, cls.made)
        maker = cls("report")
        maker.folder = cls.made
        for out in ("out", "other"):
            done = maker.run_suite([step("ok"), step("segv")], out=out)
            assert done.returncode == 4, done.stderr
        vendor, customer, old = (make_key(cls.made / name) for name in ("vendor", "customer", "old"))
        make_key(cls.made / "rsa", "rsa")
        (cls.made / "signers").write_text(
            f"vendor@example.com {PURPOSES} {vendor}\n"
            f"customer@example.com {PURPOSES} {customer}\n"
            f'old@example.com valid-before="20200101",{PURPOSES} {old}\n')

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, self.folder, dirs_exist_ok=True)
        self.path = self.folder / "out" / "report.json"

    def sign(self, role="vendor", *more, key=None, signer=None, report="out"):
        return self.rackproof("sign", report, "--key", key or role, "--role", role,
                              "--signer", signer or f"{role}@example.com", *more)

    def signed(self, role="vendor", *more, **options):
        done = self.sign(role, *more, **options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def verify(self, *more, report="out"):
        return self.rackproof("verify", report, "--signers", "signers", *more)

    def holds(self, *more, report="out"):
        done = self.verify(*more, report=report)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def fails(self, *words, report="out", more=()):
        done = self.verify(*more, report=report)
        self.assertEqual(done.returncode, 6, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertIn("NOT VERIFIED", done.stdout)
        return done.stdout

    def refused(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual([p.name for p in self.path.parent.iterdir() if "sig" in p.name], [])

    def third_party(self, role="vendor", ending="", purpose="rackproof-report"):
        """What somebody without rackproof does."""
        message = self.path if not ending else f"{self.path}.{role}{ending}"
        with open(message, "rb") as file:
            return subprocess.run([KEYGEN, "-Y", "verify", "-f", self.folder / "signers", "-I", f"{role}@example.com",
                                   "-n", purpose, "-s", f"{self.path}.{role}{ending}.sig"],
                                  stdin=file, capture_output=True, text=True).returncode


class Signing(SignOff):
    def test_two_parties_sign_and_a_third_verifies(self):
        self.signed("vendor", "--statement", "delivered as measured")
        self.signed("customer")
        shown = self.holds()
        for word in ("vendor: vendor@example.com, SHA256:", '"delivered as measured"', "customer: customer@example.com",
                     "1 of 1", "the journals give this report again", "judged again", "all ", "verified"):
            self.assertIn(word, shown)
        for role in ("vendor", "customer"):
            self.assertEqual(self.third_party(role), 0)
            self.assertEqual(self.third_party(role, ".statement", "rackproof-statement"), 0)
        statement = json.loads(pathlib.Path(f"{self.path}.vendor.statement").read_text())
        self.assertEqual(statement["report_sha256"], hashlib.sha256(self.path.read_bytes()).hexdigest())
        self.assertEqual(statement["run"], self.report()["run"]["id"])
        self.assertEqual(statement["acceptance"], "incomplete")
        found = json.loads(self.holds("--json"))
        self.assertTrue(found["verified"])
        for file in self.path.parent.glob("report.json*"):
            self.assertEqual(file.stat().st_mode & 0o777, 0o600, file)
        self.assertEqual([p.name for p in self.path.parent.iterdir() if p.name.startswith(".")], [])

    def test_each_role_that_is_required_must_have_signed(self):
        self.signed("vendor")
        self.holds("--require-role", "vendor")
        self.fails("customer: has not signed it", more=("--require-role", "vendor,customer"))
        self.signed("customer")
        self.holds("--require-role", "vendor,customer")
        done = self.rackproof("verify", "out", "--require-role", "vendor")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--signers", done.stderr)

    def test_what_is_not_at_hand_is_said(self):
        self.signed()
        away = self.folder / "away"
        away.mkdir()
        for file in self.path.parent.glob("report.json*"):
            shutil.copy(file, away)
        self.assertIn("1 of 1 are not at hand", self.holds(report="away"))

    def test_a_report_made_later_is_the_one_that_was_signed(self):
        self.signed()
        self.rackproof("assemble", "out")
        self.holds()

    def test_no_signature_is_no_proof(self):
        self.fails("nobody signed it")
        done = self.rackproof("verify", "out", "--unsigned")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.signed()
        done = self.rackproof("verify", "out")
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("name the file of --signers", done.stdout)

    def test_a_signature_is_replaced_only_when_told(self):
        self.signed()
        before = pathlib.Path(f"{self.path}.vendor.sig").read_bytes()
        done = self.sign("vendor", key="customer", signer="customer@example.com")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--replace", done.stderr)
        self.assertEqual(pathlib.Path(f"{self.path}.vendor.sig").read_bytes(), before)
        self.signed("vendor", "--replace", key="customer", signer="customer@example.com")
        self.assertIn("vendor: customer@example.com", self.holds())

    def test_keys_that_cannot_sign(self):
        self.refused(self.sign(key="rsa"), "ssh-rsa", "expected Ed25519")
        self.refused(self.sign(key="nothing"), "nothing", "No such file")
        (self.folder / "vendor").chmod(0o644)
        self.refused(self.sign(), "Permissions 0644", "too open")

    def test_what_cannot_be_signed(self):
        self.refused(self.sign(role="Vendor", key="vendor", signer="v"), "--role")
        self.refused(self.sign(signer="*"), "--signer")
        self.refused(self.sign("vendor", "--statement", "two\nlines"), "--statement")
        text = self.path.read_text()
        self.path.write_text(text.replace('"outcome": "unjudged"', '"outcome": "pass"'))
        self.refused(self.sign(), "cells[", "not what its evidence gives", "cannot be signed")
        self.path.write_text(json.dumps(json.loads(text)))
        self.refused(self.sign(), "canonical form")
        self.path.write_text(text.replace('"schema_version": "1.', '"schema_version": "1.9'))
        self.refused(self.sign(), "schema_version")

    def test_a_redacted_copy_proves_its_verdicts_and_is_signed_by_itself(self):
        (self.folder / "public").mkdir()
        self.assertEqual(self.rackproof("redact", "out", "-o", "public/report.json").returncode, 0)
        self.signed(report="public")
        self.assertIn("not at hand", self.holds(report="public"))


class Verifying(SignOff):
    def test_who_may_not_sign(self):
        self.signed("old")
        self.fails("old: ", "has expired")
        # The key was valid then; what it signed says that it did so later.
        self.fails("old: it says that it was signed at ", "after the time of --at", more=("--at", "2019-06-01T12:00:00Z"))
        self.assertEqual(self.verify("--at", "yesterday").returncode, 2)
        self.signed("old", "--replace", key="vendor")
        self.fails("the key is of vendor@example.com, not of old@example.com")
        (self.folder / "signers").write_text("")
        self.fails("does not know the key of old@example.com")
        (self.folder / "signers").unlink()
        self.assertEqual(self.verify().returncode, 2)

    def restated(self, role, **fields):
        """The statement with other words, signed by its key as somebody with it may do."""
        path = self.folder / "out" / f"report.json.{role}.statement"
        said = {**json.loads(path.read_text()), **fields}
        path.write_text(json.dumps(said, sort_keys=True, separators=(",", ":")) + "\n")
        path.with_name(path.name + ".sig").unlink()
        subprocess.run([KEYGEN, "-q", "-Y", "sign", "-f", self.folder / role, "-n", "rackproof-statement", path],
                       check=True, stdin=subprocess.DEVNULL, capture_output=True)

    def test_the_time_of_a_statement_fits_key_and_question(self):
        self.signed()
        self.restated("vendor", signed_utc="2019-06-01T12:00:00.000Z")
        self.holds()
        self.holds("--at", "2019-06-01T12:00:00Z")
        self.fails("after the time of --at", more=("--at", "2019-06-01"))
        self.restated("vendor", signed_utc="2999-01-01T00:00:00.000Z")
        self.fails("vendor: it says that it was signed at 2999-01-01T00:00:00.000Z, after now")
        self.restated("vendor", signed_utc="yesterday")
        self.fails("'yesterday' is no time")
        # Valid now, and not at the time that the statement gives.
        signers = self.folder / "signers"
        signers.write_text(signers.read_text().replace(f"vendor@example.com {PURPOSES}",
                                                       f'vendor@example.com valid-after="20240101",{PURPOSES}'))
        self.restated("vendor", signed_utc="2023-06-01T12:00:00.000Z")
        self.fails("vendor: ", "not yet valid")

    def test_a_signature_of_something_else(self):
        self.signed()
        self.signed(report="other")
        for ending in (".sig", ".statement", ".statement.sig"):
            shutil.copy(f"{self.folder}/other/report.json.vendor{ending}", self.path.parent)
        self.fails("it is another one")
        self.signed("vendor", "--replace")
        shutil.copy(f"{self.folder}/other/report.json.vendor.statement", self.path.parent)
        self.fails("the statement is not what was signed")
        self.signed("vendor", "--replace")
        for ending in (".sig", ".statement", ".statement.sig"):
            shutil.move(f"{self.path}.vendor{ending}", f"{self.path}.customer{ending}")
        self.fails("customer: the statement is of the role 'vendor'")
        shutil.copy(f"{self.path}.customer.statement.sig", f"{self.path}.customer.sig")
        self.fails("is for 'rackproof-statement', expected 'rackproof-report'")
        pathlib.Path(f"{self.path}.customer.sig").write_text("nonsense")
        self.fails("customer.sig: is no signature")
        pathlib.Path(f"{self.path}.customer.sig").unlink()
        self.fails("customer.sig: ")

    def test_a_changed_byte_of_the_report_is_found(self):
        self.signed()
        whole = self.path.read_bytes()
        for i in range(40):
            at = len(whole) * i // 40 + i
            line = flip(self.path, at)
            shown = self.fails("signature   vendor: ")
            self.assertIn(f"line {line}, ", shown, f"byte {at}")
            self.assertNotEqual(self.third_party(), 0)
            self.path.write_bytes(whole)
        self.holds()

    def test_a_changed_byte_of_a_journal_is_found(self):
        self.signed()
        journal = self.folder / "out" / JOURNAL
        whole = journal.read_bytes()
        for i in range(30):
            at = len(whole) * i // 30 + i
            line = flip(journal, at)
            shown = self.fails("FAILS  journal")
            self.assertTrue(f"{JOURNAL}:{line}: " in shown or f"{JOURNAL}:{line + 1}: " in shown, shown)
            journal.write_bytes(whole)
        recording = next((self.folder / "out" / "journals").glob("*.recording"), None)
        if recording is not None:
            flip(recording, recording.stat().st_size // 2)
            self.fails("FAILS  recording", recording.name)

    def test_a_line_removed_or_added_is_found(self):
        self.signed()
        journal = self.folder / "out" / JOURNAL
        whole = journal.read_bytes().splitlines(keepends=True)
        for at in (0, 1, len(whole) // 2, len(whole) - 2):
            journal.write_bytes(b"".join(whole[:at] + whole[at + 1:]))
            self.fails(f"{JOURNAL}:{at + 1}: ")
            journal.write_bytes(b"".join(whole[:at] + [whole[at]] + whole[at:]))
            self.fails(f"{JOURNAL}:{at + 2}: ")
        journal.write_bytes(b"".join(whole[:-1]))
        self.fails(f"{JOURNAL}:{len(whole)}: the line that closes the journal is missing")
        journal.write_bytes(b"".join(whole))
        shutil.copy(journal, journal.with_name("0002-rank-00000.jsonl"))
        self.fails("0002-rank-00000.jsonl: was not there")

    def test_what_is_no_report(self):
        self.path.write_text("{}")
        done = self.rackproof("verify", "out", "--unsigned")
        self.assertEqual(done.returncode, 2)
        self.assertIn("schema_version", done.stderr)
        self.assertEqual(self.rackproof("verify", "nowhere").returncode, 2)


if __name__ == "__main__":
    if not KEYGEN.exists():
        print("there is no /usr/bin/ssh-keygen (package openssh-client): nothing can be signed")
        raise SystemExit(SKIPPED)
    unittest.main()
