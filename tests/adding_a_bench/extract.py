#!/usr/bin/env python3
"""Writes the files that docs/adding-a-bench.md shows into a folder.

Usage: extract.py PAGE FOLDER

A block of code belongs to the first path of the last heading, or of the last line with nothing but a path, before it.
What is there already and the same is left alone, so that nothing is compiled again.
"""
import pathlib
import re
import sys

PATH = re.compile(r"`((?:benches|configs)/[\w./-]+)`")


def files_of(page):
    """Path and text of each block that has a path."""
    path, block = None, None
    for line in page.splitlines():
        if line.startswith("```"):
            if block is None:
                block = []
            else:
                if path:
                    yield path, "\n".join(block) + "\n"
                path, block = None, None
        elif block is not None:
            block.append(line)
        elif line.startswith("## ") or re.fullmatch(PATH.pattern + ":", line):
            found = PATH.search(line)
            path = found.group(1) if found else None


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    files = dict(files_of(page.read_text(encoding="utf-8")))
    if not files:
        sys.exit(f"{page}: shows no file")
    for path, text in files.items():
        target = folder / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
