"""Policy files: `.policy.yaml` applies to the subtree of its folder; only the nearest one counts."""

import re
from pathlib import Path
from typing import Final

from groundwire.adapters.codecs.sidecar_yaml import parse_policy
from groundwire.adapters.local.ingest.sidecar_files import SidecarKind, read_sidecar, refuse_near_misses
from groundwire.domain.access.policy import Policy
from groundwire.domain.limits import MAX_POLICY_FILE_BYTES

POLICY_FILE_NAME: Final = ".policy.yaml"
_SIDECAR: Final = SidecarKind(
    POLICY_FILE_NAME,
    "a policy file",
    re.compile(r"\.policy\.ya?ml(?:\.txt)?", re.IGNORECASE),
    (".policy.yml", ".policy.yaml.txt"),
)


class PolicyFiles:
    """Policy files, each read once."""

    def __init__(self) -> None:
        self._policies: dict[Path, Policy | None] = {}

    def nearest(self, file: Path) -> Policy | None:
        """Return the policy of the nearest folder at or above the file's; None when no folder has one.

        Raises:
            InvalidInput: a policy file cannot be read or parsed, or belongs to another user.
        """
        for folder in file.absolute().parents:
            policy = self._folder_policy(folder)
            if policy is not None:
                return policy
        return None

    def _folder_policy(self, folder: Path) -> Policy | None:
        if folder not in self._policies:
            refuse_near_misses(folder, _SIDECAR)
            # Another user's file would let that user decide who may read.
            text = read_sidecar(folder / POLICY_FILE_NAME, MAX_POLICY_FILE_BYTES, require_ownership=True)
            self._policies[folder] = None if text is None else parse_policy(text, str(folder / POLICY_FILE_NAME))
        return self._policies[folder]
