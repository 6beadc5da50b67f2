"""Racks that nobody owns: hosts, devices and benches out of a scenario, with the numbers that a platform table
itself expects."""
import json
import math
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile

import support

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = support.BUILD / "tests" / "played"
SCENARIOS = ROOT / "tests" / "scenarios"
PROCESSORS = SCENARIOS / "processors"
AS_HOST = ROOT / "tests" / "support" / "as_host.sh"
TABLES = support.STAGE / "share" / "rackproof" / "configs" / "platforms"
SUITES = support.STAGE / "share" / "rackproof" / "configs" / "suites"
SCRIPTED_BENCH = support.BUILD / "tests" / "fakes" / "scripted-bench"

# Factors to the units of records.
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "W": 1, "B/s": 1, "GB/s": 1e9, "TB/s": 1e12, "GiB/s": 2**30, "Gb/s": 1.25e8,
         "FLOP/s": 1, "GFLOP/s": 1e9, "TFLOP/s": 1e12, "PFLOP/s": 1e15, "OP/s": 1, "TOP/s": 1e12,
         "POP/s": 1e15, "TCUPS": 1e12}
# A figure without room below it is a floor, and a healthy machine is above it: by this, whatever its noise.
ABOVE_A_FLOOR = 1.1
# The scripted bench strays by no more standard deviations than this.
MOST_DEVIATIONS = 3


# What a healthy part reaches of what it cannot exceed: the lowest and the highest published figures of
# docs/judging.md#bounds, computed here once more and not by the judge. Of int8 and mxfp8 there is none: what fp8
# reaches. Copies over NVLink, of which each pair has all.
PUBLISHED = {"gpu-memory": (0.745, 0.95), "gpu-copy": (0.615, 0.9), "pcie": (0.81, 0.89), "host-memory": (0.705, 0.85),
             "fp64": (0.595, 0.87), "fp32": (0.51, 0.93), "tf32": (0.59, 0.83), "bf16": (0.6, 0.87),
             "fp16": (0.56, 0.81), "fp8_e4m3": (0.56, 0.78), "mxfp8": (0.56, 0.78), "nvfp4": (0.55, 0.74),
             "int8": (0.56, 0.78), "all_reduce": (0.72, 1.07), "all_gather": (0.77, 0.81),
             "reduce_scatter": (0.77, 0.81), "alltoall": (0.75, 0.75), "broadcast": (0.77, 0.81),
             "reduce": (0.77, 0.81), "sendrecv": (0.74, 0.94), "nvlink": (0.74, 0.94), "pairs": (0.74, 0.94),
             "gpu-power": (0.95, 1.0), "host-flops": (0.5, 0.8), "nccl-model": (0.35, 1.2)}
BETWEEN_NODES = {"all_reduce": (0.73, 1.21), "all_gather": (0.68, 0.96), "reduce_scatter": (0.68, 0.96),
                 "alltoall": (0.63, 0.96), "broadcast": (0.68, 0.96), "reduce": (0.68, 0.96), "sendrecv": (0.39, 0.96),
                 "pairs": (0.39, 0.96)}
# Published figures of one platform and quantity lie this near to each other (H100 and H200, in a node and over four).
AROUND_FIGURE = 0.02
# Operations a clock and core of the type, by compute capability.
OPERATIONS = {"8.0": {"fp64": 2, "fp32": 2, "tf32": 16, "bf16": 32, "fp16": 32, "int8": 64},
              "9.0": {"fp64": 2, "fp32": 2, "tf32": 16, "bf16": 32, "fp16": 32, "fp8_e4m3": 64, "int8": 64},
              "10.0": {"fp64": 1, "fp32": 2, "tf32": 32, "bf16": 64, "fp16": 64, "fp8_e4m3": 128, "mxfp8": 128,
                       "nvfp4": 256, "int8": 128}}
# What NCCL says of a healthy group.
HEALTHY_NCCL = {"network": "IB", "gdr": True, "nvls": True, "algorithm": "NVLS_TREE"}
# Bytes a second of a PCIe link, by generation and width.
PCIE = {(4, 16): 31.5e9, (5, 16): 63e9, (6, 16): 121e9}


def read_json(path):
    """JSON with comments, as suites and tables are."""
    return json.loads(re.sub(r"^\s*//.*$", "", pathlib.Path(path).read_text(), flags=re.M))


