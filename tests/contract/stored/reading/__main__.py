"""Prints what the package on the path reads of a folder of stored things, as JSON: `FOLDER SCRATCH`.

With further arguments it reads indexes instead: `SERVICE URL COLLECTION REGION` for each service that holds the rows.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

import groundwire

from .facts import facts_of
from .fixture import Fixture
from .rows import search_service

_SERVICE: Final = 4


def main(folder: str, scratch: str, *services: str) -> dict[str, Any]:
    """The facts, and where the package lies that found them."""
    fixture = Fixture(Path(folder), Path(scratch))
    reported = [services[start : start + _SERVICE] for start in range(0, len(services), _SERVICE)]
    found = {service: search_service(fixture, service, *where) for service, *where in reported} or facts_of(fixture)
    return {"package": str(Path(groundwire.__file__).parent), **found}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*sys.argv[1:])))
