"""`.policy.yaml`: who may read the files beside and beneath it; the nearest one counts, alone."""

import re
from pathlib import Path
from typing import Final

from groundwire.adapters.local.side_files import SideFile, refuse_near_misses, text_of
from groundwire.adapters.side_texts import policy_in
from groundwire.domain.access import Policy
from groundwire.domain.limits import MAX_POLICY_FILE_BYTES

NAME: Final = ".policy.yaml"
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
            text = text_of(folder / NAME, MAX_POLICY_FILE_BYTES, only_ours=True)
            self._read[folder] = None if text is None else policy_in(text, str(folder / NAME))
        return self._read[folder]
