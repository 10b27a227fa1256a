"""Ctrl-C: KeyboardInterrupt, with what was computed."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import mti
from models import decay, endless

LONG = {"stop": 1e6, "output_interval": 1e4, "max_events": 10**9, "dense": False, "max_seconds": 60}


def send_soon(number: int, seconds: float = 0.3) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), number)).start()


def test_ctrl_c_ends_a_run_and_keeps_it() -> None:
    begun = time.monotonic()
    send_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt) as stopped:
        mti.simulate(endless(), **LONG)
    assert time.monotonic() - begun < 5
    run = stopped.value.run
    assert run.outcome == "interrupted" and run.status == 1
    assert run.t.size > 0 and len(run.events) > 10 and 0 < run.end_time < 1e6


def test_runs_go_on_after_an_interruption() -> None:
    for _ in range(3):
        send_soon(signal.SIGINT, 0.1)
        with pytest.raises(KeyboardInterrupt):
            mti.simulate(endless(), **LONG)
    assert mti.simulate(decay(), stop=1).success


def test_a_handler_of_ones_own_decides() -> None:
    calls = []
    before = signal.signal(signal.SIGINT, lambda number, frame: calls.append(number))
    try:
        send_soon(signal.SIGINT, 0.1)
        run = mti.simulate(endless(), **{**LONG, "max_seconds": 0.5})
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [signal.SIGINT] and run.outcome == "time_budget"


def test_what_a_handler_raises_comes_out_with_the_run() -> None:
    class Alarm(Exception):
        pass

    def ring(number: int, frame: object) -> None:
        raise Alarm("time is up")

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm, match="time is up") as stopped:
            mti.simulate(endless(), **LONG)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert stopped.value.run.outcome == "interrupted"


def test_ctrl_c_ends_a_linearisation() -> None:
    begun = time.monotonic()
    send_soon(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        mti.linearize(endless(), at=1e6)
    assert time.monotonic() - begun < 5
    assert mti.linearize(decay(), at=1).time == 1


def test_a_run_in_another_thread_goes_on() -> None:
    runs: list[mti.Result] = []
    worker = threading.Thread(target=lambda: runs.append(mti.simulate(endless(), **{**LONG, "max_seconds": 1.0})))
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        send_soon(signal.SIGINT, 0.1)
        mti.simulate(endless(), **LONG)
    worker.join()
    assert runs[0].outcome == "time_budget"


def test_what_progress_raises_brings_what_was_computed() -> None:
    def refuse(*_: float) -> None:
        raise ArithmeticError("enough")

    swing = mti.Model(states={"x": 1, "v": 0}, parameters={"a": 1}, equations=["der(x) = v", "der(v) = -a*sin(x)"])
    with pytest.raises(ArithmeticError) as raised:
        mti.simulate(swing, stop=1e6, progress=refuse)
    assert raised.value.run.outcome == "interrupted" and raised.value.run.t.size >= 1
    plan = {"model": swing, "design": "list", "vary": {"a": {"values": [1.0] * 200}}, "keep": {"final": ["x"]},
            "simulation": {"stop": 50}}  # fmt: skip
    with pytest.raises(ArithmeticError) as raised:
        mti.study(plan, progress=refuse)
    assert not raised.value.study.complete