def namespaces_work():
    """Whether a rank can be given a host name and files of its own here."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return False
    done = subprocess.run([str(AS_HOST), "rack", "1", "-", "hostname"], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.strip() == "rack"


def chain_of(table_id):
    tables = [read_json(TABLES / f"{table_id}.json")]
    while "extends" in tables[-1]:
        tables.append(read_json(TABLES / f"{tables[-1]['extends']}.json"))
    return tables


def baselines_of(tables):
    """Own ones first; one of the same cell replaces the inherited."""
    seen, out = set(), []
    for table in tables:
        for one in table.get("baselines", []):
            key = json.dumps([one["metric"], one.get("parameters", {}), one.get("nodes"), one.get("backend")],
                             sort_keys=True)
            if key not in seen:
                out.append(one)
        seen |= {json.dumps([one["metric"], one.get("parameters", {}), one.get("nodes"), one.get("backend")],
                            sort_keys=True) for one in table.get("baselines", [])}
    return out


def facts_of(tables, inventory):
    """Facts by name: those of the table before those of the first device and of the node."""
    facts = {name: fact["value"] for name, fact in inventory["facts"].items() if "value" in fact}
    for device in inventory["devices"][:1]:
        facts.update({name: fact["value"] for name, fact in device["facts"].items() if "value" in fact})
    rates = [value for name, value in facts.items() if re.fullmatch(r"infiniband\..*\.rate_bits_per_second", name)]
    if rates and facts.get("gpu.nvml_count"):
        # Of each GPU; what a table states goes before it.
        facts["peak.nic_bytes_per_second"] = sum(rates) / 8 / facts["gpu.nvml_count"]
    for table in reversed(tables):
        for name, fact in table.get("facts", {}).items():
            if "unit" in fact:
                facts[name] = fact["value"] * UNITS.get(fact["unit"], 1)
    return facts


class Healthy:
    """Where between the published figures a healthy platform lies: in the middle, or where a seed draws it."""

    def __init__(self, seed=None):
        self.random = None if seed is None else random.Random(seed)
        self.drawn = {}

    def draw(self, what, low, high):
        if self.random is None:
            return (low + high) / 2
        return self.drawn.setdefault(what, self.random.uniform(low, high))

    def of_bound(self, of):
        return self.draw(of, *PUBLISHED[of])

    def of_network(self, op):
        return self.draw(f"{op} between nodes", *BETWEEN_NODES[op])

    def of_figure(self, name):
        return self.draw(f"figure of {name}", 1 - AROUND_FIGURE, 1 + AROUND_FIGURE)


# What NCCL's tuning says of LL and of Simple, in microseconds: the least of any operation, a step of a ring and a level
# of a tree over NVLink, PCIe and the network; then what a step takes at least where there is a network, and the share
# and the most of the bandwidth (harness/limits/nccl_time.hpp has the source; computed here once more).
NCCL_PROTOCOLS = [{"tree": 6.8, "ring": 6.6, "steps": (0.6, 1.0, 2.7), "levels": (0.6, 1.0, 5.0), "least": 2, "share": 1 / 3.8,
                   "most": 19e9},
                  {"tree": 8.4, "ring": 8.4, "steps": (3.4, 5.7, 14.0), "levels": (4.0, 4.0, 14.0), "least": 6, "share": 1,
                   "most": float("inf")}]
BUS_FACTORS = {"all_reduce": lambda n: 2 * (n - 1) / n, "broadcast": lambda n: 1, "reduce": lambda n: 1,
               "sendrecv": lambda n: 1}


def nccl_busbw(op, n, domains, link, nbytes):
    """The bus bandwidth of a message by NCCL's own model, over NVLink within a domain."""
    moved = nbytes * BUS_FACTORS.get(op, lambda n: (n - 1) / n)(n)
    times = []
    for one in NCCL_PROTOCOLS:
        level, step = one["levels"], one["steps"]
        rounds = 2 if op == "all_reduce" else 1
        between = rounds * (domains - 1)
        if op in ("alltoall", "sendrecv"):
            latency = one["ring"] + (step[2] if op == "sendrecv" and domains > 1 else step[0])
            if op == "alltoall":
                latency = one["ring"] + (n / domains - 1) * step[0] + (n - n / domains) * NCCL_PROTOCOLS[0]["steps"][2]
        elif op in ("broadcast", "reduce"):
            latency = one["ring"] + n * (level[2] if domains > 1 else step[0])
        else:
            within = max(step[0], one["least"] if domains > 1 else 0)
            latency = one["ring"] + (rounds * (n - 1) - between) * within + between * (level if n == domains else step)[2]
            if op == "all_reduce":
                latency = min(latency, one["tree"] + 2 * ((n / domains - 1) * level[0]
                                                          + int(math.log2(domains)) * level[2]))
        times.append(latency * 1e-6 + moved / min(one["share"] * link, one["most"]))
    return moved / min(times)


