#!/usr/bin/env python3
"""Compares the scores of align-host with the raw scores of blastp (Debian's ncbi-blast+) on proteins drawn here.

    compare_blastp.py --bench PATH [--matrix NAME] [--matrix-file FILE] [--subjects N] [--seed N]

--matrix is blastp's, and that of align-host too unless it is given a file. Each score of two letters is compared by itself: in
the middle of two copies of one protein one letter meets another. Half of the other subjects hold a piece of a query with residues changed, left out and put in. Statistics of composition and
masking are off, and blastp goes on as far as it can, but its seeds are a heuristic: it may miss a pair. Where it finds
an alignment whose score no other is above by chance, both scores must be equal. Fails when one is not.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

LETTERS = "ARNDCQEGHILKMFPSTWYV"
# As blastp counts them for each matrix and gap: no pair of so few residues has them by chance.
LEAST_BITS = 54
# Existence and extension that blastp takes for each matrix when it is not told.
GAPS = {"BLOSUM45": (14, 2), "BLOSUM50": (13, 2), "BLOSUM62": (11, 1), "BLOSUM80": (10, 1), "BLOSUM90": (10, 1),
        "PAM30": (9, 1), "PAM70": (10, 1), "PAM250": (14, 2)}


def drawn(draw, length):
    return "".join(draw.choice(LETTERS) for _ in range(length))


def changed(draw, piece):
    out = []
    for letter in piece:
        roll = draw.random()
        if roll < 0.02:
            continue
        if roll < 0.04:
            out.append(drawn(draw, draw.randint(1, 6)))
        out.append(draw.choice(LETTERS) if draw.random() < 0.3 else letter)
    return "".join(out)


def write(path, prefix, sequences):
    path.write_text("".join(f">{prefix}{i}\n{sequence}\n" for i, sequence in enumerate(sequences)))


def database(draw, queries, subjects):
    for i in range(subjects):
        around = drawn(draw, draw.randint(20, 400))
        if i % 2 == 0:
            yield around
            continue
        query = draw.choice(queries)
        begin = draw.randrange(len(query) // 2)
        piece = query[begin:begin + draw.randint(80, 400)]
        yield around[:len(around) // 2] + changed(draw, piece) + around[len(around) // 2:]


def around_letters(draw):
    """The same protein with each letter, X too, in its middle."""
    before, after = drawn(draw, 60), drawn(draw, 60)
    return [before + letter + after for letter in LETTERS + "X"]


def scores_of_bench(arguments, folder):
    matrix = ["--matrix-file", arguments.matrix_file] if arguments.matrix_file else ["--matrix", arguments.matrix]
    command = [arguments.bench, "--query", "query.fa", "--database", "database.fa", "--scores", "scores.tsv",
               "--seconds", "0", "--passes", "1", "--gap", "{},{}".format(*GAPS[arguments.matrix]), *matrix]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    rows = (line.split("\t") for line in (folder / "scores.tsv").read_text().splitlines())
    return {(query, subject): int(score) for query, subject, score in rows}


def scores_of_blastp(matrix, folder):
    """The best score of each pair, and its bits."""
    existence, extension = GAPS[matrix]
    command = ["blastp", "-query", "query.fa", "-subject", "database.fa", "-matrix", matrix, "-gapopen", str(existence),
               "-gapextend", str(extension), "-comp_based_stats", "0", "-seg", "no", "-evalue", "10", "-xdrop_gap_final",
               "1000", "-xdrop_gap", "1000", "-max_target_seqs", "1000000", "-outfmt", "6 qseqid sseqid score bitscore"]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout
    best = {}
    for line in output.splitlines():
        query, subject, score, bits = line.split("\t")
        best[query, subject] = max((int(score), float(bits)), best.get((query, subject), (0, 0)))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", type=lambda path: str(pathlib.Path(path).resolve()), required=True)
    parser.add_argument("--matrix", choices=GAPS, default="BLOSUM62")
    parser.add_argument("--matrix-file", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--subjects", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    queries = [drawn(draw, length) for length in (144, 222, 375, 729, 1500)]
    letters = around_letters(draw)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        write(folder / "query.fa", "q", queries + letters)
        write(folder / "database.fa", "s", letters + list(database(draw, queries, arguments.subjects)))
        ours = scores_of_bench(arguments, folder)
        theirs = scores_of_blastp(arguments.matrix, folder)
    sure = {pair: score for pair, (score, bits) in theirs.items() if bits >= LEAST_BITS}
    unequal = {pair: (score, ours[pair]) for pair, score in sure.items() if ours[pair] != score}
    above = [pair for pair, (score, _) in theirs.items() if score > ours[pair]]
    entries = {(f"q{len(queries) + i}", f"s{j}") for i in range(len(letters)) for j in range(len(letters))}
    missing = entries - sure.keys()
    print(f"{arguments.matrix}: {len(theirs)} pairs found by blastp, {len(sure)} of them with {LEAST_BITS} bits or more: "
          f"{len(sure) - len(unequal)} scores equal, {len(entries - missing - unequal.keys())} of {len(entries)} entries of "
          f"the matrix among them; of the others "
          f"{sum(ours[pair] == score for pair, (score, _) in theirs.items() if pair not in sure)} of "
          f"{len(theirs) - len(sure)}; {len(above)} above the best alignment")
    for pair, (score, own) in sorted(unequal.items())[:10]:
        print(f"{pair[0]} {pair[1]}: blastp {score}, align-host {own}")
    if unequal or above or missing:
        sys.exit("compare_blastp: not equal")


if __name__ == "__main__":
    main()
