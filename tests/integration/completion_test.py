"""Completion as the shells do it: bash by calling the function, fish by asking fish, zsh in a terminal. One class for
each shell; which one is an argument, so that ctest shows a shell that is not installed as skipped."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import time
import unittest

import support

SHARE = support.STAGE / "share"
BASH = SHARE / "bash-completion" / "completions" / "rackproof"
ZSH = SHARE / "zsh" / "site-functions"
FISH = SHARE / "fish" / "vendor_completions.d" / "rackproof.fish"
UNPACKED = pathlib.Path(__file__).resolve().parents[2] / "build" / "tools" / "debian" / "usr"
BASH_COMPLETION = pathlib.Path("/usr/share/bash-completion/bash_completion")


class Shell(support.Case):
    """What every shell has to offer. `complete` gives the words for the end of a line."""

    shell = ""

    def setUp(self):
        super().setUp()
        if not self.shell:
            self.skipTest("no shell of its own")
        if self.program() is None:
            self.skipTest(f"{self.shell} is not installed")
        (self.folder / "a-report.json").write_text("{}")
        (self.folder / "a-folder").mkdir()

    def program(self):
        return shutil.which(self.shell)

    def environment(self):
        return support.environment(PATH=f"{support.STAGE / 'bin'}:{os.environ['PATH']}",
                                   HOME=str(self.folder), LC_ALL="C.UTF-8", TERM="vt100",
                                   TESTED_IN=str(self.folder))

    def complete(self, line):
        raise NotImplementedError

    def offered(self, line, *expected, but=()):
        words = self.complete(line)
        for word in expected:
            self.assertIn(word, words, f"'{line}': {words}")
        for word in but:
            self.assertNotIn(word, words, f"'{line}': {words}")
        return words

    def test_verbs(self):
        self.offered("rackproof ", "run", "show", "learn", "completion", but=["manual", "a-folder"])
        self.offered("rackproof tr", "trend", but=["run"])
        self.offered("rackproof --color never tr", "trend", but=["run"])

    def test_options(self):
        words = self.offered("rackproof run --su", "--suite")
        self.assertEqual(len(words), 1, words)
        self.offered("rackproof learn --", "--id", "--title", "--out", "--history", "--min-values",
                     "--min-tolerance", "--skip-unfit", "--help", but=["--suite"])
        self.offered("rackproof inventory --", "--check", "--nvml-deadline",
                     but=["--record", "--longest"])
        self.offered("rackproof judge x --", "--history", "--force-platform", "--causes")

    def test_options_that_do_not_go_together(self):
        self.offered("rackproof list --", "--json", "--markdown")
        self.offered("rackproof list --json --", "--help", but=["--json", "--markdown", "--names"])
        self.offered("rackproof run --filter x --", "--filter", "--out", but=["--resume"])

    def test_names_that_the_program_is_asked_for(self):
        self.offered("rackproof run --suite ", "acceptance", "smoke")
        self.offered("rackproof run --platform ", "auto", "host-generic", "dgx-h100")
        self.offered("rackproof run --platform h100-p", "h100-pcie", but=["auto"])
        self.offered("rackproof run --filter ", "stream-host", "collectives-mpi")
        self.offered("rackproof explain below-l", "below-limit")
        self.offered("rackproof list pl", "platforms")
        self.offered("rackproof completion ", "bash", "zsh", "fish")

    def test_words_that_are_known(self):
        self.offered("rackproof --color ", "auto", "always", "never")
        self.offered("rackproof show --color ", "auto", "always", "never")
        self.offered("rackproof render --format ", "csv", "html", "junit", but=["auto"])
        self.offered("rackproof compare --fail-on ", "worse")

    def test_a_value_behind_an_equals_sign(self):
        words = self.complete("rackproof run --suite=smo")
        self.assertTrue(set(words) & {"smoke", "--suite=smoke"}, words)

    def test_several_values_in_one_word(self):
        words = self.complete("rackproof run --render csv,ht")
        self.assertTrue(set(words) & {"html", "csv,html"}, words)

    def test_files_and_folders(self):
        words = self.complete("rackproof show a-")
        self.assertIn("a-report.json", words)
        self.assertTrue(set(words) & {"a-folder", "a-folder/"}, words)
        words = self.complete("rackproof assemble a-")
        self.assertTrue(set(words) & {"a-folder", "a-folder/"}, words)
        self.assertNotIn("a-report.json", words)
        self.offered("rackproof judge --causes a-", "a-report.json")

    def test_a_command_behind_two_hyphens(self):
        self.offered("rackproof record -- sle", "sleep")
        self.offered("rackproof record --out x -- cat a-", "a-report.json")


class Bash(Shell):
    shell = "bash"
    loaded = ""

    def complete(self, line):
        # readline breaks words at '=' as well.
        words = line.replace("=", " = ").split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"{self.loaded}\nsource '{BASH}'\nCOMP_WORDS=({quoted})\n"
                  f"COMP_CWORD={len(words) - 1}\nCOMP_LINE='{line}'\nCOMP_POINT={len(line)}\n"
                  "_rackproof rackproof \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                  "printf '%s\\n' \"${COMPREPLY[@]}\"\n")
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                              timeout=30, cwd=self.folder, env=self.environment(), check=False)
        errors = [one for one in done.stderr.splitlines() if "not currently executing" not in one]
        self.assertEqual(errors, [])
        return [word for word in done.stdout.splitlines() if word]

    def test_the_program_that_is_typed_is_the_one_that_is_asked(self):
        (self.folder / "bin").mkdir()
        program = self.folder / "bin" / "rackproof"
        program.write_text("#!/bin/sh\necho only-here\n")
        program.chmod(0o755)
        script = (f"source '{BASH}'\nCOMP_WORDS=('{program}' run --suite '')\nCOMP_CWORD=3\n"
                  f"_rackproof '{program}'\necho \"${{COMPREPLY[*]}}\"\n")
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                              timeout=30, cwd=self.folder, env=self.environment(), check=True)
        self.assertIn("only-here", done.stdout)

    def test_the_script_that_is_printed_is_the_one_that_is_installed(self):
        for shell, path in (("bash", BASH), ("zsh", ZSH / "_rackproof"), ("fish", FISH)):
            self.assertEqual(self.rackproof("completion", shell).stdout, path.read_text())
        self.assertEqual(self.rackproof("completion", "tcsh").returncode, 2)

    def test_shellcheck_has_nothing_to_say(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        done = subprocess.run(["shellcheck", "-s", "bash", BASH], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.stdout, "")


class BashCompletion(Bash):
    """The same beside the package bash-completion, which completes the command behind two hyphens."""

    loaded = f"source '{BASH_COMPLETION}'"

    def setUp(self):
        super().setUp()
        if not BASH_COMPLETION.exists():
            self.skipTest("the package bash-completion is not installed")


class Fish(Shell):
    shell = "fish"

    def program(self):
        """What scripts/setup has unpacked, else what is installed."""
        return shutil.which("fish", path=f"{UNPACKED / 'bin'}:{os.environ['PATH']}")

    def complete(self, line):
        libraries = UNPACKED / "lib" / f"{os.uname().machine}-linux-gnu"
        done = subprocess.run([self.program(), "--no-config", "-c", f"source '{FISH}'; complete -C '{line}'"],
                              capture_output=True, text=True, timeout=30, cwd=self.folder,
                              env={**self.environment(), "LD_LIBRARY_PATH": str(libraries)}, check=False)
        self.assertEqual(done.stderr, "")
        words = [one.split("\t")[0] for one in done.stdout.splitlines()]
        # Fish 4 tells this way what has the letters anywhere, too; at a prompt it offers that where nothing begins so.
        return [word for word in words if word.startswith(line.split(" ")[-1])] or words


# What compadd is asked to offer goes to a file, one word a line; what only looks (-O, -A, -D) is left alone. The widget
# says when it is through.
ZSHRC = r"""
unsetopt zle_bracketed_paste 2>/dev/null
PS1='> '
fpath=(@FUNCTIONS@ $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if (( ${@[(I)-[OAD]*]} )); then builtin compadd "$@"; return; fi
  local -a seen
  builtin compadd -A seen "$@"
  print -rl -- $seen >> @SEEN@
  builtin compadd "$@"
}
complete-and-say() { zle list-choices; print -r -- '<through>' >> @SEEN@ }
zle -N complete-and-say
bindkey '^T' complete-and-say
print -r -- '<ready>' >> @SEEN@
"""


class Zsh(Shell):
    shell = "zsh"

    def complete(self, line):
        seen = self.folder / "seen"
        seen.write_text("")
        (self.folder / ".zshrc").write_text(
            ZSHRC.replace("@FUNCTIONS@", str(ZSH)).replace("@SEEN@", str(seen)))
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-i"], {**self.environment(), "ZDOTDIR": str(self.folder)})
        try:
            self.wait_in(terminal, seen, "<ready>")
            os.write(terminal, line.encode() + b"\x14")
            self.wait_in(terminal, seen, "<through>")
        finally:
            os.kill(pid, 9)
            os.close(terminal)
            os.waitpid(pid, 0)
        words = seen.read_text().splitlines()
        return sorted({word for word in words if word and not word.startswith("<")})

    def wait_in(self, terminal, seen, word, seconds=30):
        """Reads what the shell prints, which would stop otherwise, until `word` is in the file."""
        shown = b""
        until = time.monotonic() + seconds
        while word not in seen.read_text():
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    shown += os.read(terminal, 65536)
                except OSError:
                    pass
            if time.monotonic() > until:
                self.fail(f"waited for {word}; zsh printed {shown[-2000:]!r}")


del Shell  # unittest would run it by itself

if __name__ == "__main__":
    support.main()