def above_floors(bench):
    """How far a healthy machine is above its floors: the worst that it prints still is."""
    worst = 1
    for kind in ("noise", "spread", "part_spread"):
        worst *= 1 - MOST_DEVIATIONS * bench.get(kind, 0)
    return ABOVE_A_FLOOR / worst


def of_parts(baseline, facts, healthy):
    """What a healthy GPU reaches of its bound, or nothing when a fact is not known."""
    of = baseline["of"]
    if of in ("gpu-memory", "gpu-copy"):
        memory = facts.get("gpu.memory_peak_bytes_per_second")
        return memory and memory * healthy.of_bound(of) / (2 if of == "gpu-copy" else 1)
    if of == "nvlink":
        link = facts.get("peak.nvlink_bytes_per_second")
        return link and link * healthy.of_bound(of)
    if of == "pcie":
        link = PCIE.get((facts.get("gpu.pcie_generation"), facts.get("gpu.pcie_width")))
        return link and link * healthy.of_bound(of)
    if of == "host-memory":
        memory = facts.get("memory.peak_bytes_per_second")
        return memory and memory * healthy.of_bound(of)
    if of == "gpu-power":
        limit = facts.get("gpu.power_limit_watts")
        return limit and limit * healthy.of_bound(of)
    if of == "host-flops":
        peak = facts.get("cpu.peak_flops_" + baseline["parameters"]["dtype"])
        return peak and peak * healthy.of_bound(of)
    dtype = baseline["parameters"]["dtype"]
    operations = OPERATIONS.get(facts.get("gpu.compute_capability"), {}).get(dtype)
    known = operations and "gpu.cores" in facts and "gpu.sm_clock_hertz" in facts
    return known and facts["gpu.cores"] * facts["gpu.sm_clock_hertz"] * operations * healthy.of_bound(dtype)


def of_fabric(baseline, facts, layout, healthy):
    """Numbers of ranks with what a healthy fabric reaches over them, where facts are known: a value, or points by bytes."""
    op = baseline["metric"].split(".")[0]
    nodes = baseline.get("nodes", {"min": 1})
    one_domain = "nvlink.domain" in facts
    for hosts in {1, layout["hosts"]}:
        if not nodes["min"] <= hosts <= nodes.get("max", hosts):
            continue
        n, per_host = hosts * facts["gpu.nvml_count"], facts["gpu.nvml_count"]
        most = facts.get("peak.nvlink_bytes_per_second")
        if not most and baseline["of"] != "collective":
            most = PCIE.get((facts.get("gpu.pcie_generation"), facts.get("gpu.pcie_width")), 0) / 2
        between = hosts > 1 and not one_domain
        if between:
            network = facts.get("peak.nic_bytes_per_second")
            if not network:
                continue
            crossing = (n - 1) / (n - per_host) if op == "alltoall" else 1 if op in ("sendrecv", "pairs") else per_host
            crossing *= 2 * (n - 1) / n if op == "all_reduce" and hosts == 2 else 1
            most = min(most or network * crossing, network * crossing)
        if not most:
            continue
        if baseline["of"] == "nccl-model":
            # Its latency is a part of what NCCL predicts; what its links carry is that of large messages.
            moved = BUS_FACTORS.get(op, lambda n: (n - 1) / n)(n)
            latency = 8 * moved / nccl_busbw(op, n, hosts if between else 1, most, 8) / healthy.of_bound("nccl-model")
            large = most * (healthy.of_network(op) if between else healthy.of_bound(op))
            yield n, {"points": [[size, size * moved / (latency + size * moved / large)]
                                 for size in (8 * 2**power for power in range(32))]}
        else:
            yield n, {"value": most * (healthy.of_network(op) if between else healthy.of_bound(op))}


