"""The program mti on the problems of the other scripts here: whole processes, with files read and written.

Usage: mti_runs.py MTI SOURCE_DIRECTORY; prints one line per problem and tolerance:
    tool | problem | setting | seconds | error | events | missed
"""
import csv
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile


def run(program, model, tolerance, out, rounds=5):
    """Median processor time of a process, and its outcome."""
    command = [program, "simulate", model, "--rtol", str(tolerance), "--atol", str(tolerance), "--no-report", "--quiet",
               "--max-seconds", "60", "--out", out]
    seconds = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=False, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds), json.loads((pathlib.Path(out) / "summary.json").read_text())["outcome"]


def events_of(out, expected):
    """Times of the events after the start that changed a binary the reference names, or began or ended sliding."""
    names = {name for event in expected for name in event.get("changed", {})}
    events = json.loads((pathlib.Path(out) / "events.json").read_text())
    return [e["time"] for e in events if e["time"] > 0.0 or e["kind"] == "switch"
            if e["kind"].startswith("slide") or names & set(e["changed"])]


def sample_error(out, reference, sizes):
    with open(pathlib.Path(out) / "trajectory.csv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    error = 0.0
    for sample in reference["samples"]:
        row = min(rows, key=lambda r: abs(float(r["time"]) - sample["time"]))
        for name, size in sizes.items():
            error = max(error, abs(float(row[name]) - sample["values"][name]) / size)
    return error


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    brakes = {name: 10.0 for name in ("u1", "u2", "u3", "v1", "v2", "v3")}
    for problem, name, sizes in (("three tanks", "three_tank", None),
                                 ("three roots in a step", "scipy_9228_multiple_roots_in_step", None),
                                 ("relay feedback", "piiroinen_kuznetsov_relay_feedback", None),
                                 ("diode bridge", "siconos_diode_bridge", {"v": 10.0, "i": 0.1}),
                                 ("brake line, 3 cars", "siconos_train_brakes_n", brakes)):
        model = root / ("examples/three_tank/model.json" if name == "three_tank" else f"tests/cases/{name}.json")
        reference = json.loads((root / "tests/cases/reference" / (name + ".json")).read_text())
        expected = reference.get("events", reference.get("switches"))
        for tolerance in (1e-4, 1e-6, 1e-8):
            with tempfile.TemporaryDirectory() as out:
                seconds, outcome = run(program, model, tolerance, out)
                found = events_of(out, expected)
                missed = max(0, len(expected) - len(found))
                if outcome != "reached_stop":
                    error = "ended: " + outcome
                elif sizes:
                    error = f"{sample_error(out, reference, sizes):.1e}"
                elif len(found) == len(expected):
                    error = f"{max(abs(a - b['time']) for a, b in zip(found, expected)):.1e} s"
                else:
                    error = ""
                print(f"mti | {problem} | rtol = atol = {tolerance:.0e} | {seconds:.4g} | {error} | {len(found)} | "
                      f"{missed}", flush=True)


main()
