"""One Lambda function's first answer, and the modules that it imported.

`python -I -S first_answer.py APP EVENT.json FOLDER…`; the folders are those of the packages, as in a layer.

It runs by itself, with the standard library alone, so that nothing is imported that the function did not ask for.
"""

import json
import sys
import threading
import time
from types import ModuleType

_WAIT_S = 60
_WARMING = "warming"
"""Name of the threads of a warm-up."""


class Context:
    """Lambda's context, as far as the functions read it."""

    aws_request_id = "00000000-0000-4000-8000-000000000000"
    function_name = "function"

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        """Return five minutes."""
        return 300_000


def first_answer(app: str, event: object) -> tuple[object, list[str]]:
    """Return what the handler of this file answers, and the modules that were imported until then."""
    before = set(sys.modules)
    module = ModuleType("app")
    with open(app, encoding="utf-8") as file:  # noqa: PTH123 (pathlib would be imported before the function asks for it)
        exec(compile(file.read(), app, "exec"), vars(module))
    answer = vars(module)["handler"](event, Context())
    end = time.monotonic() + _WAIT_S
    # What wakes the index and the embedding runs beside the answer, on threads that start others.
    while running := [each for each in threading.enumerate() if each.name == _WARMING]:
        running[0].join(end - time.monotonic())
        if running[0].is_alive():
            raise TimeoutError("The warm-up does not end.")
    return answer, sorted(set(sys.modules) - before)


if __name__ == "__main__":
    sys.path.extend(sys.argv[3:])
    with open(sys.argv[2], encoding="utf-8") as sample:  # noqa: PTH123
        requested = json.load(sample)
    answered, imported = first_answer(sys.argv[1], requested)
    sys.stdout.write(json.dumps({"modules": imported, "answer": answered}) + "\n")
