#!/usr/bin/env python3
"""Runs a command and appends to a log what processor time it took.

  timed_command.py LOG KIND NAME COMMAND...

A line is: seconds, KIND, NAME, with tabs between. measure_build.py puts this before each command of a build.
"""
import os
import sys

log, kind, name = sys.argv[1:4]
child = os.posix_spawnp(sys.argv[4], sys.argv[4:], os.environ)
_, status, usage = os.wait4(child, 0)
line = f"{usage.ru_utime + usage.ru_stime:.3f}\t{kind}\t{name}\n".encode()
# One write of one line: others append at the same time.
to = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
os.write(to, line)
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)
