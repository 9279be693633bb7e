"""Evaluations of a tenant as files of two lines in the home: the summary, and the results of the questions."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.local.filesystem import atomic_files, os_errors
from groundwire.adapters.local.filesystem.tenant_folder import drop_part, tenant_folder
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.limits import MAX_EVALUATIONS
from groundwire.domain.text.json_values import is_list, is_mapping, mapping_or_empty
from groundwire.ports.registry.evaluations import StoredEvaluation

_SUFFIX: Final = ".json"
# Ids of callers become names of files.
_EVALUATION_ID: Final = re.compile(r"e_[0-9a-f]{16}")
Questions = Sequence[Mapping[str, object]]


class EvaluationFiles:
    """Implements `ports.Evaluations` in `folder/<tenant>/evaluations`.

    Args:
        folder: of all tenants.
        has_tenant: returns whether the tenant of this id exists.
    """

    def __init__(self, folder: Path, has_tenant: Callable[[str], bool]) -> None:
        self._folder = folder
        self._has_tenant = has_tenant

    def add(self, tenant: str, evaluation: StoredEvaluation, questions: Questions) -> None:
        """Store an evaluation, and delete the oldest ones beyond `MAX_EVALUATIONS`.

        Raises:
            NotFound: the tenant was deleted meanwhile; nothing is stored.
        """
        folder = self._of_tenant(tenant)
        summary = {"id": evaluation.evaluation_id, "created_at": evaluation.created_at, "summary": evaluation.summary}
        lines = [json.dumps(each, ensure_ascii=False) for each in (summary, questions)]
        with os_errors.translate_os_errors(folder):
            atomic_files.ensure_private_folder(folder)
            atomic_files.replace(self._path(tenant, evaluation.evaluation_id), "\n".join(lines).encode())
        # After the write: a deletion that begins later finds the file, and one that ended before has left it to this.
        if not self._has_tenant(tenant):
            self.drop(tenant)
            raise NotFound("There is no such tenant.", "tenant")
        for oldest in self.all(tenant)[MAX_EVALUATIONS:]:
            self.delete(tenant, oldest.evaluation_id)

    def all(self, tenant: str) -> list[StoredEvaluation]:
        """Return the evaluations that can be read, the latest first."""
        folder = self._of_tenant(tenant)
        found: list[StoredEvaluation] = []
        with os_errors.translate_os_errors(folder):
            for path in folder.glob(f"*{_SUFFIX}"):
                # A damaged file, or one that another process deletes now, must not hide the others.
                with suppress(Unavailable, FileNotFoundError):
                    found += [_read_summary(path)] if _EVALUATION_ID.fullmatch(path.stem) else []
        return sorted(found, key=lambda each: (-each.created_at, each.evaluation_id))

    def find(self, tenant: str, evaluation_id: str) -> tuple[StoredEvaluation, Questions] | None:
        """Return an evaluation with the results of its questions; None where it is missing.

        Raises:
            Unavailable: the file is damaged.
        """
        if not _EVALUATION_ID.fullmatch(evaluation_id):
            return None
        path = self._path(tenant, evaluation_id)
        with os_errors.translate_os_errors(path.parent):
            try:
                return _read_summary(path), _read_questions(path)
            except FileNotFoundError:
                return None

    def delete(self, tenant: str, evaluation_id: str) -> bool:
        """Delete an evaluation; return False where it was missing."""
        if not _EVALUATION_ID.fullmatch(evaluation_id):
            return False
        path = self._path(tenant, evaluation_id)
        with os_errors.translate_os_errors(path.parent):
            existed = path.exists()
            path.unlink(missing_ok=True)
        return existed

    def drop(self, tenant: str) -> int:
        """Delete all of the tenant, with incomplete files, and return the number of complete ones."""
        folder = self._of_tenant(tenant)
        with os_errors.translate_os_errors(folder):
            count = len(list(folder.glob(f"*{_SUFFIX}")))
            drop_part(folder)
        return count

    def _of_tenant(self, tenant: str) -> Path:
        return tenant_folder(self._folder, tenant) / "evaluations"

    def _path(self, tenant: str, evaluation_id: str) -> Path:
        return self._of_tenant(tenant) / f"{evaluation_id}{_SUFFIX}"


def _read_summary(path: Path) -> StoredEvaluation:
    """Return the evaluation of the first line alone: a list reads no questions.

    Raises:
        Unavailable: the line is damaged.
    """
    with path.open("rb") as file:
        line = file.readline()
    try:
        members = cast("Mapping[str, object]", json.loads(line))
        summary = cast("Mapping[str, object]", members["summary"])
        return StoredEvaluation(str(members["id"]), float(str(members["created_at"])), summary)
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error


def _read_questions(path: Path) -> Questions:
    """Return the results of the questions.

    Raises:
        Unavailable: their line is damaged.
    """
    try:
        questions = json.loads(path.read_bytes().partition(b"\n")[2])
    except ValueError as error:
        raise _damaged(path) from error
    if not is_list(questions) or not all(map(is_mapping, questions)):
        raise _damaged(path)
    return [mapping_or_empty(each) for each in questions]


def _damaged(path: Path) -> Unavailable:
    return Unavailable(f"{path} is damaged: delete the file.")