def metrics_of_group(baseline):
    """What the played bench draws for it: it derives times from rates, and the rate of a group from those of its links."""
    if baseline["of"] == "pair":
        return ["pairs.bandwidth"]
    if not baseline["metric"].endswith(".busbw"):
        return []
    return [baseline["metric"].replace("*", op) for op in BETWEEN_NODES if op != "pairs"]


def centre(baseline, facts, above_floor, healthy):
    """What the bench is to print around, or nothing when a fact is not known."""
    room = baseline.get("tolerance_below", baseline.get("tolerance_above", 0))
    floor = above_floor if room == 0 else healthy.of_figure(baseline["metric"])
    if baseline["judge"] == "absolute":
        expected = baseline["expected"]
        return {"value": expected["value"] * UNITS[expected["unit"]] * floor}
    if baseline["judge"] == "fraction":
        if baseline["of"] not in facts:
            return None
        return {"value": baseline["expected"] * facts[baseline["of"]] * floor}
    if baseline["judge"] == "bound":
        value = of_parts(baseline, facts, healthy)
        return {"value": value} if value else None
    if baseline["judge"] == "curve":
        unit = UNITS[baseline["unit"]]
        near = healthy.of_figure(baseline["metric"])
        return {"points": sorted([p["bytes"], p["value"] * unit * near] for p in baseline["points"])}
    return {}


def centres(host, table_id, inventory, above_floor, layout, healthy):
    tables = chain_of(table_id)
    facts = facts_of(tables, inventory)
    first, out = [], []
    for baseline in baselines_of(tables):
        if baseline.get("of") in ("collective", "nccl-model", "pair"):
            for metric in metrics_of_group(baseline):
                about = {"parameters": {}, **baseline, "metric": metric}
                small = baseline["of"] == "nccl-model"
                if baseline["of"] == "pair":
                    first += [{"host": host, "metric": metric, "program": "*-nccl", "value": 2 * value["value"],
                               "parameters": {"direction": "both", "ranks": ranks}}
                              for ranks, value in of_fabric(about, facts, layout, healthy)]
                out += [{"host": host, "metric": metric, "program": "*-nccl", **value,
                         "parameters": {**about["parameters"], "ranks": ranks}}
                        for ranks, value in of_fabric(about, facts, layout, healthy)]
                # Before any curve, whose first point would do for all that is smaller.
                first += [{"host": host, "metric": metric, "program": "*-nccl", "value": busbw,
                           "parameters": {"bytes": size, "ranks": ranks}}
                          for ranks, value in of_fabric(about, facts, layout, healthy) if small
                          for size, busbw in value["points"] if size <= 2**21]
            continue
        value = centre(baseline, facts, above_floor, healthy)
        if value is None:
            continue
        entry = {"host": host, "metric": baseline["metric"], "parameters": baseline.get("parameters", {}),
                 **value}
        # Facts of GPUs say nothing of what runs on processors.
        about = baseline.get("of", "")
        if baseline.get("backend"):
            entry["program"] = "*-" + baseline["backend"]
        elif about.startswith(("gpu.", "peak.gpu.")):
            entry["program"] = "*-cuda"
        elif about:
            entry["program"] = "*-host"
        out.append(entry)
    # What the table says nothing of is not looked up in that of other hosts.
    return first + out + [{"host": host, "metric": "*"}]


