"""`.policy.yaml`: who may read the files beside and beneath it; the nearest one counts, alone."""

import os
from pathlib import Path
from typing import Final, cast

import yaml

from groundwire.domain.access import Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.policy_form import spelled_policy

NAME: Final = ".policy.yaml"
_FIELDS: Final = {"public", "users", "any_tags", "all_tags"}


class PolicyFiles:
    """Reads each policy file once."""

    def __init__(self) -> None:
        self._read: dict[Path, Policy | None] = {}

    def nearest(self, file: Path) -> Policy | None:
        """The policy of the nearest folder at or above the file's; None when no folder has one.

        Raises:
            Invalid: a policy file that cannot be understood, or that belongs to another user.
        """
        for folder in file.absolute().parents:
            policy = self._of(folder)
            if policy is not None:
                return policy
        return None

    def _of(self, folder: Path) -> Policy | None:
        if folder not in self._read:
            path = folder / NAME
            self._read[folder] = _policy(path) if path.is_file() else None
        return self._read[folder]


def _policy(path: Path) -> Policy:
    if path.stat().st_uid not in {os.getuid(), 0}:
        raise Invalid(f"{path} belongs to another user, who would say who may read: take it over or remove it.")
    try:
        loaded: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Invalid(f"{path} cannot be read: {' '.join(str(error).split())}") from error
    return policy_from_mapping(loaded, str(path))


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
