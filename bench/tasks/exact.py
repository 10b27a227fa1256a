"""Switching times and end values of the tasks in this folder, in 40 digits: writes NAME.exact.json, with a hundred times or so.

    /usr/bin/python3 bench/tasks/exact.py

Relays and the buck converter are affine in every mode, w' = M w with a constant 1 as the last entry of w: the motion is
exp(M t) w, and what ends a mode is found on it, by a bisection between two points of a fine grid. The ball has a closed form. The end
values of Pleiades are those that the IVP test set publishes (CWI/Bari, release 2.4).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from mpmath import diag, eig, expm, log, matrix, mp, mpf, sqrt

mp.dps = 40
FOLDER = Path(__file__).parent


class Flow:
    """exp(M t) w by the eigenvalues of M, or by its series where M has too few eigenvectors."""

    def __init__(self, M: matrix) -> None:
        self.M = M
        values, vectors = eig(M)
        distinct = all(abs(a - b) > mpf(10) ** -20 for i, a in enumerate(values) for b in values[:i])
        self.values, self.vectors = (values, vectors) if distinct else (None, None)
        self.inverse = vectors**-1 if distinct else None

    def __call__(self, t: mpf, w: matrix) -> matrix:
        if self.values is None:
            return expm(self.M * t) * w
        moved = self.vectors * diag([mp.exp(v * t) for v in self.values]) * self.inverse * w
        return moved.apply(lambda entry: entry.real)


def first_zero(row: Callable[[mpf], mpf], end: mpf, grid: mpf) -> mpf | None:
    """The first t in (0, end] from which row is positive."""
    before = mpf(0)
    while before < end:
        after = min(before + grid, end)
        if row(after) > 0:
            for _ in range(140):
                middle = (before + after) / 2
                before, after = (before, middle) if row(middle) > 0 else (middle, after)
            return after
        before = after
    return None


def relay(M: Callable[[int], matrix], observed: int, stop: mpf, grid: mpf) -> dict:
    """A relay of the band 0.1 on w[observed]; M(1), M(-1) with its output up and down."""
    flows = {u: Flow(M(u)) for u in (1, -1)}
    w, t, u, times = matrix([0] * (M(1).rows - 1) + [1]), mpf(0), 1, []
    while True:
        flow = flows[u]
        step = first_zero(lambda s, flow=flow, w=w, u=u: u * flow(s, w)[observed] - mpf(1) / 10, stop - t, grid)
        if step is None:
            return {"events": times, "end": list(flow(stop - t, w))[:-1]}
        w, t, u = flow(step, w), t + step, -u
        times.append(t)


def buck(E: mpf, stop: mpf) -> dict:
    """examples/buck_converter: within a period of the sawtooth the switch follows the sign of ramp - control."""
    L, C, R, a = mpf(2) / 100, mpf(47) / 10**6, mpf(22), mpf(84) / 10
    reference, low, high, T = mpf(113) / 10, mpf(38) / 10, mpf(82) / 10, mpf(4) / 10**4
    rate = (high - low) / T
    flows = [Flow(matrix([[-1 / (R * C), 1 / C, 0, 0], [-1 / L, 0, 0, on * E / L], [0, 0, 0, rate], [0, 0, 0, 0]]))
             for on in (0, 1)]
    w, t, times = matrix([mpf(12), mpf(55) / 100, low, mpf(1)]), mpf(0), []
    on = int(low > a * (w[0] - reference))
    while True:
        def beyond(s: mpf, flow: Flow = flows[on], w: matrix = w, on: int = on) -> mpf:
            at = flow(s, w)
            return (1 - 2 * on) * (at[2] - a * (at[0] - reference))

        top = (high - w[2]) / rate
        end = min(top, stop - t)
        step = first_zero(beyond, end, T / 200)
        if step is None and end < top:
            return {"events": times, "end": list(flows[on](end, w))[:-1]}
        w, t = flows[on](end if step is None else step, w), t + (end if step is None else step)
        times.append(t)
        if step is None:
            w[2] = low
            on = int(low > a * (w[0] - reference))
        else:
            on = 1 - on


def sampled_pi(ticks: int, after: mpf) -> dict:
    """x' = u - x with u and I that change at t_k = k h alone: from tick to tick x is exp(-h) x + (1 - exp(-h)) u."""
    gain, rate, h = mpf(2), mpf(1), mpf(1) / 10
    x, u, total, times = mpf(0), mpf(0), mpf(0), []
    for k in range(1, ticks + 1):
        x = mp.exp(-h) * x + (1 - mp.exp(-h)) * u
        off = mp.sin(2 * mp.pi * k * h / 20) - x
        u, total = gain * off + rate * total, total + h * off
        times.append(k * h)
    x = mp.exp(-after) * x + (1 - mp.exp(-after)) * u
    return {"events": times, "end": [x, u, total]}


