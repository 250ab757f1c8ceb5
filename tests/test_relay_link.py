"""How a relay keeps its link: against a stand-in for the broker, on a clock that the test turns."""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from socket import create_server

import pytest
from fake_broker import FakeBroker

from chardesk.broker.door import discovery, lock, start, tether
from chardesk.broker.door.backoff import Backoff
from chardesk.broker.door.join import (
    HEARTBEAT_S,
    JOIN_S,
    OWED_HEARTBEAT_S,
    OWED_SILENCE_S,
    SILENCE_S,
    Ended,
    Event,
    Message,
    Welcomed,
)
from chardesk.broker.door.place import Place
from chardesk.broker.door.tether import Tether

PATIENCE_S = 10.0


class Hand:
    """Moves a tether on a clock of its own: real sockets are waited for, time passes only between events."""

    def __init__(self, desk: Place, wanted: bool = True) -> None:
        self.now = 1000.0
        self.tether = Tether(desk, "/cwd", self.now, Backoff(chance=lambda: 0.0))
        if wanted:
            self.tether.want("ada", False, self.now)

    def turn(self) -> list[Event]:
        """Wait for the socket, if there is one; else let the time pass until something is due."""
        socket = self.tether.socket
        if socket is not None:
            writes = [socket] if socket.wants_write else []
            ready, writable, _ = select.select([socket], writes, [], PATIENCE_S)
            assert ready or writable, "the broker said nothing"
        else:
            self.now = max(self.now, min(self.tether.due_at(self.now), self.now + 3600))
        return list(self.tether.step(self.now))

    def until(self, found: Callable[[Event], bool], turns: int = 200) -> Event:
        for _ in range(turns):
            for event in self.turn():
                if found(event):
                    return event
        raise AssertionError("it never came")

    def join(self) -> Welcomed:
        event = self.until(lambda event: isinstance(event, Welcomed))
        assert isinstance(event, Welcomed)
        return event

    def pass_s(self, seconds: float) -> list[Event]:
        """Let time pass without waiting for anything."""
        self.now += seconds
        return list(self.tether.step(self.now))


@pytest.fixture
def desk(tmp_path: Path) -> Place:
    return Place(str(tmp_path))


