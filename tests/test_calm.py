"""No collection while work goes on beside the loop, and none forgotten."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from chardesk.broker.service.calm import MOST_PIECES, Calm


class Knot:
    """Refers to itself: only a collection frees it."""

    def __init__(self) -> None:
        self.self = self


def a_knot() -> weakref.ref[Knot]:
    return weakref.ref(Knot())


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_nothing_is_collected_during_work_and_its_knots_are_gone_at_the_end() -> None:
    calm = Calm()

    def work() -> tuple[bool, weakref.ref[Knot]]:
        knot = a_knot()
        return gc.isenabled(), knot

    is_on, knot = calm.during(work)
    assert not is_on
    assert knot() is None
    assert gc.isenabled()


def test_work_that_fails_leaves_the_collector_on() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Calm().during(fail)
    assert gc.isenabled()


@pytest.fixture
def busy() -> Iterator[Calm]:
    """A calm with a piece of work that goes on until the test is over."""
    calm, begun, go_on = Calm(), threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return go_on.wait(10)

    with ThreadPoolExecutor() as pool:
        long = pool.submit(calm.during, work)
        assert begun.wait(10)
        yield calm
        go_on.set()
        assert long.result(10)
    assert gc.isenabled()


def test_what_is_still_going_on_keeps_the_collector_off_when_other_work_ends(busy: Calm) -> None:
    busy.during(lambda: None)
    assert not gc.isenabled()


def test_knots_do_not_pile_up_though_there_is_always_work(busy: Calm) -> None:
    knots = [busy.during(a_knot) for _ in range(MOST_PIECES)]
    assert [knot() for knot in knots] == [None] * MOST_PIECES
