"""Skills (extension `io.modelcontextprotocol/skills`, SEP-2640): instructions for a model, as files with digests."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

SKILL_SCHEME: Final = "skill://"
_MANIFEST: Final = "SKILL.md"
MANIFEST_MEDIA_TYPE: Final = "text/markdown"


class SkillFile(NamedTuple):
    """One file of a skill."""

    uri: str
    body: str
    media_type: str

    def contents(self) -> Mapping[str, object]:
        """Return the file as a resource that was read."""
        return {"uri": self.uri, "mimeType": self.media_type, "text": self.body}

    def entry(self) -> Mapping[str, object]:
        """Return the file in the manifest of its skill."""
        from hashlib import sha256

        raw = self.body.encode()
        return {"uri": self.uri, "digest": f"sha256:{sha256(raw).hexdigest()}", "size": len(raw)}


class Skill(NamedTuple):
    """A skill of one file, `SKILL.md`.

    Attributes:
        namespace: segments before the name in the URI, such as `acme`.
        name: lower-case letters, digits and single hyphens (Agent Skills specification).
        description: what the skill does and when a model needs it, in one line.
        instructions: Markdown after the frontmatter.
    """

    namespace: str
    name: str
    description: str
    instructions: str

    @property
    def uri(self) -> str:
        """URI of `SKILL.md`; the segment before the file is the skill's name, as the extension requires."""
        return f"{SKILL_SCHEME}{self.namespace}/{self.name}/{_MANIFEST}"

    @property
    def files(self) -> tuple[SkillFile, ...]:
        """All files."""
        # A JSON string is a YAML string too, whatever signs it has, so both forms of the frontmatter have one value.
        head = f"---\nname: {self.name}\ndescription: {json.dumps(self.description, ensure_ascii=False)}\n---\n"
        return (SkillFile(self.uri, f"{head}\n{self.instructions}", MANIFEST_MEDIA_TYPE),)

    def entry(self) -> Mapping[str, object]:
        """Return the extension's `Skill`: frontmatter and complete manifest."""
        return {
            "uri": self.uri,
            "frontmatter": {"name": self.name, "description": self.description},
            "resources": [file.entry() for file in self.files],
        }
