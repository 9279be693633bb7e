"""Source files of the folders and files that were named on a command line."""

import errno
import os
import stat
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from groundwire.adapters.local.ingest.folder_listing import FolderListings
from groundwire.adapters.local.ingest.folder_tree import FolderTree, printable_name, stored_name
from groundwire.domain.errors import DocumentRefused, InvalidInput, NotFound, Unavailable
from groundwire.ports import SourceObject
from groundwire.services.ingest.source_objects.source_paths import METADATA_FILE, POLICY_FILE
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_MAX_PATH_BYTES: Final = 4_096
"""Length of a path beyond which a folder is not walked: other programs could not open its files."""
_NO_FOLDER: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ESTALE})
"""Errors of a folder that does not exist, became a link or a file, or was exchanged."""
_LINK: Final = "a link: ingest the file that it points to, where the policy of that file applies"
_NOT_A_FILE: Final = "not a regular file but a pipe, a socket or a device: save its content to a file"
_UNLISTED: Final = "a folder that cannot be read: check who may list it"


class FolderObjects:
    """Implements `ports.SourceObjects` for this machine, the same for each tenant.

    All below a named folder is opened from the folder as it was when this object was made; links are never followed.
    """

    def __init__(self, paths: Iterable[Path], started_at: float) -> None:
        """Open the named folders; a named link is followed once, here.

        Args:
            paths: the named files and folders.
            started_at: start of the run, epoch seconds; the time of upload of each file.

        Raises:
            InvalidInput: a path does not exist, or a folder cannot be opened.
        """
        self._started_at = started_at
        self._tree = FolderTree()
        self._listings = FolderListings(self._tree)
        self._named = tuple(self._open_named(path) for path in paths)

    @property
    def named(self) -> Sequence[str]:
        """The named paths in their order; that of a folder ends with a slash."""
        return self._named

    def find(self, tenant: str, path: str) -> SourceObject | None:  # noqa: ARG002 - the port's
        """Return the file, whatever its kind, without following a link; None where it certainly does not exist.

        Raises:
            Unavailable: it may exist, but cannot be looked at.
            InvalidInput: the same, of a sidecar file.
        """
        try:
            with self._open_parent(path) as (folder, name):
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            # A path through a link or a file: what a link leads to may be the file that was moved there.
            if error.errno in {errno.ENOTDIR, errno.ELOOP} and is_missing(path):
                return None
            if _is_sidecar(path):
                raise _unreadable_sidecar(path, error) from error
            raise Unavailable(f"{path} cannot be looked at: {error.strerror}.") from error
        return SourceObject(path, _version(status), status.st_size, {}, self._started_at, _is_foreign(status))

    def read(self, tenant: str, path: str, version: str) -> bytes:  # noqa: ARG002 - the port's
        """Return the content of a regular file, at most one byte more than a document may have.

        Raises:
            NotFound: the file has another version, or changed while it was read.
            DocumentRefused: a link, a pipe, a device, a folder, or a file that cannot be read.
            InvalidInput: the same, of a sidecar file; or a policy file belongs to another user.
        """
        try:
            with self._open_parent(path) as (folder, name):
                # Checked before opening, because opening hangs on some devices. Checked again when open, because the
                # name may denote another file by then.
                _require_regular_file(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
                descriptor = os.open(name, _READ, dir_fd=folder)
            try:
                return _read_version(path, descriptor, version)
            finally:
                os.close(descriptor)
        except FileNotFoundError as error:
            raise NotFound(f"{path} does not exist.") from error
        except OSError as error:
            if _is_sidecar(path):
                raise _unreadable_sidecar(path, error) from error
            raise DocumentRefused(f"the file cannot be read: {error.strerror}") from error

    def list_subtree(self, tenant: str, folder: str, after: str, limit: int) -> Sequence[str]:  # noqa: ARG002 - the port's
        """List the visible files below the folder, and with a slash at their end the folders that cannot be listed."""
        return list(islice(self._walk(folder, after), limit))

    def list_files(self, tenant: str, prefix: str, limit: int) -> Sequence[str]:  # noqa: ARG002 - the port's
        """List the files of a folder whose names begin with the prefix; of folders those named like a sidecar file.

        Raises:
            NotFound: the folder does not exist, or a link or another folder has taken its place.
            InvalidInput: it cannot be looked through.
        """
        parent, slash, beginning = prefix.rpartition("/")
        folder = parent + slash
        if not folder.startswith("/"):
            # A path is relative to no folder here, as the collection of a bucket's path is.
            return []
        try:
            names = self._files_with_prefix(folder, beginning, limit)
        except OSError as error:
            if error.errno in _NO_FOLDER:
                raise NotFound(f"{folder} cannot be looked through: {error.strerror}.") from error
            raise InvalidInput(
                f"{folder} cannot be looked through for {POLICY_FILE} and {METADATA_FILE}: {error.strerror}."
            ) from error
        return [folder + name for name in names]

    def _open_named(self, path: Path) -> str:
        real = _resolve(path)
        if not real.is_dir():
            return printable_path(real)
        try:
            return self._tree.hold(real)
        except OSError as error:
            raise InvalidInput(f"{printable_path(path)} cannot be opened: {error.strerror}.") from error

    def _files_with_prefix(self, folder: str, beginning: str, limit: int) -> list[str]:
        try:
            return self._listings(folder).files_with_prefix(beginning, limit)
        except PermissionError:
            return self._listings.probe_sidecars(folder, beginning)[:limit]

    def _walk(self, folder: str, after: str) -> Iterator[str]:
        pending = [folder]
        while pending:
            path = pending.pop()
            if not path.endswith("/"):
                yield path
            elif after < path or after.startswith(path):
                entries = self._walked_after(path, after.removeprefix(path) if after.startswith(path) else "")
                if entries is not None:
                    # The list is a stack, of which the first entry must be on top.
                    pending.extend(path + name for name in reversed(entries))
                elif after < path:
                    # Listed like a file that cannot be read, so that the caller reports it.
                    yield path

    def _walked_after(self, folder: str, after: str) -> list[str] | None:
        """Return the entries to walk; None where the folder cannot be listed."""
        if len(os.fsencode(folder)) > _MAX_PATH_BYTES:
            return None
        try:
            return self._listings(folder).walked_after(after)
        except OSError:
            return None

    @contextmanager
    def _open_parent(self, path: str) -> Generator[tuple[int, str]]:
        """Yield the folder of the file and its name there, both only for use at once."""
        parent, slash, name = path.removesuffix("/").rpartition("/")
        with self._tree.open_folder(parent + slash) as folder:
            yield folder, stored_name(folder, name)


def is_missing(path: str) -> bool:
    """Return whether nothing has this name for certain; an inaccessible name may exist, and a link may lead to it."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def printable_path(path: Path) -> str:
    r"""Return the path as text that can be stored: bytes that are not UTF-8 become `\xNN`."""
    return printable_name(str(path))


def _resolve(path: Path) -> Path:
    """Return the path that the named one leads to, so that the policy there applies.

    Raises:
        InvalidInput: it does not exist.
    """
    real = Path(os.path.realpath(path))
    if not os.path.lexists(real) or real.is_symlink():
        place = "" if path.is_absolute() else f" in {printable_path(Path.cwd())}"
        raise InvalidInput(f"{printable_path(path)} does not exist{place}. Correct the path.")
    return real


def _read_version(path: str, descriptor: int, version: str) -> bytes:
    status = os.fstat(descriptor)
    _require_regular_file(path, status)
    if path.endswith(f"/{POLICY_FILE}") and _is_foreign(status):
        raise InvalidInput(
            f"{path} belongs to another user of this machine, who could choose the "
            "readers. Take ownership of the file, or remove it."
        )
    with open(descriptor, "rb", closefd=False) as file:
        content = file.read(MAX_DOCUMENT_BYTES + 1)
    # Compared after the reading as well, since the content may be of two versions.
    if not _version(status) == version == _version(os.fstat(descriptor)):
        raise NotFound(f"{path} was replaced.")
    return content


def _require_regular_file(path: str, found: os.stat_result) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    if _is_sidecar(path):
        raise InvalidInput(
            f"{path} must be a regular file, not a link, a folder or a device: replace it, or remove it."
        )
    if stat.S_ISLNK(found.st_mode):
        raise DocumentRefused(_LINK)
    raise DocumentRefused(_UNLISTED if stat.S_ISDIR(found.st_mode) else _NOT_A_FILE)


def _version(status: os.stat_result) -> str:
    """Return the version; times of modification can be set back, that of a change of status cannot."""
    fields = (status.st_dev, status.st_ino, status.st_uid, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return ".".join(f"{each:x}" for each in fields)


def _is_foreign(status: os.stat_result) -> bool:
    # Root can choose the readers of any file in any case.
    return status.st_uid not in {os.getuid(), 0}


def _is_sidecar(path: str) -> bool:
    return path.endswith((f"/{POLICY_FILE}", METADATA_FILE))


def _unreadable_sidecar(path: str, error: OSError) -> InvalidInput:
    return InvalidInput(f"{path} cannot be read: {error.strerror}.")
