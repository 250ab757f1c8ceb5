"""`chardesk …`: the command line. Everything slow is imported by the verb that needs it."""

from __future__ import annotations

import io
import os
import sys

from chardesk.broker.verbs.exits import INTERRUPTED, NO_BROKER, OK, REFUSED, USAGE

SERVICE = {
    "serve": "start the desk's broker here and open the page",
    "open": "open the page in the browser (--print: only print its address)",
    "status": "what runs for this desk (--json)",
    "stop": "stop the broker; agents wait until it is started again",
    "connect": "print what connects an agent: claude-code, claude-desktop, codex, cursor, vscode",
    "log": "verify: check the journal from its first row to its last",
    "backend": "list, show, probe: what runs scripts here, and what it holds them to",
    "agents": "who was ever here, and what each may do (--json)",
    "logs": "the last lines of the desk's log (--lines N, --json)",
    "doctor": "check this computer and this desk (--report: for a bug report)",
    "backup": "copy the desk into a folder, while it runs",
    "restore": "put a backup in the desk's place",
}

TOOLS = (
    "manage",
    "read",
    "search",
    "write",
    "erase",
    "fill",
    "render",
    "batch",
    "code",
    "history",
    "inbox",
    "read-materials",
)
"""The tools' verbs; a test holds them to the registry."""


def main(argv: list[str] | None = None) -> int:
    """Run a verb; returns the exit code (`verbs/exits.py`).

    A reader of our output that went away is nothing to report; what the system refused is one line.
    """
    _speak_utf8()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # What is still buffered would be tried again, and reported, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except ConnectionError as problem:
        return _complain(str(problem), NO_BROKER)
    except OSError as problem:
        return _complain(f"{problem.filename or 'the system'}: {problem.strerror}", REFUSED)
    except KeyboardInterrupt:
        return INTERRUPTED


def _complain(why: str, code: int) -> int:
    print(f"chardesk: {why}", file=sys.stderr)
    return code


def _speak_utf8() -> None:
    """Cells are Unicode, whatever the locale or the console says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(_help())
        return OK if words else USAGE
    if words[0] in ("-V", "--version"):
        from chardesk.broker.verbs.version import version

        print(f"chardesk {version()}")
        return OK
    verb, rest = words[0], words[1:]
    if verb in SERVICE:
        from chardesk.broker.verbs import service

        return service.run(verb, rest)
    if verb in TOOLS:
        from chardesk.broker.verbs import tools

        return tools.run(verb, rest)
    return _unknown(verb)


def _help() -> str:
    width = max(map(len, SERVICE))
    lines = [f"  {verb:<{width}}  {says}" for verb, says in SERVICE.items()]
    return "\n".join(
        [
            "usage: chardesk VERB [options]",
            "",
            "A shared Unicode canvas for people and agents.",
            "",
            *lines,
            "",
            f"tools: {' '.join(TOOLS)}",
            "       the tools that agents have, from here (chardesk read --help)",
            "",
            "every verb takes --desk DIR (or CHARDESK_DESK)",
            "exit codes: 0 done, 1 refused, 2 wrong usage, 3 no broker",
        ]
    )


def _unknown(verb: str) -> int:
    import difflib

    near = difflib.get_close_matches(verb, [*SERVICE, *TOOLS], 1)
    hint = f"; did you mean {near[0]}?" if near else "; try chardesk --help"
    return _complain(f"unknown verb {verb[:40]}{hint}", USAGE)


if __name__ == "__main__":
    raise SystemExit(main())
