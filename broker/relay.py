"""`chardesk-mcp`: moves JSON-RPC between an agent's stdio and the broker.

Every agent starts one, so its start and its size are the product's (tests/bench/relay_start.py measures
them): it imports `broker/door` and, of the standard library, what is compiled in. One thread waits for stdin,
stdout and the broker's socket; the deciding is done in `door/session.py` (the conversation) and
`door/tether.py` (the link).
"""

from __future__ import annotations

import os
import sys
import time

from chardesk.broker.door import files, lean, place, refusals, signals, stdio
from chardesk.broker.door.join import Control, Ended, Message, Welcomed
from chardesk.broker.door.session import FRAME_LIMIT, Session, ToBroker, ToClient
from chardesk.broker.door.tether import Tether

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chardesk.broker.door.join import Event
    from chardesk.broker.door.place import Place
    from chardesk.broker.door.session import Out

FAREWELL_S = 0.25
"""How long answers are waited for after the end of stdin. The process has 0.5 s to be gone."""
UNREAD_LIMIT = 4 * 1024 * 1024
"""Of answers the client hasn't read. Above it the broker is not read; it will cut us as a slow consumer."""
STUCK_LIMIT = 2 * UNREAD_LIMIT
"""Above it the client is not read either: all it gets is refusals, and it doesn't read those."""
FILE_FRAME_LIMIT = 4 * 1024 * 1024 - 1024
"""A file's text as JSON can be six times its size; the transport takes 4 MiB."""

NEVER = float("inf")
QUIET_ENDS = (1000, 1001, 1006, 1012)
"""A broker that stops or crashes is nothing to report: it comes back, or calls say what to do."""
OTHER_BUILD = (
    "of another build and in use; `chardesk stop` when nobody needs it, then restart this MCP server"
)
OVERLONG = f"Invalid request: a line of more than {stdio.LINE_LIMIT} bytes was skipped"

USAGE = """usage: chardesk-mcp [--desk DIR] [--version] [--help]
       chardesk-mcp --http [--port N] [--desk DIR]

An MCP server on stdio. It joins the Chardesk broker of the desk and starts one if none runs.

  --desk DIR   the desk's folder (default: CHARDESK_DESK, else the nearest .chardesk/, else the user's own)
  --http       serve the same over Streamable HTTP on 127.0.0.1, for who shows the desk's token
  --version    print the version and exit

Environment: CHARDESK_DESK, CHARDESK_AGENT (this agent's name), CHARDESK_ROOTS (more folders it may read).
"""


