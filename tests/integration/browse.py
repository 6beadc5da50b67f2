"""Pages in a headless browser, through the scripts of tests/page."""
import json
import os
import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULES = SOURCE / "build" / "tools" / "page" / "node_modules"
NODE = shutil.which("node") or shutil.which("nodejs")
CHROMIUM = shutil.which("chromium")
HAS_NODE = bool(NODE) and MODULES.is_dir()
HAS_BROWSER = HAS_NODE and bool(CHROMIUM)
WHY_NOT = "no chromium, node or npm packages: scripts/setup gets them"


def use(script, *arguments, **more):
    """What a script of tests/page says of what it saw."""
    done = subprocess.run([NODE, str(SOURCE / "tests" / "page" / script), *map(str, arguments)], capture_output=True,
                          text=True, timeout=150, check=False,
                          env=dict(os.environ, RACKPROOF_PAGE_MODULES=str(MODULES), CHROMIUM=CHROMIUM or ""), **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)
