"""Children that lie: an engine of our own makes, which does what a broken-out script would do."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from textwrap import dedent

import pytest
from sandboxes import (
    echo,
    sandbox,
    script_processes,
)

from chardesk.broker.sandbox import limits
from chardesk.broker.sandbox.frames import Malformed, pack
from chardesk.broker.sandbox.messages import Call, Done, Said, TooDeep, parse
from chardesk.broker.sandbox.outcome import Failed
from chardesk.broker.sandbox.pipe import Pipe


def evil_engine(folder: Path, deed: str) -> Callable[[], Path]:
    """An engine folder whose engine, once handed a script, does `deed` with the socket's number `fd`."""
    source = f"""
    import ctypes, os, sys
    class JSException(Exception): pass
    class Context:
        def set_memory_limit(self, size): pass
        def set_max_stack_size(self, size): pass
        def add_callable(self, name, function): pass
        def execute_pending_job(self): return False
        def eval(self, source): return lambda *limits: begin
    def frame(body): return len(body).to_bytes(4, "little") + body
    def begin(job):
        fd = int(sys.argv[1])
        {deed}
        return lambda: '["done",null,false]'
    """
    (folder / "_quickjs.py").write_text(dedent(source))
    return lambda: folder


HOSTILE = {
    "a giant frame": (r"os.write(fd, b'\xff\xff\xff\x7f{}')", "a frame of 2147483647 bytes"),
    "an empty frame": (r"os.write(fd, b'\0\0\0\0')", "a frame of 0 bytes"),
    "no JSON": ("os.write(fd, frame(b'[[[['))", "no JSON"),
    "bad UTF-8": (r"os.write(fd, frame(b'[\"say\",\"\xff\"]'))", "no JSON"),
    "an object": ("os.write(fd, frame(b'{}'))", "no message"),
    "a bare word": ("os.write(fd, frame(b'[1]'))", "no message"),
    "an unknown message": ("os.write(fd, frame(b'[\"root\"]'))", "no known kind"),
    "an unknown operation": ('os.write(fd, frame(b\'["call","__class__",{}]\'))', "no known operation"),
    "an operation that is no text": ("os.write(fd, frame(b'[\"call\",[],{}]'))", "another shape"),
    "a message too long": ("os.write(fd, frame(b'[\"done\",1,false,2]'))", "another shape"),
    "not a number": ("os.write(fd, frame(b'[\"done\",NaN,false]'))", "no JSON"),
    "an infinite number": ("os.write(fd, frame(b'[\"done\",1e999,false]'))", "not finite"),
    "an endless number": ("os.write(fd, frame(b'[\"done\",' + b'9' * 9999 + b',false]'))", "no JSON"),
    "ready again": ("os.write(fd, frame(b'[\"ready\"]'))", "ready twice"),
    "half a frame and the end": (r"os.write(fd, b'\x09\0\0\0[\"do'); os._exit(0)", "status 0"),
    "an early end": ("os._exit(3)", "status 3"),
    "lines for ever": ('[os.write(fd, frame(b\'["say",""]\')) for _ in iter(int, 1)]', "past the limit"),
    "a wild pointer": ("ctypes.string_at(0)", "SIGSEGV"),
    "a file": ("os.open('/etc/passwd', 0)", "SIGSYS"),
}


@pytest.mark.parametrize(("deed", "reason"), HOSTILE.values(), ids=HOSTILE)
async def test_a_child_that_does_what_no_honest_one_would_has_crashed(
    deed: str, reason: str, tmp_path: Path
) -> None:
    async with sandbox(warm=0, find_engine=evil_engine(tmp_path, deed)) as box:
        outcome = await box.run("1", 5_000, 1, echo)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.operations) == ("crashed", 0)
    assert reason in outcome.message
    assert script_processes() == set()


async def test_a_pipe_takes_only_so_much_that_nobody_asked_for() -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    pipe = Pipe(ours)
    with theirs, closing(pipe):
        theirs.send(pack(b"first"))
        assert await pipe.receive() == b"first"
        sent = 0
        for _ in range(5_000):
            with suppress(BlockingIOError):
                sent += theirs.send(bytes(9_999))
            await asyncio.sleep(0)
    assert limits.FRAME_BYTES < sent < 2 * limits.FRAME_BYTES


async def test_a_child_that_never_reads_its_answers_ends_at_a_limit(tmp_path: Path) -> None:
    flood = '[os.write(fd, frame(b\'["call","read",{}]\')) for _ in range(100)]; [0 for _ in iter(int, 1)]'
    async with sandbox(warm=0, find_engine=evil_engine(tmp_path, flood)) as box:
        outcome = await box.run("1", 300, 1, lambda *_: {"content": "x" * 500_000})
    assert isinstance(outcome, Failed)
    assert outcome.code == "timeout", outcome
    assert outcome.operations < 5


def test_lone_surrogates_and_wide_numbers_are_made_safe() -> None:
    assert parse(rb'["say","a\ud800b\\ud800"]') == Said("a\ufffdb\\ud800")
    assert parse(rb'["call","read",{"\udc00":["\ud83d\ude00"]}]') == Call("read", {"\ufffd": ["😀"]})
    assert parse(b'["done",100000000000000000000,false]') == Done(1e20, False)
    assert isinstance(parse(b'["done",-1152921504606846976,false]').result, float)  # type: ignore[union-attr]
    assert parse(b'["done",[1,1.5,-0.25,true,null],false]') == Done([1, 1.5, -0.25, True, None], False)


@pytest.mark.parametrize("depth", [101, 2_000, 200_000])
def test_deep_json_is_refused_without_a_stack_overflow(depth: int) -> None:
    with pytest.raises(TooDeep):
        parse(b'["call","read",' + b"[" * depth + b"]" * depth + b"]")


def test_json_at_the_depth_limit_passes() -> None:
    depth = limits.JSON_DEPTH - 1
    assert isinstance(parse(b'["call","read",' + b"[" * depth + b"]" * depth + b"]"), Call)


def test_a_result_is_truncated_by_the_host_whatever_the_child_says() -> None:
    assert parse(b'["done","' + b"x" * limits.RESULT_BYTES + b'",false]') == Done(None, True)


def test_a_frame_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(Malformed):
        parse(b'["say","\xff"]')
