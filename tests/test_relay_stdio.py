"""The relay's ends: lines cut from a stream, lines written without waiting, and both ways to wait."""

from __future__ import annotations

import os
import select

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chardesk.broker.door import stdio
from chardesk.broker.door.stdio import In, Lines, Out, Overlong, PumpedIn


def cut(data: bytes, size: int, limit: int) -> list[bytes | Overlong]:
    lines = Lines(limit)
    fed = [line for at in range(0, len(data), size) for line in lines.feed(data[at : at + size])]
    return [*fed, *lines.rest()]


@given(
    st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"").strip())), st.integers(1, 30)
)
def test_lines_come_out_however_the_stream_is_cut(lines: list[bytes], size: int) -> None:
    assert cut(b"".join(line + b"\r\n" for line in lines), size, limit=22) == lines


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_line_over_the_limit_is_skipped_and_told_in_its_place(size: int) -> None:
    first, second, third, fourth = cut(b"1234\n12345\n1\n" + b"x" * 50, size, limit=4)
    assert (first, third) == (b"1234", b"1")
    assert isinstance(second, Overlong) and isinstance(fourth, Overlong)


def test_a_message_is_one_line_however_it_is_laid_out() -> None:
    read, write = os.pipe()
    out = Out(write)
    out.put(b'{\n"a":1}')
    out.write_some()
    assert os.read(read, 100) == b'{ "a":1}\n'
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("has_poll", [True, False])
def test_waiting_tells_who_is_ready(has_poll: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_poll:
        monkeypatch.delattr(select, "poll")
    read, write = os.pipe()
    stdin_end, client = os.pipe()
    out, stdin = Out(write), In(stdin_end)
    quiet = stdio.wait(stdin, out, None, 0.0)
    assert (quiet.stdin, quiet.stdout, quiet.is_deaf) == (False, False, False)
    os.write(client, b"hello")
    out.put(b"{}")
    ready = stdio.wait(stdin, out, None, 10.0)
    assert (ready.stdin, ready.stdout) == (True, True)
    assert stdin.read() == b"hello"
    for fd in (read, write, stdin_end, client):
        os.close(fd)


def test_a_client_that_went_away_is_noticed_without_writing() -> None:
    read, write = os.pipe()
    os.close(read)
    assert stdio.wait(None, Out(write), None, 10.0).is_deaf
    os.close(write)


def test_a_pipe_that_only_a_thread_can_wait_for_is_pumped_through_a_socket() -> None:
    source, client = os.pipe()
    pumped = PumpedIn(source)
    os.write(client, b"hello")
    assert select.select([pumped], [], [], 10.0)[0]
    assert pumped.read() == b"hello"
    os.close(client)
    assert pumped.read() == b""
    os.close(source)
    pumped._socket.close()


def test_a_note_is_dropped_when_nobody_reads_stderr() -> None:
    read, write = os.pipe()
    kept = os.dup(2)
    os.dup2(write, 2)
    try:
        for _ in range(1000):
            stdio.note("漢" * 1000)
    finally:
        os.dup2(kept, 2)
        for fd in (kept, write):
            os.close(fd)
    assert os.read(read, 401)[-1:] == b"\n"
    os.close(read)