class Relay:
    """One agent's process. `run` returns when there is nothing left to do for the client."""

    def __init__(self, desk: Place, env: Mapping[str, str], cwd: str, stdin: stdio.In, stdout: int) -> None:
        self._agent = env.get("CHARDESK_AGENT", "").strip()
        self._roots = files.roots(env, cwd) if cwd else ()
        self._stdin: stdio.In | None = stdin
        self._out = stdio.Out(stdout)
        self._lines = stdio.Lines()
        self._session = Session()
        self._tether = Tether(desk, cwd, time.monotonic())
        self._farewell_at: float | None = None
        self._is_wanted = False
        self._wanted_files: list[Mapping[str, object]] = []

    def run(self) -> None:
        """Until stdin ended and what was asked is answered (or 0.3 s later), or nobody reads stdout."""
        try:
            while not self._is_over(time.monotonic()):
                self._turn()
        except ConnectionError:
            return
        finally:
            self._tether.close()

    def _is_over(self, now: float) -> bool:
        if self._farewell_at is None:
            return False
        if now >= self._farewell_at:
            if left := self._session.unanswered:
                stdio.note(f"stdin ended with {left} request(s) unanswered")
            return True
        return not self._session.unanswered and not self._out.waiting

    def _turn(self) -> None:
        now = time.monotonic()
        self._tether.owe(self._session.is_owed, now)
        is_backed_up = self._out.waiting >= UNREAD_LIMIT
        ready = stdio.wait(
            stdin=self._stdin if self._out.waiting < STUCK_LIMIT else None,
            out=self._out,
            socket=None if is_backed_up else self._tether.socket,
            timeout_s=self._timeout_s(now, is_backed_up),
        )
        if ready.is_deaf:
            raise BrokenPipeError
        if ready.stdout:
            self._out.write_some()
        if ready.stdin and self._stdin is not None:
            self._read(self._stdin, time.monotonic())
        if not is_backed_up:
            self._step(time.monotonic())
        self._hand_out()

    def _hand_out(self) -> None:
        """Files that the broker asked for, once it is known which folders the client grants."""
        if self._wanted_files and not self._session.granted.is_pending:
            wanted, self._wanted_files = self._wanted_files, []
            roots = (*self._roots, *self._session.granted.folders) if self._roots else ()
            for said in wanted:
                self._tether.send(_file(said, roots))

    def _timeout_s(self, now: float, is_backed_up: bool) -> float | None:
        dues = [self._farewell_at or NEVER]
        if not is_backed_up:
            dues += [self._tether.due_at(now), self._session.next_due]
        due = min(dues)
        return None if due == NEVER else max(0.0, due - now)

    def _read(self, stdin: stdio.In, now: float) -> None:
        if data := stdin.read():
            self._hear(self._lines.feed(data), now)
            return
        self._hear(self._lines.rest(), now)
        self._stdin = None
        self._farewell_at = now + FAREWELL_S

    def _hear(self, lines: Iterable[bytes | stdio.Overlong], now: float) -> None:
        for line in lines:
            if isinstance(line, stdio.Overlong):
                self._out.put(refusals.error(None, refusals.INVALID_REQUEST, OVERLONG))
                continue
            self._carry(self._session.from_client(line, now))
        if not self._is_wanted and self._session.client is not None:
            self._is_wanted = True
            self._tether.want(self._agent or self._session.client, bool(self._agent), now)

    def _step(self, now: float) -> None:
        for event in self._tether.step(now):
            self._meet(event, now)
        if (refusal := self._tether.verdict) is not None:
            self._carry(self._session.refuse_all(refusal))
        self._carry(self._session.overdue(now, self._tether.trouble))

    def _meet(self, event: Event, now: float) -> None:
        match event:
            case Message(frame=frame):
                self._carry(self._session.from_broker(frame))
            case Welcomed(max_bytes=max_bytes):
                self._session.limit = max_bytes or FRAME_LIMIT
                self._carry(self._session.joined())
            case Control(kind="readFile", said=said):
                self._wanted_files.append(said)
            case Control(kind="otherBuild", said=said):
                stdio.note(f"the running broker, version {said.get('version')}, is {OTHER_BUILD}")
            case Control():
                return
            case Ended(code=code, reason=reason, since=since):
                self._session.lost(now if since is None else since)
                if (refusal := self._tether.verdict) is not None:
                    stdio.note(refusal.message)
                elif code not in QUIET_ENDS:
                    stdio.note(f"no link to the broker ({code} {reason}); trying again")
            case never:
                lean.unreachable(never)

    def _carry(self, outs: Iterable[Out]) -> None:
        for out in outs:
            match out:
                case ToBroker(frame=frame):
                    self._tether.send(frame)
                case ToClient(line=line):
                    self._out.put(line)
                case never:
                    lean.unreachable(never)


def _file(said: Mapping[str, object], roots: tuple[str, ...]) -> bytes:
    """The answer to `readFile {id, path, maxBytes}`: the file's text, or why not."""
    answer: dict[str, object] = {"chardesk": "file", "id": said.get("id")}
    path, max_bytes = said.get("path"), said.get("maxBytes")
    try:
        if not isinstance(path, str) or not isinstance(max_bytes, int) or not roots:
            raise files.Unreadable("the request names no path and size, or this process has no folder")
        frame = lean.dumps({**answer, "text": files.read_text(path, roots, max_bytes)})
        if len(frame) > FILE_FRAME_LIMIT:
            raise files.Unreadable("the file is too large once it is JSON", "too_large")
        return frame
    except files.Unreadable as problem:
        return lean.dumps({**answer, "error": str(problem), "code": problem.code})


def _desk_flag(arguments: list[str]) -> str | None:
    """The folder after `--desk`; exits for `--help`, `--version` (0) and for what isn't understood (2)."""
    match arguments:
        case []:
            return None
        case ["--desk", folder] if folder:
            return folder
        case [word] if word.startswith("--desk=") and word != "--desk=":
            return word.removeprefix("--desk=")
        case ["--help" | "-h"]:
            sys.stdout.write(USAGE)
        case ["--version"]:
            from importlib.metadata import version

            sys.stdout.write(f"chardesk-mcp {version('chardesk')}\n")
        case _:
            sys.stderr.write(USAGE)
            sys.exit(2)
    sys.exit(0)


def _folder() -> str:
    """The working folder, `""` if it was deleted under us."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def main() -> int:
    """The command. Exit status 0 when stdin ends, a signal comes or nobody reads stdout; 2 for usage."""
    if sys.argv[1:2] == ["--http"]:
        # A process of its own: what it imports would cost every agent half a second.
        os.execv(sys.executable, [sys.executable, "-m", "chardesk.broker.http_mode", *sys.argv[2:]])
    flag = _desk_flag(sys.argv[1:])
    signals.quit_quietly()
    cwd = _folder()
    desk = place.find(flag, os.environ, cwd or os.sep)
    stdin, stdout = stdio.take()
    try:
        Relay(desk, os.environ, cwd, stdin, stdout).run()
    except signals.Quit:
        return 0
    finally:
        signals.ignore()
    return 0


if __name__ == "__main__":
    sys.exit(main())
