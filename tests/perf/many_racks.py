"""Reports of many racks over many nights, in which parts fail, are repaired, move, are replaced and go away."""
import datetime
import json
import pathlib
import random
import subprocess

METRIC = "stream.triad"


def judged(build, folder, devices):
    """A report of that many GPUs, eight a host, with ten cells each."""
    raw, out = folder / "raw.json", folder / "judged.json"
    with open(raw, "wb") as stream:
        subprocess.run([build / "tests" / "perf" / "make_report", str(devices), "1"], stdout=stream, check=True)
    subprocess.run([build / "bin" / "rackproof", "judge", raw, "--out", out], stdout=subprocess.DEVNULL, check=False)
    return json.loads(out.read_text())


def fail(cell, value=0.62):
    limit = cell["verdict"]["limit_low"]
    cell["verdict"].update(outcome="fail", reason_id="below-limit", observed=limit * value,
                           reason=f"median {limit * value / 1e12:.3f} TB/s, needed at least {limit / 1e12:.3f} TB/s")


def waive(report, cell, until):
    cell["verdict"].update(outcome="waived", reason_id="waived-by-site", reason=f"waived until {until} by J. Doe")
    waiver = {"step": "*", "metric": METRIC, "parameters": {}, "subject": "*", "reason": "the fan is replaced",
              "until": until, "approved_by": "J. Doe", "ticket": f"OPS-{until[-2:]}"}
    if waiver not in report["run"].setdefault("waivers", []):
        report["run"]["waivers"].append(waiver)


class Rack:
    """What befalls one rack is drawn by lot, and the same each time."""

    def __init__(self, template, number, nights):
        self.text = json.dumps(template)
        self.number = number
        self.name = f"rack-{number:02}"
        self.lot = random.Random(number)
        self.hosts = len(template["nodes"])
        self.sick = {self.lot.randrange(self.hosts * 8): (self.lot.randrange(nights), self.lot.randrange(1, 8))
                     for _ in range(self.lot.choice((0, 0, 1, 2)))}
        if number % 7 == 3:  # fails to the end
            self.sick[5] = (nights - 3, 99)
        self.gone = nights - 1 if number % 9 == 4 else None
        self.swap = nights // 2 if number % 5 == 1 else None
        self.waived = number % 6 == 2

    def night(self, night, began):
        stamp = began.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        text = self.text.replace("node0", f"r{self.number:02}n").replace("-5a1d-", f"-{self.number:04x}-")
        report = json.loads(text)
        report["run"].update(id=f"{self.name}-{night:04}", labels={"rack": self.name}, began_utc=stamp, ended_utc=stamp)
        report["acceptance"] = "accepted"
        gpus = [(node["host"], device["uuid"]) for node in report["nodes"] for device in node["devices"]]
        for place, (first, length) in self.sick.items():
            if not first <= night < first + length:
                continue
            report["acceptance"] = "rejected"
            for cell in report["cells"]:
                if (cell["subject"]["host"], cell["subject"]["device"]) == gpus[place] and self.lot.random() < 0.6:
                    fail(cell)
        if self.lot.random() < 0.02:
            report["acceptance"] = "incomplete"
        if self.waived:
            for cell in report["cells"][:3]:
                waive(report, cell, (began + datetime.timedelta(days=9)).strftime("%Y-%m-%d"))
        if self.gone is not None and night >= self.gone:
            report["acceptance"] = "incomplete"
            device = report["nodes"][0]["devices"].pop()
            report["cells"] = [cell for cell in report["cells"] if cell["subject"]["device"] != device["uuid"]]
        text = json.dumps(report)
        if self.swap is not None and night >= self.swap:
            one, other = gpus[1][1], gpus[9][1]
            text = text.replace(one, "?").replace(other, one).replace("?", other)
        return text


def make_racks(build, folder, racks, nights, devices=16, last=None):
    """Writes folder/nights/RACK/NIGHT/report.json, the last of them `last`, a day; gives the size of one."""
    template = judged(pathlib.Path(build), folder, devices)
    last = last or datetime.datetime(2026, 3, 31)
    size = 0
    for number in range(racks):
        rack = Rack(template, number, nights)
        for night in range(nights):
            began = last - datetime.timedelta(days=nights - 1 - night, hours=-2, minutes=-number)
            path = folder / "nights" / rack.name / f"{night:04}" / "report.json"
            path.parent.mkdir(parents=True)
            text = rack.night(night, began)
            path.write_text(text)
            size = len(text)
    return size
