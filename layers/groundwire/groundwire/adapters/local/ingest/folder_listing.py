"""Entries of one folder of this machine, kept as long as the folder does not change."""

import os
import time
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final

from groundwire.adapters.local.ingest.folder_tree import FolderTree, entry_exists, printable_name, scan_folder
from groundwire.services.ingest.source_objects.source_paths import (
    LOCK_FILE,
    METADATA_FILE,
    POLICY_FILE,
    resembles_sidecar,
)

_KEPT: Final = 16
"""Folders whose entries are kept: a walk returns to a folder after each folder in it."""
_DISTINCT_AFTER_NS: Final = 2_000_000_000
"""Age of a change after which a later one has another time, also where a file system keeps whole seconds."""
_NEAR_MISSES: Final = (".yaml", ".yml", ".yaml.txt", ".yml.txt")
_SIDECAR_NAMES: Final = tuple(
    name.removesuffix(".yaml") + ending for name in (POLICY_FILE, METADATA_FILE) for ending in _NEAR_MISSES
)


@dataclass(frozen=True, slots=True)
class FolderEntries:
    """Printable names of a folder's entries, each list in order of code points.

    Attributes:
        files: all but folders; of folders those with the name of a sidecar file, because they are refused.
        walked: visible files, links to files, and folders, which end with a slash; no links to folders.
    """

    files: list[str]
    walked: list[str]

    def files_with_prefix(self, prefix: str, limit: int) -> list[str]:
        """Return the first `limit` files whose names begin with the prefix."""
        start = bisect_left(self.files, prefix)
        return list(islice(takewhile(lambda name: name.startswith(prefix), islice(self.files, start, None)), limit))

    def walked_after(self, after: str) -> list[str]:
        """Return the walked entries whose name, or a path below it, follows `after`."""
        start = bisect_right(self.walked, after)
        # A path below a folder begins with the folder's name, so no other name is between the two.
        is_below = start > 0 and self.walked[start - 1].endswith("/") and after.startswith(self.walked[start - 1])
        return self.walked[start - is_below :]


class FolderListings:
    """Listings of folders; a kept one is used while the folder's time of change is the same.

    Programs that restore files set a folder's time of modification, so the time of its change of status counts.
    """

    def __init__(self, tree: FolderTree) -> None:
        self._tree = tree
        self._kept: OrderedDict[str, tuple[int, FolderEntries]] = OrderedDict()

    def __call__(self, path: str) -> FolderEntries:
        """Return the entries of the folder.

        Raises:
            OSError: the folder cannot be opened or listed.
        """
        with self._tree.open_folder(path) as descriptor:
            # Before the listing: a change during it has another time, so that list is not used again.
            changed_ns = os.fstat(descriptor).st_ctime_ns
            kept = self._kept.pop(path, None)
            if kept is None or kept[0] != changed_ns:
                is_distinct = time.time_ns() - changed_ns > _DISTINCT_AFTER_NS
                with scan_folder(descriptor) as entries:
                    kept = (changed_ns if is_distinct else -1, _sorted_entries(entries))
            self._kept[path] = kept
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return kept[1]

    def probe_sidecars(self, path: str, prefix: str) -> list[str]:
        """Return the sidecar files of a folder that may be entered, but not listed: they are looked up by their names.

        Raises:
            OSError: the folder cannot be entered.
        """
        stem = prefix.removesuffix(".")
        with self._tree.open_folder(path) as descriptor:
            return sorted(stem + name for name in _SIDECAR_NAMES if entry_exists(descriptor, stem + name))


def _sorted_entries(entries: Iterable[os.DirEntry[str]]) -> FolderEntries:
    files: list[str] = []
    walked: list[str] = []
    for entry in entries:
        name, is_folder = printable_name(entry.name), entry.is_dir(follow_symlinks=False)
        if not is_folder or _resembles_any_sidecar(name):
            files.append(name)
        if name.startswith("." if is_folder else (".", LOCK_FILE)) or (entry.is_symlink() and _leads_to_folder(entry)):
            continue
        walked.append(f"{name}/" if is_folder else name)
    return FolderEntries(sorted(files), sorted(walked))


def _resembles_any_sidecar(name: str) -> bool:
    """Return whether the name is, or nearly is, that of a sidecar file of a folder or of a file."""
    if resembles_sidecar(POLICY_FILE, name):
        return True
    start = name.lower().rfind(METADATA_FILE.removesuffix(".yaml") + ".")
    return start >= 0 and resembles_sidecar(METADATA_FILE, name[start:])


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