class Processor:
    """What stands in place of the processors of the machine that plays: nothing of those is in a verdict."""

    def __init__(self, name):
        self.text = read_json(PROCESSORS / f"{name}.json")

    def write(self, folder):
        """What as_host.sh shows in place of /proc and /sys: one core in one NUMA domain, however many processors
        the machine lets the ranks use."""
        (folder / "node" / "node0").mkdir(parents=True)
        for file in ("cpuinfo", "arch"):
            (folder / file).write_text(self.text[file])
        for file, text in {"online": "0", "node0/cpulist": "0", "node0/distance": "10",
                           "node0/meminfo": "Node 0 MemTotal:       2113929216 kB"}.items():
            (folder / "node" / file).write_text(text + "\n")
        online = pathlib.Path("/sys/devices/system/cpu/online").read_text()
        for cpu in pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*"):
            for file, text in {"topology/physical_package_id": "0\n", "topology/thread_siblings_list": online,
                               "cpufreq/cpuinfo_max_freq": f"{self.text['kilohertz']}\n",
                               "cpufreq/scaling_governor": "performance\n"}.items():
                path = folder / "cpu" / cpu.name / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        (folder / "cpu" / "online").write_text(online)
        self.write_modules(folder / "firmware" / "dmi" / "entries")
        return str(folder)

    def write_modules(self, folder):
        """Memory devices of the firmware's tables, SMBIOS type 17: size and speed, which nobody tells for root alone."""
        modules = self.text.get("modules", {"count": 0})
        for number in range(modules["count"]):
            raw = bytearray(0x5C)
            struct.pack_into("<BB", raw, 0, 17, len(raw))
            struct.pack_into("<H", raw, 0x0C, 0x7FFF)  # the size is the extended one
            struct.pack_into("<I", raw, 0x1C, modules["mebibytes"])
            struct.pack_into("<H", raw, 0x20, modules["megatransfers"])
            (folder / f"17-{number}").mkdir(parents=True)
            (folder / f"17-{number}" / "raw").write_bytes(raw)


