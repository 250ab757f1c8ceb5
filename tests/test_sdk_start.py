"""The SDK as a starting broker enters it: less is imported, and nothing is missing."""

from __future__ import annotations

import subprocess
import sys

UNUSED = {"mcp.client", "mcp.server.mcpserver", "httpx2"}


def said_by(script: str) -> list[str]:
    """The words that a fresh interpreter prints, once it has loaded the SDK as brokers do."""
    loaded = f"import sys\nfrom chardesk.broker.faces import sdk\nsdk.load()\n{script}"
    done = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_what_a_session_never_uses_is_not_imported() -> None:
    assert not UNUSED & set(said_by("print(*sys.modules)"))


def test_the_rest_of_the_sdk_is_there_once_it_is_asked_for() -> None:
    script = (
        "from mcp import Client, types\nfrom mcp.server import MCPServer\n"
        "print(types.Tool.__name__, Client.__name__, MCPServer.__name__)"
    )
    assert said_by(script) == ["Tool", "Client", "MCPServer"]


def test_models_made_after_it_are_compiled_at_once_again() -> None:
    script = "from pydantic import BaseModel\nprint(BaseModel.model_config.get('defer_build'))"
    assert said_by(script) == ["None"]
