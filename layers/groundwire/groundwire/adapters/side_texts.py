"""What the text of a policy file or of a metadata file says, wherever the file lies."""

from typing import cast

import yaml

from groundwire.adapters.yaml_events import check_events
from groundwire.domain.access import Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.metadata import Said, typed
from groundwire.domain.policy_form import policy_from_mapping


class YamlTexts:
    """Implements `ports.SideTexts`."""

    def policy(self, text: str, where: str) -> Policy:
        """As `policy_in`."""
        return policy_in(text, where)

    def metadata(self, text: str, where: str) -> Said:
        """As `metadata_in`."""
        return metadata_in(text, where)


def policy_in(text: str, where: str) -> Policy:
    """The policy that a policy file spells; `where` names it in messages. Raises Invalid."""
    return policy_from_mapping(yaml_in(text, where), where)


def metadata_in(text: str, where: str) -> Said:
    """What a metadata file says; Raises Invalid."""
    loaded = yaml_in(text, where)
    if loaded is None:
        return {}
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in cast("dict[object, object]", loaded)):
        raise Invalid(f"{where} must hold a field and its value on each line, such as `year: 2024`.")
    fields = cast("dict[str, object]", loaded)
    try:
        kept = typed({name: value for name, value in fields.items() if value is not None})
    except Invalid as error:
        raise Invalid(f"{where}: {error}") from error
    return {name: kept.get(name) for name in fields}


def yaml_in(text: str, where: str) -> object:
    """What the YAML text holds, None when nothing; Raises Invalid."""
    try:
        check_events(text)
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # a date or number that cannot be is no YAMLError
        raise _unreadable(where, error) from error


def _unreadable(where: str, error: Exception) -> Invalid:
    return Invalid(f"{where} cannot be read: {' '.join(str(error).split())}")
