"""`python -m tools.rest_clients`: write the clients of the REST API into samples/clients."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.entry.rest.openapi.document import openapi_document
from tools.rest_clients import python, typescript

CLIENTS: Final = Path(__file__).parents[2] / "samples" / "clients"


def files() -> Mapping[Path, str]:
    """Return the text of each generated file."""
    document = openapi_document("http://127.0.0.1:8080")
    return {
        CLIENTS / "python" / "groundwire_client.py": python.client(document),
        CLIENTS / "typescript" / "groundwire_client.ts": typescript.client(document),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