def write(name: str, names: list[str], found: dict) -> None:
    values = {signal: float(value) for signal, value in zip(names, found["end"], strict=True)}
    times = found["events"]
    some = [k for k in range(len(times)) if k % (len(times) // 100 + 1) == 0 or k == len(times) - 1]
    text = json.dumps({"events": len(times), "times": [[k, float(times[k])] for k in some], "end": values})
    (FOLDER / f"{name}.exact.json").write_text(text + "\n")


if __name__ == "__main__":
    band = log(mpf(11) / 9)
    switches = [log(mpf(10) / 9) + k * band for k in range(9967)]
    last = 2 * (len(switches) % 2) - 1  # x is at 0.1 after an odd number of switches
    decay = mp.exp(switches[-1] - 2000)
    write("relay", ["x"], {"events": switches, "end": [-last + (last * mpf(1) / 10 + last) * decay]})

    lags = [mpf(1), mpf(2) / 100, mpf(1) / 10**4]
    write("stiff_relay", ["x", "y", "w"], relay(
        lambda u: matrix([[-1 / lags[0], 0, 0, u], [1 / lags[1], -1 / lags[1], 0, 0], [0, 1 / lags[2], -1 / lags[2], 0],
                          [0, 0, 0, 0]]), 2, mpf(20), mpf(5) / 1000))  # fmt: skip

    g = mpf(981) / 100
    impacts = [(2 * k - 1) * sqrt(2 / g) for k in range(1, 1108)]
    since = 1000 - impacts[-1]
    upwards = sqrt(2 * g)
    write("elastic_ball", ["h", "v"], {"events": impacts, "end": [upwards * since - g * since**2 / 2, upwards - g * since]})

    write("sampled_pi", ["x", "u", "I"], sampled_pi(10_000, mpf(5) / 100))

    write("buck_24", ["v", "i", "ramp"], buck(mpf(24), mpf(199) / 10**4))
    write("buck_31.3", ["v", "i", "ramp"], buck(mpf(313) / 10, mpf(199) / 10**4))

    stars = """0.3706139143970502 3.237284092057233 -3.222559032418324 0.6597091455775310 0.3425581707156584 1.562172101400631
        -0.7003092922212495 -3.943437585517392 -3.271380973972550 5.225081843456543 -2.590612434977470 1.198213693392275
        -0.2429682344935824 1.091449240428980 3.417003806314313 1.354584501625501 -2.590065597810775 2.025053734714242
        -1.155815100160448 -0.8072988170223021 0.5952396354208710 -3.741244961234010 0.3773459685750630 0.9386858869551073
        0.3667922227200571 -0.3474046353808490 2.344915448180937 -1.947020434263292""".split()
    names = [f"{symbol}{star}" for symbol in ("x", "y", "vx", "vy") for star in range(1, 8)]
    write("pleiades", names, {"events": [], "end": [mpf(value) for value in stars]})
