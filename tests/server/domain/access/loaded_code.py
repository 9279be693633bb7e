"""Code of the access rule as modules of its own, as it is or with a mutation."""

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

_MODULES: Final = {
    "policy": "groundwire.domain.access.policy",
    "tags": "groundwire.domain.access.tags",
    "sharing": "groundwire.domain.keys.sharing",
    "required_tag": "groundwire.services.documents.browse.access.required_tag",
    "authorizer": "groundwire.services.keys.request_authorizer",
}


class Mutation(NamedTuple):
    """Edit of one module: the text, which must be there once, and another one in its place."""

    module: str
    old: str
    new: str


class Code(NamedTuple):
    """Modules of the access rule."""

    policy: Any
    tags: Any
    sharing: Any
    required_tag: Any
    authorizer: Any


def load_code(mutation: Mutation | None = None) -> Code:
    """Return the modules, one of them with the mutation; those of the product stay as they are."""
    edits = {} if mutation is None else {mutation.module: mutation}
    return Code(**{name: _load(name, edits.get(name)) for name in _MODULES})


@cache
def _load(name: str, mutation: Mutation | None) -> ModuleType:
    found = find_spec(_MODULES[name])
    assert found is not None
    assert found.origin is not None
    text = Path(found.origin).read_text(encoding="utf-8")
    if mutation is not None:
        assert text.count(mutation.old) == 1, f"{mutation.old!r} is in the code {text.count(mutation.old)} times"
        text = text.replace(mutation.old, mutation.new)
    module = ModuleType(f"{_MODULES[name]}_of_lemmas")
    # Dataclasses look up the module of their class.
    sys.modules[module.__name__] = module
    exec(compile(text, found.origin, "exec"), module.__dict__)
    return module