@pytest.fixture
def no_starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nobody may launch a broker; who tries is listed."""
    tried: list[str] = []

    def launch(place: Place, port: int | None) -> None:
        tried.append(place.root)
        raise AssertionError("launched a broker")

    monkeypatch.setattr(start, "launch", launch)
    return tried


def is_end(event: Event) -> bool:
    return isinstance(event, Ended)


def test_it_joins_with_the_key_the_name_and_no_token(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        welcome = hand.join()
        hello = broker.hello()
        assert list(hello) == ["chardesk", "protocol", "key", "name", "cwd", "resume", "package"]
        assert (hello["key"], hello["name"], hello["resume"]) == (broker.key, "ada", None)
        assert welcome.max_bytes == 1048576
        hand.tether.close()


def test_it_connects_at_once_but_says_nothing_before_it_is_wanted(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk, wanted=False)
        hand.turn()
        assert broker.hellos.empty()
        hand.tether.want("ada", True, hand.now)
        hand.join()
        assert broker.hello()["fixed"] is True
        hand.tether.close()


def test_a_new_link_resumes_with_the_token(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        token = hand.join().token
        broker.hello()
        broker.peer().close(1012)
        hand.until(is_end)
        hand.join()
        assert broker.hello()["resume"] == token
        hand.tether.close()


def test_a_broker_that_accepts_and_closes_is_asked_at_most_twelve_times_a_minute(desk: Place) -> None:
    with FakeBroker(desk, turn_away=1011) as broker:
        hand = Hand(desk)
        end = hand.now + 60
        while hand.now < end:
            hand.turn()
        hand.tether.close()
        assert 8 <= broker.attempts <= 12 + 1  # the last one lies beyond the minute


def test_a_wrong_key_is_tried_once_and_then_never_again(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        Path(desk.key).write_text("0" * 64)
        hand = Hand(desk)
        hand.until(is_end)
        assert hand.tether.verdict is not None
        assert hand.tether.verdict.code == "permission_denied"
        assert "Token rejected" in hand.tether.verdict.message
        assert hand.tether.due_at(hand.now) == tether.NEVER
        assert broker.attempts == 1


def test_a_wrong_key_is_followed_by_the_right_one_if_the_file_has_it_by_then(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        right = Path(desk.key).read_text()
        Path(desk.key).write_text("0" * 64)
        broker.on_hello = lambda: Path(desk.key).write_text(right)
        hand = Hand(desk)
        hand.join()
        assert broker.attempts == 2
        hand.tether.close()


@pytest.mark.parametrize(("code", "said"), [(4403, "revoked"), (4409, "replaced")])
def test_revoked_and_replaced_are_final(desk: Place, code: int, said: str) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        hand.join()
        broker.peer().close(code)
        hand.until(is_end)
        assert hand.tether.verdict is not None and hand.tether.verdict.code == said
        assert hand.tether.due_at(hand.now) == tether.NEVER


def test_an_incompatible_broker_is_named_with_both_versions_and_asked_again_slowly(desk: Place) -> None:
    with FakeBroker(desk, turn_away=4426) as broker:
        broker.protocols = [2, 3]
        hand = Hand(desk)
        hand.until(is_end)
        verdict = hand.tether.verdict
        assert verdict is not None and verdict.code == "incompatible_broker"
        assert "protocol 1" in verdict.message and "2, 3" in verdict.message
        assert hand.pass_s(14) == [] and broker.attempts == 1
        broker.turn_away = broker.protocols = None
        broker.publish()
        hand.join()
        assert hand.tether.verdict is None
        hand.tether.close()


def test_a_discovery_of_another_protocol_is_not_even_connected_to(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        broker.publish(protocol=7)
        hand = Hand(desk)
        assert hand.tether.socket is None
        assert hand.tether.verdict is not None and "speaks 7" in hand.tether.verdict.message


def test_after_a_stop_it_waits_and_joins_as_soon_as_a_new_address_is_published(
    desk: Place, no_starts: list[str]
) -> None:
    broker = FakeBroker(desk)
    hand = Hand(desk)
    hand.join()
    desk.mark_stopped()
    broker.stop()
    hand.until(is_end)
    end = hand.now + 20
    while hand.now < end:
        assert hand.turn() == []
    assert hand.tether.trouble.code == "broker_unavailable"
    assert "chardesk serve" in hand.tether.trouble.next_step
    assert no_starts == []
    with FakeBroker(desk) as again:
        before = hand.now
        hand.join()
        assert hand.now - before < 0.5
        assert again.port != broker.port
        hand.tether.close()


def test_a_discovery_without_its_lock_is_not_trusted_with_the_key(desk: Place, no_starts: list[str]) -> None:
    with FakeBroker(desk) as broker:
        broker._lock.release()
        hand = Hand(desk, wanted=False)
        assert hand.tether.socket is None
        assert broker.attempts == 0


def test_without_a_request_no_broker_is_started(desk: Place, no_starts: list[str]) -> None:
    hand = Hand(desk, wanted=False)
    assert hand.tether.due_at(hand.now) == tether.NEVER
    assert hand.pass_s(100) == []
    assert no_starts == []


def test_a_start_that_fails_is_the_trouble_that_calls_are_told(
    desk: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def launch(place: Place, port: int | None) -> subprocess.Popen[bytes]:
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.exit(7)"])
        child.wait()
        return child

    monkeypatch.setattr(start, "launch", launch)
    hand = Hand(desk)
    for _ in range(3):
        hand.turn()
    assert hand.tether.trouble.code == "broker_unavailable"
    assert "exit status 7" in hand.tether.trouble.message
    assert hand.tether.verdict is None, "another start may do better"
    hand.tether.close()


def test_a_broker_that_is_starting_is_waited_for(desk: Place, no_starts: list[str]) -> None:
    desk.make()
    with lock.hold(desk.broker_lock) or pytest.fail("not held"):
        hand = Hand(desk)
        for _ in range(20):
            hand.turn()
    assert no_starts == []


def test_a_quiet_link_is_pinged_and_a_silent_one_dropped(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        hand.join()
        peer = broker.peer()
        joined = hand.now
        hand.pass_s(0)
        assert hand.tether.due_at(hand.now) == joined + HEARTBEAT_S
        hand.pass_s(HEARTBEAT_S)
        hand.turn()  # the pong
        assert hand.tether.due_at(hand.now) == joined + 2 * HEARTBEAT_S
        # From here on the pong of each ping comes too late for a clock that jumps.
        socket = hand.tether.socket
        assert socket is not None
        socket.heard_at = hand.now - SILENCE_S
        (end,) = hand.pass_s(0)
        assert isinstance(end, Ended) and end.reason == "silent"
        hand.join()
        assert broker.peer() is not peer
        hand.tether.close()


def test_while_an_answer_is_owed_a_silent_link_is_dropped_within_seconds(desk: Place) -> None:
    with FakeBroker(desk):
        hand = Hand(desk)
        hand.join()
        hand.pass_s(HEARTBEAT_S - 1)  # quiet for long, which is no silence yet
        asked = hand.now
        hand.tether.owe(True, asked)
        assert hand.tether.due_at(hand.now) == asked + OWED_HEARTBEAT_S
        assert hand.pass_s(OWED_HEARTBEAT_S) == []
        hand.turn()  # the pong
        assert hand.tether.due_at(hand.now) == hand.now + OWED_HEARTBEAT_S
        socket = hand.tether.socket
        assert socket is not None
        socket.heard_at = asked
        (end,) = hand.pass_s(OWED_SILENCE_S - OWED_HEARTBEAT_S)
        assert isinstance(end, Ended) and (end.reason, end.since) == ("silent", asked)
        hand.join()
        hand.tether.owe(True, hand.now)
        hand.tether.owe(False, hand.now)
        assert hand.tether.due_at(hand.now) > hand.now + OWED_SILENCE_S, "nothing is owed any more"
        hand.tether.close()


def test_a_broker_that_accepts_and_says_nothing_is_given_up_but_only_once_it_is_wanted(desk: Place) -> None:
    desk.make()
    with lock.hold(desk.broker_lock) or pytest.fail("not held"), create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        discovery.write(desk, discovery.Discovery(address, 1, ""))
        hand = Hand(desk, wanted=False)
        assert hand.pass_s(3600) == []
        hand.tether.want("ada", False, hand.now)
        assert hand.tether.due_at(hand.now) == hand.now + JOIN_S
        (end,) = hand.pass_s(JOIN_S)
        assert isinstance(end, Ended) and end.reason == "no welcome"
        assert hand.tether.socket is None


def test_messages_that_come_right_behind_the_welcome_are_not_lost(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        hand.join()
        broker.peer().send({"jsonrpc": "2.0", "method": "notifications/x"})
        message = hand.until(lambda event: isinstance(event, Message))
        assert isinstance(message, Message) and b"notifications/x" in message.frame
        hand.tether.close()


def test_a_link_that_lived_five_seconds_starts_the_back_off_anew(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        hand = Hand(desk)
        delays = []
        for life_s in (0.0, 0.0, 5.0):
            hand.join()
            hand.pass_s(life_s)
            broker.peer().close(1012)
            hand.until(is_end)
            assert discovery.running(desk)
            delays.append(hand.tether._phase.until - hand.now)  # type: ignore[union-attr]
        assert delays == pytest.approx([0.05, 0.1, 0.05])
        hand.tether.close()


def test_a_broker_that_served_long_and_is_gone_is_started_again_at_once(
    desk: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[float] = []
    with FakeBroker(desk) as broker:
        hand = Hand(desk)

        def launch(place: Place, port: int | None) -> subprocess.Popen[bytes]:
            launched.append(hand.now)
            child = subprocess.Popen([sys.executable, "-c", ""])
            child.wait()
            return child

        monkeypatch.setattr(start, "launch", launch)
        hand.join()
        hand.pass_s(5.0)
        broker._lock.release()
        broker.peer().close(1012)
        hand.until(is_end)
        gone_at = hand.now
        hand.turn()
        assert launched == [pytest.approx(gone_at, abs=0.01)], "it would have waited 50 ms"
        hand.tether.close()
