"""The desk's folder, its lock, key, discovery file and build, and who may start a broker."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chardesk.broker.door import build, discovery, files, key, lock, place, start
from chardesk.broker.door.backoff import Backoff
from chardesk.broker.door.discovery import Discovery
from chardesk.broker.door.place import Place

HOLDER = """
import sys
from chardesk.broker.door import lock
held = lock.hold(sys.argv[1])
print("held" if held else "refused", flush=True)
sys.stdin.read()
"""

KEY_READER = """
import sys
from chardesk.broker.door import key, place
print(key.desk_key(place.Place(sys.argv[1])))
"""


@pytest.fixture
def desk(tmp_path: Path) -> Place:
    made = Place(str(tmp_path / "desk"))
    made.make()
    return made


# -- the folder


def test_the_flag_goes_before_the_variable_and_the_variable_before_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".chardesk").mkdir()
    env = {"CHARDESK_DESK": "from-env"}
    assert place.find("flag", env, str(tmp_path)).root == str(tmp_path / "flag")
    assert place.find(None, env, str(tmp_path)).root == str(tmp_path / "from-env")
    assert place.find(None, {}, str(tmp_path)).root == str(tmp_path / ".chardesk")


def test_the_nearest_parent_that_has_a_desk_is_meant(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / ".chardesk").mkdir()
    assert place.find(None, {}, str(deep)).root == str(tmp_path / ".chardesk")
    (tmp_path / "a" / ".chardesk").mkdir()
    assert place.find(None, {}, str(deep)).root == str(tmp_path / "a" / ".chardesk")


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {}, "~/.local/share/chardesk"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/chardesk"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "~/.local/share/chardesk"),
        ("darwin", {}, "~/Library/Application Support/chardesk"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/chardesk"),
    ],
)
def test_without_any_hint_the_desk_is_the_users_own(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert place.user_data_folder(env, platform) == os.path.expanduser(expected)


def test_finding_a_desk_makes_nothing(tmp_path: Path) -> None:
    place.find(None, {"CHARDESK_DESK": str(tmp_path / "new")}, str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_stop_mark_is_there_until_it_is_cleared(desk: Place) -> None:
    assert not desk.is_stopped()
    desk.mark_stopped()
    desk.mark_stopped()
    assert desk.is_stopped()
    desk.clear_stop()
    desk.clear_stop()
    assert not desk.is_stopped()


# -- the lock


def test_one_holder_at_a_time_and_release_is_enough(desk: Place) -> None:
    first = lock.hold(desk.broker_lock)
    assert first is not None
    assert lock.hold(desk.broker_lock) is None
    assert lock.is_held(desk.broker_lock)
    first.release()
    first.release()
    assert not lock.is_held(desk.broker_lock)


def test_a_lock_file_that_was_left_behind_means_nothing(desk: Place) -> None:
    Path(desk.broker_lock).touch()
    assert not lock.is_held(desk.broker_lock)
    with lock.hold(desk.broker_lock) or pytest.fail("not held"):
        assert lock.is_held(desk.broker_lock)


def test_asking_for_a_lock_that_was_never_made_makes_no_file(desk: Place) -> None:
    assert not lock.is_held(desk.broker_lock)
    assert not os.path.exists(desk.broker_lock)


def test_kill_frees_the_lock_at_once(desk: Place) -> None:
    command = [sys.executable, "-c", HOLDER, desk.broker_lock]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        assert lock.hold(desk.broker_lock) is None
        holder.kill()
        holder.wait()
        next_holder = lock.hold(desk.broker_lock)
        assert next_holder is not None
        next_holder.release()


def test_of_eight_processes_one_gets_the_lock(desk: Place) -> None:
    command = [sys.executable, "-c", HOLDER, desk.broker_lock]
    crowd = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(8)]
    said = [process.stdout.readline() for process in crowd if process.stdout]
    for process in crowd:
        process.communicate()
    assert sorted(said) == [b"held\n"] + [b"refused\n"] * 7


# -- the key


def test_the_key_is_made_once_and_for_this_user_only(desk: Place) -> None:
    made = key.desk_key(desk)
    assert len(bytes.fromhex(made)) == 32
    assert key.desk_key(desk) == key.read_key(desk) == made
    assert stat.S_IMODE(os.stat(desk.key).st_mode) == 0o600
    assert [name for name in os.listdir(desk.root) if name.startswith("key")] == ["key"]


def test_all_processes_agree_on_the_key(desk: Place) -> None:
    command = [sys.executable, "-c", KEY_READER, desk.root]
    crowd = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(6)]
    assert len({process.communicate()[0] for process in crowd}) == 1


def test_a_key_that_others_may_read_is_closed_again(desk: Place) -> None:
    key.desk_key(desk)
    os.chmod(desk.key, 0o644)
    key.desk_key(desk)
    assert stat.S_IMODE(os.stat(desk.key).st_mode) == 0o600


def test_a_damaged_key_is_said_to_be_damaged_not_replaced(desk: Place) -> None:
    Path(desk.key).write_text("half a k")
    with pytest.raises(key.DamagedKey):
        key.desk_key(desk)
    assert Path(desk.key).read_text() == "half a k"


# -- the discovery file

FOUND = Discovery("127.0.0.1:9595", 42, "2026-01-01T00:00:00Z", 1, "0.1.0", "abc")


def test_what_is_published_is_found_while_the_lock_is_held(desk: Place) -> None:
    discovery.write(desk, FOUND)
    assert discovery.running(desk) is None
    with lock.hold(desk.broker_lock) or pytest.fail("not held"):
        found = discovery.running(desk)
        assert found is not None
        assert (found.address, found.port, found.pid, found.build) == ("127.0.0.1:9595", 9595, 42, "abc")
    assert stat.S_IMODE(os.stat(desk.discovery).st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"address":"127.0.0.1:9595"}',
        '{"address":"10.0.0.1:9595","pid":1,"startedAt":"","protocol":1}',
        '{"address":"127.0.0.1:0","pid":1,"startedAt":"","protocol":1}',
        '{"address":9595,"pid":1,"startedAt":"","protocol":1}',
    ],
)
def test_a_discovery_that_is_no_loopback_address_is_none(desk: Place, content: str) -> None:
    Path(desk.discovery).write_text(content)
    assert discovery.read(desk) is None


def test_the_signature_changes_with_the_file(desk: Place) -> None:
    before = discovery.signature(desk)
    discovery.write(desk, FOUND)
    published = discovery.signature(desk)
    discovery.write(desk, FOUND)
    assert len({before, published, discovery.signature(desk)}) == 3
    discovery.remove(desk)
    discovery.remove(desk)
    assert discovery.signature(desk) is before is None


# -- the back-off


def test_delays_double_up_to_fifteen_seconds() -> None:
    backoff = Backoff(chance=lambda: 0.0)
    assert [backoff.next_s() for _ in range(11)] == [
        0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 15.0, 15.0,
    ]  # fmt: skip


def test_jitter_only_makes_it_longer() -> None:
    assert Backoff(chance=lambda: 0.999).next_s() == pytest.approx(0.075, rel=0.01)
    assert all(0.05 <= Backoff().next_s() <= 0.075 for _ in range(100))


def test_a_reset_starts_from_the_bottom() -> None:
    backoff = Backoff(chance=lambda: 0.0)
    before = [backoff.next_s(), backoff.next_s()]
    backoff.reset()
    assert [backoff.next_s(), backoff.next_s()] == before


# -- the build


def test_the_fingerprint_tells_contents_not_times(tmp_path: Path) -> None:
    source = tmp_path / "broker" / "a.py"
    source.parent.mkdir()
    source.write_text("x = 1")
    before = build.fingerprint(str(tmp_path))
    status = os.stat(source)
    os.utime(source, ns=(0, 0))
    assert build.fingerprint(str(tmp_path)) == before
    source.write_text("x = 2")
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert build.fingerprint(str(tmp_path)) != before


def test_the_fingerprint_of_this_build_covers_its_files() -> None:
    assert len(build.fingerprint()) == 16
    assert "broker/door/build.py" in build.shipped(build.PACKAGE)


# -- files for the broker


def test_a_file_is_read_as_it_is_and_only_inside_the_roots(tmp_path: Path) -> None:
    inside, other = tmp_path / "in", tmp_path / "other"
    inside.mkdir()
    other.mkdir()
    (inside / "a.md").write_bytes("漢\r\n".encode())
    (other / "b.md").write_text("b")
    allowed = files.roots({"CHARDESK_ROOTS": str(other)}, str(inside))
    assert files.read_text("a.md", allowed, 5) == "漢\r\n"
    assert files.read_text(str(other / "b.md"), allowed, 5) == "b"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../secret", "outside"),
        ("/etc/hostname", "outside"),
        ("link", "outside"),
        ("linked/secret", "outside"),
        ("a\0b", "NUL"),
        ("folder", "not a plain file"),
        ("pipe", "not a plain file"),
        ("latin", "not UTF-8"),
        ("large", "more than 100 bytes"),
        ("missing", "No such file"),
    ],
)
def test_what_is_not_handed_out_is_refused_with_a_reason(tmp_path: Path, path: str, why: str) -> None:
    home = tmp_path / "in"
    (home / "folder").mkdir(parents=True)
    (tmp_path / "secret").write_text("s")
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "linked").symlink_to(tmp_path)
    os.mkfifo(home / "pipe")
    (home / "latin").write_bytes(b"\xe9")
    (home / "large").write_bytes(b"x" * 101)
    with pytest.raises(files.Unreadable, match=why) as refusal:
        files.read_text(path, files.roots({}, str(home)), 100)
    assert str(tmp_path) not in str(refusal.value)


# -- starting

Launch = Callable[..., "subprocess.Popen[bytes]"]
STUB = """
import os, sys
from chardesk.broker.door import discovery, lock
from chardesk.broker.door.place import Place
place = Place(sys.argv[1])
held = lock.hold(place.broker_lock, wait_s=1)
if held:
    discovery.write(place, discovery.Discovery("127.0.0.1:1", os.getpid(), "now"))
    os.read(0, 1)
