"""Handler that returns its argument, and whether the garbage collector is on."""

import gc


def handler(event: dict[str, int], _context: object) -> tuple[dict[str, int], bool]:
    return {"n": event["n"]}, gc.isenabled()
