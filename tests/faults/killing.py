"""What scripts/kill-test kills, and what has to come of it."""
import json

# What a killed and resumed run says more than another, and what else ran on the machine.
OF_THE_BREAK = {"resumed", "flaky", "rank-lost", "interrupted", "recording-ends", "not-recorded",
                "disturbance-ignored"}
OTHERS = "; other programs disturbed"


def suite():
    steps = []
    for i in range(8):
        placement = "device" if i % 2 else "node"
        steps.append({
            "id": f"step{i}", "title": f"Step {i}", "bench": "fake", "backend": "host", "placement": placement,
            "arguments": ["--mode", "witness", "--seconds", f"{0.01 + 0.005 * i:.3f}", "--value", str(100 + i)],
            "deadline": "20 s", "grace": "1 s", "attempts": 1,
            "expect": [{"metric": "fake.rate", "parameters": {"mode": "witness"}}]})
    return {"schema": "rackproof/suite/1", "id": "kill-test", "title": "Kill test", "purpose": "to be killed",
            "time_budget": "600 s", "judge": {"disturbed": "ignore"}, "steps": steps}


TABLE = {"schema": "rackproof/platform/1", "id": "kill-table", "title": "Any machine",
         "recognise": [{"fact": "memory.total_bytes", "min": 1}],
         "baselines": [{"metric": "fake.rate", "judge": "absolute", "expected": {"value": 100, "unit": "B/s"},
                        "tolerance_below": 0.5, "tolerance_above": 0.5, "statistic": "median",
                        "source": {"title": "made for the test", "kind": "measured-here", "date": "2026-01-01",
                                   "software": "none"}}]}


def completed(report):
    return {a["nonce"] for a in report["attempts"] if a["ending"]["kind"] == "completed"}


def essence(report):
    """A report without times, attempts and ids."""
    cells, whole = [], completed(report)
    for cell in report["cells"]:
        numbers = [{k: v for k, v in m.items() if k != "attempt"} for m in cell["measurements"] if m["attempt"] in whole]
        cells.append({**cell, "measurements": numbers})
    last = {}
    for attempt in report["attempts"]:
        last[attempt["step"], json.dumps(attempt["subject"])] = (attempt["ending"]["kind"], attempt["rank"],
                                                                 attempt["checks"], attempt["bench"])
    return {
        "acceptance": [report["acceptance"], report["acceptance_reason"].partition(OTHERS)[0]],
        "counts": report["counts"],
        "required_counts": report["required_counts"], "cells": cells, "steps": report["steps"],
        "last attempts": sorted(map(repr, last.items())), "suite": report["suite"], "platforms": report["platforms"],
        "platform_of_host": report["platform_of_host"],
        "tool": report["tool"], "devices": [[n["host"], [d["uuid"] for d in n["devices"]]] for n in report["nodes"]],
        "ranks": [[r["rank"], r["host"], r["local_rank"], r["state"]] for r in report["ranks"]],
        "run": {k: v for k, v in report["run"].items()
                if k in ("completed", "interrupted", "ranks", "launcher", "labels", "platform_choice", "required")},
        "findings": sorted(json.dumps(f, sort_keys=True) for f in report["findings"] if f["id"] not in OF_THE_BREAK)}


def differences(one, other, path=""):
    """Where two documents differ, and how."""
    if type(one) is type(other) is dict and one.keys() == other.keys():
        return [found for key in other for found in differences(one[key], other[key], f"{path}/{key}")]
    if type(one) is type(other) is list and len(one) == len(other):
        return [found for i, pair in enumerate(zip(one, other)) for found in differences(*pair, f"{path}/{i}")]
    return [] if one == other else [f"{path}: {one!r:.400} instead of {other!r:.400}"]
