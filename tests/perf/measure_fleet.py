#!/usr/bin/env python3
"""Times `rackproof fleet`: adding the reports of many nights to a ledger, adding them again, and its questions.

    measure_fleet.py --build DIR [--rounds N] [--reports 1000] [--devices 64] [--folder DIR]

DIR is a build of rackproof. The reports are those of measure_trend.py: 1,000 of 64 devices take 7 GB in the folder. The median
over the rounds is told with the least and the most; reports are added once. Every question has to give the same answer each time.
"""
import statistics

from measure_trend import many_nights, measured

DEVICE = "node00000 GPU 5"


def main():
    with many_nights(__doc__) as (arguments, folder):
        ledger = folder / "fleet.sqlite"
        fleet = [arguments.build / "bin" / "rackproof", "fleet", "--ledger", ledger]
        for words, rounds in ((["add", folder / "nights"], 1), (["add", folder / "nights"], 1),
                              (["show", DEVICE, "--json"], arguments.rounds),
                              (["worst", "--since", "2000-01-01", "--json"], arguments.rounds),
                              (["due", "--json"], arguments.rounds),
                              (["failures", "--since", "2000-01-01", "--json"], arguments.rounds),
                              (["page", "-o", folder / "fleet.html"], arguments.rounds)):
            runs = [measured(fleet + words) for _ in range(rounds)]
            if len({run[3] for run in runs}) != 1:
                raise SystemExit(f"measure_fleet: the answers of {words[0]} are not the same")
            seconds = [run[0] for run in runs]
            print(f"{words[0]:<8} {statistics.median(seconds):8.3f} s [{min(seconds):.3f}, {max(seconds):.3f}]  "
                  f"{statistics.median(run[1] for run in runs):8.3f} cpu s  "
                  f"{statistics.median(run[2] for run in runs):6.0f} MiB", flush=True)
        print(f"ledger: {ledger.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
