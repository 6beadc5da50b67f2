#!/usr/bin/env python3
"""How large the metrics of a large report are, and what they cost to write and to scrape.

  measure_metrics.py --build DIR [--devices N] [--rounds N]

DIR is a build of rackproof with its tests. Generates and judges a report of N devices (60 cells each; make_report.cpp),
renders it as metrics with all details and without, and has node_exporter read each file as its textfile collector does,
where it is unpacked (scripts/setup test). Prints a table: processor seconds, since other programs may run beside this, the
median of the rounds; those of rendering are beside those of reading the report, which JUnit's form of it takes as well.
"""
import argparse
import os
import pathlib
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXPORTER = SOURCE / "build" / "tools" / "debian" / "usr" / "bin" / "prometheus-node-exporter"


def processor_seconds(command):
    child = os.posix_spawnp(str(command[0]), [str(word) for word in command], os.environ)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise SystemExit(f"{command} failed: {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def used_by(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scrape_seconds(folder, rounds):
    """What one scrape takes of node_exporter's processor time, or None without one."""
    if not EXPORTER.exists():
        return None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    process = subprocess.Popen([EXPORTER, "--collector.disable-defaults", "--collector.textfile",
                                f"--collector.textfile.directory={folder}", f"--web.listen-address={address}"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while True:
            try:
                urllib.request.urlopen(f"http://{address}/", timeout=5).read()
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)
        used = []
        for _ in range(rounds):
            before = used_by(process)
            text = urllib.request.urlopen(f"http://{address}/metrics", timeout=300).read()
            used.append(used_by(process) - before)
            if b"node_textfile_scrape_error 0" not in text:
                raise SystemExit("node_exporter could not read the file")
        return statistics.median(used)
    finally:
        process.kill()
        process.wait()


def measure(build, devices, rounds, folder):
    rackproof = build / "bin" / "rackproof"
    report, judged = folder / "report.json", folder / "judged.json"
    with open(report, "wb") as made:
        subprocess.run([build / "tests" / "perf" / "make_report", str(devices)], stdout=made, check=True)
    # Some fail, so that its exit code is not 0.
    subprocess.run([rackproof, "judge", report, "-o", judged], stdout=subprocess.DEVNULL, check=False)
    read = statistics.median(processor_seconds([rackproof, "render", "-f", "junit", "-o", folder / "x.xml", judged])[0]
                             for _ in range(rounds))
    for details in ("all", "aggregate"):
        files = folder / details
        files.mkdir()
        out = files / "rack.prom"
        used = [processor_seconds([rackproof, "render", "-f", "openmetrics", "--details", details, "-o", out, judged])
                for _ in range(rounds)]
        text = out.read_bytes()
        series = sum(not line.startswith(b"#") for line in text.splitlines())
        scrape = scrape_seconds(files, rounds)
        print(f"| {devices} | {details} | {series:,} | {len(text) / 1e6:.1f} MB | {statistics.median(u for u, _ in used):.2f} s "
              f"| {max(m for _, m in used):.0f} MiB | {read:.2f} s | {'-' if scrape is None else f'{scrape:.2f} s'} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--devices", type=int, action="append")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print("| devices | details | series | file | read and rendered | most memory | read, as JUnit | one scrape |\n"
          "|---|---|---|---|---|---|---|---|")
    for devices in options.devices or [72, 10000]:
        with tempfile.TemporaryDirectory(dir=options.build) as folder:
            measure(options.build.resolve(), devices, options.rounds, pathlib.Path(folder))


if __name__ == "__main__":
    main()
