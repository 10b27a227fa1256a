"""mti identify on 20 random systems, and SciPy's least_squares on the same factors.

Usage: identification.py MTI [COUNT [COMPARED]]     MTI: the program; COMPARED: systems that SciPy is asked about too

next(x) = F(x, u) of n <= 8 states, 1 or 2 inputs and rank <= 6; 500 samples in runs of 10 from random starts; noise on
next(x) relative to its deviation. F is judged at 2000 random points of the box of the data, relative to its range there."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.optimize import least_squares


def value(S, Phi, W):
    return (1 - abs(S)[None] + S[None] * W[:, :, None]).prod(1) @ Phi.T


def dense(triplets):
    M = np.zeros((triplets["rows"], triplets["cols"]))
    M[triplets["i"], triplets["k"]] = triplets["v"]
    return M


def system(seed):
    rng = np.random.default_rng(seed)
    n, m, r = int(rng.integers(2, 9)), int(rng.integers(1, 3)), int(rng.integers(1, 7))
    S, Phi = rng.uniform(-1, 1, (n + m, r)), rng.uniform(-1, 1, (n, r))
    Phi /= abs(value(S, Phi, rng.uniform(-1, 1, (4000, n + m)))).max(0)[:, None]
    W = np.empty((500, n + m))
    for t in range(500):
        W[t, n:] = rng.uniform(-1, 1, m)
        W[t, :n] = rng.uniform(-1, 1, n) if t % 10 == 0 else value(S, Phi, W[t - 1 : t])[0]
    return rng, n, m, r, S, Phi, W


def scipy_fit(W, Y, r, rng):
    N, n = W.shape[1], Y.shape[1]

    def parts(p):
        th = p[: N * r].reshape(N, r)
        f = np.cos(th) + np.sin(th) * W[:, :, None]
        return th, p[N * r :].reshape(n, r), f

    def residual(p):
        _, phi, f = parts(p)
        return (f.prod(1) @ phi.T - Y).ravel()

    def jacobian(p):
        th, phi, f = parts(p)
        J = np.zeros((len(W), n, p.size))
        for i in range(N):
            d = np.delete(f, i, 1).prod(1) * (np.cos(th[i]) * W[:, i, None] - np.sin(th[i]))
            for k in range(r):
                J[:, :, i * r + k] = d[:, k, None] * phi[:, k]
        P = f.prod(1)
        for j in range(n):
            J[:, j, N * r + j * r : N * r + (j + 1) * r] = P
        return J.reshape(-1, p.size)

    start = np.r_[rng.uniform(-np.pi / 2, np.pi / 2, N * r), rng.normal(size=n * r) * 0.3]
    found = least_squares(residual, start, jacobian, method="lm", max_nfev=200)
    return 2 * found.cost


def main(program, count=20, compared=6):
    print("| n | m | r | noise | largest error of F | one-step error | s | SciPy: cost / ours | s / ours |")
    print("|---|---|---|---|---|---|---|---|---|")
    for seed in range(count):
        for noise in (0.0, 1e-3, 1e-2):
            rng, n, m, r, S, Phi, W = system(seed)
            exact = value(S, Phi, W)
            scale = exact.std(0)
            Y = exact + noise * scale * rng.normal(size=exact.shape)
            names = [f"x{i}" for i in range(n)], [f"u{i}" for i in range(m)], [f"y{i}" for i in range(n)]
            with tempfile.TemporaryDirectory() as folder:
                data, out = pathlib.Path(folder, "data.csv"), pathlib.Path(folder, "model.json")
                table = np.c_[np.arange(500.0), W, Y]
                np.savetxt(data, table, "%.17g", ",", header="time," + ",".join(sum(names, [])), comments="")
                begun = time.perf_counter()
                subprocess.run(
                    [program, "identify", data, "--states", ",".join(names[0]), "--inputs", ",".join(names[1]),
                     "--targets", ",".join(names[2]), "--discrete", "--rank", str(r), "--folds", "0", "--quiet",
                     "--out", out], check=True)  # fmt: skip
                seconds = time.perf_counter() - begun
                matrices = json.loads(out.read_text())["matrices"]
            U, phi = dense(matrices["S"])[n : 2 * n + m, :-n], dense(matrices["Phi_eq"])[:, :-n]
            box = rng.uniform(W.min(0), W.max(0), (2000, n + m))
            there = value(S, Phi, box)
            error = (abs(value(U, phi, box) - there) / (there.max(0) - there.min(0))).max()
            step = np.sqrt((((value(U, phi, W) - exact) / scale) ** 2).mean())
            beside = "| | |"
            if seed < compared and noise > 0:
                ours = (((value(U, phi, W) - Y) / scale) ** 2).sum()
                middle, half = (W.max(0) + W.min(0)) / 2, (W.max(0) - W.min(0)) / 2
                begun = time.perf_counter()
                theirs = scipy_fit((W - middle) / half, Y / scale, r, rng)
                beside = f"| {theirs / ours:.4f} | {(time.perf_counter() - begun) / seconds:.1f} |"
            print(f"| {n} | {m} | {r} | {noise:g} | {error:.1e} | {step:.1e} | {seconds:.3f} {beside}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
