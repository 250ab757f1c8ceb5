"""What one small change costs inside the desk: no socket, no disk, no page.

The floor does what no desk can do without: it parses the call from JSON, puts the cell into a dictionary,
and writes the reply as JSON.

python tests/bench/desk_write.py [--profile]
"""

from __future__ import annotations

import cProfile
import json
import pstats
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playbook import Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e

CALLS = 3_000
ROUNDS = 5


def call(number: int) -> str:
    """A cell of 90×30; the next time around it gets another letter, so every call changes something."""
    at, content = [number % 90, number // 90 % 30], chr(ord("a") + number // 2700 % 26)
    arguments = {"at": at, "content": content, "mode": "apply"}
    return json.dumps({"id": number, "params": {"name": "canvas_write", "arguments": arguments}})


def desk_s(pages: int) -> float:
    """Seconds of processor time a call, of the best round, with so many pages that look on."""
    play = Playbook()
    for _ in range(pages):
        play.page("canvas")
    ada = play.agent("ada")
    return min(_round(play, ada.link, calls(number)) for number in range(ROUNDS))


def calls(number: int) -> list[str]:
    return [call(number * CALLS + one) for one in range(CALLS)]


def _round(play: Playbook, link: str, calls: list[str]) -> float:
    receive = play.desk.receive
    begun = time.process_time()
    for text in calls:
        asked = json.loads(text)
        params, name = asked["params"], str(asked["id"])
        receive(e.Called(link, name, params["name"], params["arguments"], name, play.at))
        effects = receive(e.Turn(play.at))
        (answer,) = [one for one in effects if isinstance(one, fx.Answer)]
        assert answer.reply.fields.get("operationId"), answer.reply.fields
        receive(e.Durable(play.state.seq))
    return (time.process_time() - begun) / len(calls)


def floor_s() -> float:
    def one_round() -> float:
        cells: dict[tuple[int, int], str] = {}
        begun = time.process_time()
        for text in asked_for:
            asked = json.loads(text)["params"]["arguments"]
            x, y = asked["at"]
            cells[x, y] = asked["content"]
            json.dumps({"applied": True, "bounds": [x, y, 1, 1], "revision": len(cells)})
        return (time.process_time() - begun) / CALLS

    asked_for = calls(0)
    return min(one_round() for _ in range(ROUNDS))


def main() -> None:
    if "--profile" in sys.argv:
        with cProfile.Profile() as profile:
            desk_s(pages=0)
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)
        return
    floor = floor_s()
    for pages in (0, 1):
        found = desk_s(pages)
        print(f"one-cell apply, {pages} pages: {found * 1e6:6.0f} µs, {found / floor:5.1f} × the floor")
    print(f"floor: {floor * 1e6:.1f} µs")


if __name__ == "__main__":
    main()
