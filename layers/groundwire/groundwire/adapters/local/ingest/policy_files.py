"""`.policy.yaml`: who may read the files beside and beneath it; the nearest one counts, alone."""

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
    """Reads each policy file once."""

    def __init__(self) -> None:
        self._policies: dict[Path, Policy | None] = {}

    def nearest(self, file: Path) -> Policy | None:
        """The policy of the nearest folder at or above the file's; None when no folder has one.

        Raises:
            Invalid: a policy file that cannot be followed or understood, or that belongs to another user.
        """
        for folder in file.absolute().parents:
            policy = self._folder_policy(folder)
            if policy is not None:
                return policy
        return None

    def _folder_policy(self, folder: Path) -> Policy | None:
        if folder not in self._policies:
            refuse_near_misses(folder, _SIDECAR)
            # Another user's file would let that user say who may read.
            text = read_sidecar(folder / POLICY_FILE_NAME, MAX_POLICY_FILE_BYTES, require_ownership=True)
            self._policies[folder] = None if text is None else parse_policy(text, str(folder / POLICY_FILE_NAME))
        return self._policies[folder]
