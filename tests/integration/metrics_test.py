"""What the benches print is what their bench.json says: name, unit, direction, statistic, subject, parameters.

Each program is run as it says itself; some again with arguments that make them print all that they can. Those of
GPUs are held against it in unit tests, over devices that are none (tests/unit/listed.hpp)."""
import fnmatch
import json
import re
import subprocess

import support

LIBEXEC = support.STAGE / "libexec" / "rackproof"
METRICS = support.STAGE / "share" / "rackproof" / "benches"
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')
TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool}


def catalogue(bench):
    text = (METRICS / f"{bench}.json").read_text()
    return json.loads(STRING_OR_COMMENT.sub(lambda found: found.group() if found.group()[0] == '"' else " ", text))


def takes(kind, words, value):
    if not isinstance(value, TYPES[kind["type"]]) or (isinstance(value, bool) and kind["type"] != "boolean"):
        return False
    return words is None or any(fnmatch.fnmatchcase(value, word) for word in words)


def describes(document, entry, backend, record):
    """Whether the entry of the catalogue is what the record says."""
    parameters = record.get("parameters", {})
    required, optional = entry.get("parameters", []), entry.get("optional", [])
    if record["name"] not in entry["names"] or backend not in entry["backends"]:
        return False
    if not set(required) <= set(parameters) <= set(required) | set(optional):
        return False
    for name, value in parameters.items():
        kind = document["parameters"][name]
        if not takes(kind, entry.get("where", {}).get(name, kind.get("words")), value):
            return False
    return (record["unit"] == entry["unit"] and record["better"] == entry["better"]
            and record["statistic"] == entry["statistic"] and record["subject"]["kind"] == entry["subject"])


class Metrics(support.Case):
    def records(self, bench, backend, arguments, ranks):
        program = LIBEXEC / f"{bench}-{backend}"
        if not program.exists() or (ranks and not support.HAS_MPIRUN):
            self.skipTest(f"this build has no {bench}-{backend}, or no launcher")
        command = [str(program), "--json", *arguments]
        if ranks:
            command = [*support.MPIRUN, "-n", str(ranks), *command]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=support.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return [line for line in lines if line["kind"] == "metric"]

    def hold(self, bench, backend, *arguments, ranks=0):
        """The names that were printed, each of them as the catalogue says."""
        document = catalogue(bench)
        records = self.records(bench, backend, arguments, ranks)
        self.assertTrue(records)
        for record in records:
            fits = [entry for entry in document["metrics"] if describes(document, entry, backend, record)]
            self.assertEqual(len(fits), 1, record)
        return {record["name"] for record in records}

    def promised(self, bench, backend):
        return {name for entry in catalogue(bench)["metrics"] if backend in entry["backends"]
                for name in entry["names"]}

    def test_each_program_as_its_own_bench_json_runs_it(self):
        for path in sorted(METRICS.glob("*.json")):
            for backend, program in catalogue(path.stem).get("programs", {}).items():
                ranks = max(2, program.get("members", 1)) if backend == "mpi" else 0
                # Its brief run is for a planted fault: without one, arrays that caches hold are refused.
                # Those of GPUs are held against theirs in unit tests.
                if (path.stem, backend) == ("stream", "host") or backend in ("cuda", "nccl"):
                    continue
                with self.subTest(program=f"{path.stem}-{backend}"):
                    self.assertIn(program["metric"], self.hold(path.stem, backend, *program["brief"], ranks=ranks))

    def test_gemm_host(self):
        names = self.hold("gemm", "host", "--shape", "128,64x96x32", "--seconds", "0.05", "--dtype", "fp64,fp32")
        self.assertEqual(names, self.promised("gemm", "host"))

    def test_align_host(self):
        names = self.hold("align", "host", "--subjects", "64", "--seconds", "0.01", "--passes", "2",
                          "--sample-cells", "1000000")
        self.assertEqual(names, self.promised("align", "host"))

    def test_burn_host(self):
        names = self.hold("burn", "host", "--seconds", "1", "--window", "0.2", "--memory-fraction", "0.005",
                          "--size", "256", "--dtype", "fp32")
        self.assertEqual(names, self.promised("burn", "host"))

    def test_collectives_mpi(self):
        names = self.hold("collectives", "mpi", "--begin", "64", "--end", "64", ranks=2)
        names |= self.hold("collectives", "mpi", "--begin", "64", "--end", "64", "--ops", "all_reduce,all_gather",
                           "--in-place", "--dtypes", "int8,double", "--redops", "max", ranks=2)
        self.assertEqual(names, self.promised("collectives", "mpi"))

    def test_pairs_mpi(self):
        names = self.hold("pairs", "mpi", "--sizes", "64", "--samples", "3", ranks=2)
        self.assertEqual(names, self.promised("pairs", "mpi"))


if __name__ == "__main__":
    support.main()
