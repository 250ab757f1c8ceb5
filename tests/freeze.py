"""The list of tools as agents see it, in few words, and the file that holds it still.

python tests/freeze.py        # write tests/vectors/tools.json
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from chardesk.broker.faces import mcp, sdk

FILE = Path(__file__).parent / "vectors" / "tools.json"


@cache
def tools() -> dict[str, dict[str, Any]]:
    """By name, in order: what each takes and gives, the actions it has, and its bytes in `tools/list`."""
    sdk.load()
    return {
        tool.name: _told(tool.model_dump(by_alias=True, exclude_none=True)) for tool in mcp.tool_list().tools
    }


def _told(tool: dict[str, Any]) -> dict[str, Any]:
    takes = tool["inputSchema"]["properties"]
    actions = takes.get("action", {}).get("enum")
    return {
        "takes": list(takes),
        "needs": tool["inputSchema"].get("required", []),
        **({"actions": actions} if actions else {}),
        "gives": list(tool["outputSchema"]["properties"]),
        "hints": sorted(name for name, value in tool["annotations"].items() if value is True),
        "bytes": len(json.dumps(tool, ensure_ascii=False, separators=(",", ":")).encode()),
    }


def main() -> None:
    FILE.write_text(json.dumps(tools(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
