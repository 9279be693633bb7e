"""`.policy.yaml`: who may read the files beside and beneath it; the nearest one counts, alone."""

import re
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.local.side_files import SideFile, refuse_near_misses, text_of, yaml_in
from groundwire.domain.access import Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.policy_form import spelled_policy

NAME: Final = ".policy.yaml"
_FIELDS: Final = {"public", "users", "any_tags", "all_tags"}
_SIDE_FILE: Final = SideFile(
    NAME,
    "a policy file",
    re.compile(r"\.policy\.ya?ml(?:\.txt)?", re.IGNORECASE),
    (".policy.yml", ".policy.yaml.txt"),
)


class PolicyFiles:
    """Reads each policy file once."""

    def __init__(self) -> None:
        self._read: dict[Path, Policy | None] = {}

    def nearest(self, file: Path) -> Policy | None:
        """The policy of the nearest folder at or above the file's; None when no folder has one.

        Raises:
            Invalid: a policy file that cannot be followed or understood, or that belongs to another user.
        """
        for folder in file.absolute().parents:
            policy = self._of(folder)
            if policy is not None:
                return policy
        return None

    def _of(self, folder: Path) -> Policy | None:
        if folder not in self._read:
            refuse_near_misses(folder, _SIDE_FILE)
            # Another user's file would let that user say who may read.
            text = text_of(folder / NAME, only_ours=True)
            self._read[folder] = None if text is None else _policy(text, folder / NAME)
        return self._read[folder]


def _policy(text: str, path: Path) -> Policy:
    return policy_from_mapping(yaml_in(text, path), str(path))


def policy_from_mapping(loaded: object, where: str) -> Policy:
    """The policy that a mapping spells; an empty file admits nobody. Raises Invalid."""
    if loaded is None:
        loaded = {}
    if not isinstance(loaded, dict):
        raise Invalid(f"{where} must hold the fields {', '.join(sorted(_FIELDS))}.")
    fields = cast("dict[object, object]", loaded)
    if unknown := [str(name) for name in fields if name not in _FIELDS]:
        raise Invalid(f"{where}: unknown field {unknown[0]!r}; the fields are {', '.join(sorted(_FIELDS))}.")
    public = fields.get("public", False)
    if not isinstance(public, bool):
        raise Invalid(f"{where}: public must be true or false.")
    return spelled_policy(
        public=public,
        users=_strings(fields, "users", where),
        any_tags=_strings(fields, "any_tags", where),
        all_tags=_strings(fields, "all_tags", where),
    )


def _strings(fields: dict[object, object], name: str, where: str) -> list[str]:
    value = fields.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise Invalid(f"{where}: {name} must be a list of strings; put each in quotes.")
    return cast("list[str]", value)
