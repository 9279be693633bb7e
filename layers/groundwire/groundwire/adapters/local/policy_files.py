"""`.policy.yaml`: who may read the files beside and beneath it; the nearest one counts, alone."""

import os
import re
import stat
from pathlib import Path
from typing import Final, cast

import yaml

from groundwire.domain.access import Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.policy_form import spelled_policy

NAME: Final = ".policy.yaml"
_FIELDS: Final = {"public", "users", "any_tags", "all_tags"}
_MEANT: Final = re.compile(r"\.policy\.ya?ml(?:\.txt)?", re.IGNORECASE)
"""Names by which people mean a policy file; to pass over one would leave its folder under the policy above."""
_MEANT_MOST: Final = (".policy.yml", ".policy.yaml.txt")
"""Looked for by name where a folder may be entered but not listed."""


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
            _refuse_near_misses(folder)
            text = _text(folder / NAME)
            self._read[folder] = None if text is None else _policy(text, folder / NAME)
        return self._read[folder]


def _refuse_near_misses(folder: Path) -> None:
    for name in _names(folder):
        if name != NAME and _MEANT.fullmatch(name):
            raise Invalid(f"{folder / name} is not read: a policy file is called {NAME}. Rename it or remove it.")


def _names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except PermissionError:
        return [name for name in _MEANT_MOST if os.path.lexists(folder / name)]
    except OSError as error:
        raise Invalid(f"{folder} cannot be looked through for {NAME}: {error.strerror}.") from error


def _text(path: Path) -> str | None:
    """The file's text, None when there is no such name; whatever else stands there was meant and is refused."""
    try:
        _own_regular_file(path, path.lstat())
        # The name may have come to stand for something else since; what is open can no longer change its kind.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, encoding="utf-8") as file:
            _own_regular_file(path, os.fstat(descriptor))
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def _own_regular_file(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Invalid(
            f"{path} must be a file of its own, not a link, a folder or a device: put one there, or remove it."
        )
    if found.st_uid not in {os.getuid(), 0}:
        raise Invalid(f"{path} belongs to another user, who would say who may read: take it over or remove it.")


def _refuse_repeated_fields(text: str) -> None:
    """YAML lets the last of two equal fields win, and nobody would notice the first."""
    node = cast("object", yaml.compose(text, yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType] - untyped in PyYAML's stubs
    if not isinstance(node, yaml.MappingNode):
        return
    names = [str(key.value) for key, _ in cast("list[tuple[yaml.Node, yaml.Node]]", node.value)]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise yaml.YAMLError(f"{repeated[0]} is said twice")


def _policy(text: str, path: Path) -> Policy:
    try:
        _refuse_repeated_fields(text)
        loaded: object = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _unreadable(path, error) from error
    return policy_from_mapping(loaded, str(path))


def _unreadable(path: Path, error: Exception) -> Invalid:
    return Invalid(f"{path} cannot be read: {' '.join(str(error).split())}")


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