class Adapters:
    """The RDMA adapters of the hosts: what as_host.sh shows as /sys/class/infiniband, and the played NCCL moves."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "sys").mkdir(parents=True, exist_ok=True)

    def write(self, host, count, gigabits, down=()):
        for i in range(count):
            files = {"state": "1: DOWN" if i in down else "4: ACTIVE",
                     "phys_state": "3: Disabled" if i in down else "5: LinkUp",
                     "rate": f"{gigabits} Gb/sec (4X NDR)", "link_layer": "InfiniBand",
                     "counters/port_rcv_data": "0", "counters/port_xmit_data": "0"}
            for name, text in files.items():
                path = self.folder / "infiniband" / host / f"mlx5_{i}" / "ports" / "1" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + "\n")


class Stage:
    """An installation in which every bench is the scripted one."""

    def __init__(self, folder):
        self.root = folder / "stage"
        shutil.copytree(support.STAGE / "share", self.root / "share")
        (self.root / "bin").mkdir()
        for program in support.RACKPROOF.parent.iterdir():
            shutil.copy2(program, self.root / "bin" / program.name)
        self.rackproof = self.root / "bin" / "rackproof"
        programs = self.root / "libexec" / "rackproof"
        programs.mkdir(parents=True)
        for suite in (self.root / "share" / "rackproof" / "configs" / "suites").glob("*.json"):
            for step in read_json(suite)["steps"]:
                program = programs / f"{step['bench']}-{step['backend']}"
                if step["backend"] != "mpi" and not program.exists():
                    program.symlink_to(SCRIPTED_BENCH)


def keep(name, out):
    """Keeps the run of a scenario that was played as it is, for tests that look at what comes of it."""
    place = KEPT / name
    KEPT.mkdir(parents=True, exist_ok=True)
    fresh = pathlib.Path(tempfile.mkdtemp(dir=KEPT))
    shutil.copytree(out, fresh / "out")
    (fresh / "of").write_text(stamp_of(name))
    shutil.rmtree(place, ignore_errors=True)
    fresh.rename(place)


def kept(name):
    """The folder of the run that keep() kept, by this build and of the scenario as it is; None where there is none."""
    place = KEPT / name
    try:
        return place / "out" if (place / "of").read_text() == stamp_of(name) else None
    except OSError:
        return None


def stamp_of(name):
    """Changes with the programs and with the scenario."""
    return f"{support.RACKPROOF.stat().st_mtime_ns} {(SCENARIOS / name).with_suffix('.json').read_text()}"


class Rack:
    """A scenario as it is played in a folder."""

    def __init__(self, name, folder, suite=None, factors=(), table=None, nccl=None, rails_down=(), rails_idle=(),
                 seed=None, **noise):
        """With another suite, and with these factors in place of the scenario's, where they are given. With a table,
        as hosts of that platform; `nccl` is what NCCL says of its groups and would not say on a healthy rack. Where
        the table demands RDMA ports the hosts have them; those of the numbers `rails_down` are down on each host,
        and nothing goes through those of `rails_idle`. With a seed its numbers lie where that draws them between the
        published figures; `noise` goes before that of the scenario."""
        self.scenario = read_json(SCENARIOS / f"{name}.json")
        self.scenario["suite"] = suite or self.scenario["suite"]
        self.table = table
        if table:
            self.scenario["tables"] = {"*": table}
        if factors:
            self.scenario["bench"]["factors"] = list(factors)
        self.folder = folder
        self.stage = Stage(folder)
        self.cpu = Processor(self.scenario["processor"]).write(folder / "processor")
        self.idle = [f"mlx5_{i}" for i in (*rails_down, *rails_idle)]
        self.must_move_ports = bool(table) and self.add_demanded_adapters(table, rails_down)
        if "adapters" in self.scenario and not self.must_move_ports:
            self.add_adapters(rails_down, **self.scenario["adapters"])
        self.file = folder / "rack.json"
        self.write({})
        bench = {**self.scenario["bench"], **noise, **({} if seed is None else {"seed": seed})}
        healthy = Healthy(seed)
        above_floor = above_floors(bench)
        bench["centres"] = [entry for host, table in self.scenario["tables"].items()
                            for entry in centres(host, table, self.inventory(host), above_floor,
                                                 self.scenario["layout"], healthy)]
        bench["idle_adapters"] = self.idle
        if self.must_move_ports:
            # As long as two samples of the recorder: a real one of this size takes seconds.
            bench["delays"] = [*bench.get("delays", []), {"program": "collectives-nccl", "seconds": 0.25}]
        bench["conditions"] = [*bench.get("conditions", []),
                               {"program": "*-nccl", "conditions": {**HEALTHY_NCCL, **(nccl or {})}}]
        self.write(bench)

    def add_demanded_adapters(self, table, down):
        tables = chain_of(table)
        ports = [one["ports"]["min"] for each in tables for one in each.get("demand", []) if "ports" in one]
        if not ports:
            return False
        rate = [each["facts"]["peak.nic_bytes_per_second"]["value"] for each in tables
                if "peak.nic_bytes_per_second" in each.get("facts", {})][0]
        self.add_adapters(down, max(ports), rate)
        return True

    def add_adapters(self, down, count, gigabits):
        adapters = Adapters(self.folder / "processor")
        for number in range(self.scenario["layout"]["hosts"]):
            adapters.write(self.scenario["name"] % number, count, gigabits, down)

    def write(self, bench):
        self.file.write_text(json.dumps({"hosts": self.scenario["hosts"], "bench": bench}, indent=1))

    def environment(self):
        return support.environment(TESTED_IN=str(self.folder), FAKE_NVML_FILE=str(self.file),
                                   SCRIPTED_BENCH_FILE=str(self.file), LD_LIBRARY_PATH=support.FAKE_NVML)

    def as_host(self, per_host):
        return [str(AS_HOST), self.scenario["name"], str(per_host), self.cpu, str(self.stage.rackproof)]

    def inventory(self, host):
        """Of a host that the pattern names: the first number that fits it."""
        number = int(re.search(r"\d+", host)[0]) if re.search(r"\d", host) else 0
        env = dict(self.environment(), OMPI_COMM_WORLD_RANK=str(number))
        done = subprocess.run([*self.as_host(1), "inventory", "--json"], capture_output=True, text=True,
                              env=env, check=True)
        return json.loads(done.stdout)

    def suite(self):
        """Without what runs inside the ranks. A selection of the shipped one would be a part of it, and incomplete."""
        whole = read_json(SUITES / f"{self.scenario['suite']}.json")
        whole["steps"] = [step for step in whole["steps"] if step["backend"] != "mpi"]
        ids = {step["id"] for step in whole["steps"]}
        whole["claims"] = [claim for claim in whole["claims"] if ids.issuperset(claim["steps"])]
        (self.folder / "suite.json").write_text(json.dumps(whole, indent=1))
        return str(self.folder / "suite.json")

    def run(self, *arguments, timeout=300):
        return self.launch("run", "--suite", self.suite(), "--out", "out", "--disturbed", "ignore",
                           *(["--platform", self.table] if self.table else []), *arguments, timeout=timeout)

    def command(self, *words):
        """rackproof with these words on each rank."""
        hosts, per_host = self.scenario["layout"]["hosts"], self.scenario["layout"]["ranks_per_host"]
        return [*support.MPIRUN, "-n", str(hosts * per_host), *self.as_host(per_host), *words]

    def launch(self, *words, timeout=300):
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=timeout, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env=self.environment())