"""


class Stubs:
    """Stands in for `start.launch`: processes that hold the lock and publish, until the test ends."""

    def __init__(self, code: str = STUB) -> None:
        self.code = code
        self.launched: list[subprocess.Popen[bytes]] = []

    def __call__(self, desk: Place, port: int | None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", self.code, desk.root]
        self.launched.append(subprocess.Popen(command, stdin=subprocess.PIPE))
        return self.launched[-1]

    def end(self) -> None:
        for process in self.launched:
            process.communicate()


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> Stubs:
    made = Stubs()
    monkeypatch.setattr(start, "launch", made)
    return made


def test_a_start_launches_one_broker_and_finds_it(desk: Place, stubs: Stubs) -> None:
    first, second = start.ensure(desk), start.ensure(desk)
    assert isinstance(first, start.Up) and isinstance(second, start.Up)
    assert first.found.pid == second.found.pid == stubs.launched[0].pid
    assert len(stubs.launched) == 1
    assert not lock.is_held(desk.start_lock)
    stubs.end()


def test_twenty_starts_at_once_launch_one_broker(desk: Place, stubs: Stubs) -> None:
    now = time.monotonic()
    crowd = [start.Start(desk, now, despite_stop=False) for _ in range(20)]
    while not all(isinstance(each.step(time.monotonic()), start.Up) for each in crowd):
        lock.pause(lock.POLL_S)
    assert len(stubs.launched) == 1
    stubs.end()


def test_a_running_relay_does_not_overrule_the_stop_mark_but_a_person_does(desk: Place, stubs: Stubs) -> None:
    desk.mark_stopped()
    assert isinstance(start.ensure(desk, despite_stop=False), start.Stopped)
    assert stubs.launched == []
    assert isinstance(start.ensure(desk), start.Up)
    assert not desk.is_stopped()
    stubs.end()


def test_a_broker_that_ends_at_once_is_a_failure_that_is_told(
    desk: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Stubs("import sys; sys.exit(7)")
    monkeypatch.setattr(start, "launch", broken)
    with pytest.raises(ConnectionError, match="exit status 7"):
        start.ensured(desk)
    assert not lock.is_held(desk.start_lock)
    broken.end()


def test_a_broker_that_never_gets_ready_is_given_up(desk: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = Stubs("import os; os.read(0, 1)")
    monkeypatch.setattr(start, "launch", idle)
    attempt = start.Start(desk, now=0.0, despite_stop=True)
    assert attempt.step(0.0) is None
    assert isinstance(attempt.step(start.PATIENCE_S), start.Failed)
    idle.end()


@pytest.mark.parametrize(
    ("left", "told"),
    [
        ("chardesk: the disk is full\n", "the disk is full"),
        ("chardesk serve: x is no port\n", "x is no port"),
        ("chardesk: of an earlier start\n2026 ERROR chardesk: fault\n  ValueError\n    at a.py:1 f\n", ""),
        ("", ""),
    ],
)
def test_agents_are_told_what_a_broker_said_to_people_and_nothing_of_its_faults(
    tmp_path: Path, left: str, told: str
) -> None:
    place = Place(str(tmp_path))
    place.make()
    Path(place.log, "broker.err").write_text(left)
    assert start.last_words(place) == told
