#!/usr/bin/env python3
"""Compares align-host with parasail on the same database, queries, matrix, gaps and threads.

    compare_align.py --bench PATH --parasail PATH [--rounds N] [--subjects N] [--kernels NAME]

Both run in turn, round after round; the ratio is taken within a round. parasail (align_parasail.cpp) takes for each
query the fastest of its striped, scan and diagonal functions. Fails when the digests of the scores differ.
"""
import argparse
import json
import statistics
import subprocess
import sys

from rounds import interval


def run_bench(bench, kernels, subjects, seed):
    command = [bench, "--json", "--subjects", str(subjects), "--seed", str(seed), "--passes", "1", "--seconds", "0.001",
               "--verify", "sampled", "--kernels", kernels]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    whole = next(r for r in records if r["kind"] == "metric" and r["parameters"]["query"] == "all")
    digest = next(r["digest"] for r in records if r["kind"] == "check" and r.get("digest"))
    facts = {}
    for record in records:
        if record["kind"] == "note":
            facts.update(record["facts"])
    return whole["value"], digest, facts


def run_parasail(program, subjects, seed):
    return json.loads(subprocess.run([program, str(subjects), str(seed)], check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True)
    parser.add_argument("--parasail", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--subjects", type=int, default=8192)
    parser.add_argument("--kernels", default="auto", help="of align-host")
    arguments = parser.parse_args()
    ratios, ours, theirs, shares = [], [], [], []
    for index in range(arguments.rounds):
        seed = index + 1
        if index % 2 == 0:
            other = run_parasail(arguments.parasail, arguments.subjects, seed)
            rate, digest, facts = run_bench(arguments.bench, arguments.kernels, arguments.subjects, seed)
        else:
            rate, digest, facts = run_bench(arguments.bench, arguments.kernels, arguments.subjects, seed)
            other = run_parasail(arguments.parasail, arguments.subjects, seed)
        if digest != other["digest"]:
            sys.exit(f"compare_align: seed {seed}: align-host has the scores {digest}, parasail {other['digest']}")
        ours.append(rate)
        theirs.append(other["cells"] / other["seconds"])
        ratios.append(ours[-1] / theirs[-1])
        shares.append(facts["proof_seconds"] / facts["timed_seconds"])
    low, high = interval(ratios)
    print(f"{arguments.rounds} rounds of {other['cells']:.3g} cells, {other['threads']} threads, every score equal; "
          f"kernels {facts['kernels']}")
    print(f"parasail's fastest by query: {', '.join(other['functions'])}")
    print(f"align-host {statistics.median(ours) / 1e9:.2f} GCUPS, parasail {statistics.median(theirs) / 1e9:.2f} GCUPS, "
          f"ratio {statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}]  goal >= 1.8, lower bound >= 1.6")
    print(f"proof of one pass by a sample: {statistics.median(shares) * 100:.1f} % of its time")


if __name__ == "__main__":
    main()
