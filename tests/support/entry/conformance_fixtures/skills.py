"""A skill that the suite finds by itself, in the list of skills and in that of resources."""

from collections.abc import Sequence
from typing import Final

from groundwire_mcp.definitions.content import Resource
from groundwire_mcp.definitions.skills import MANIFEST_MEDIA_TYPE, Skill

_SKILL: Final = Skill("fixtures", "static-skill", "Shows how a skill is served.", "# Static skill\n\nDo nothing.\n")
SKILL_RESOURCE: Final = Resource(
    _SKILL.uri, name=_SKILL.name, description=_SKILL.description, mime_type=MANIFEST_MEDIA_TYPE
)


def skills() -> Sequence[Skill]:
    """All skills."""
    return (_SKILL,)
