"""Fetches the few files of a model that are used from a hub, with the library that the tokenizer brings along.

Which hub, through which proxy and with which token is the library's own business: it reads its environment variables.
"""

import contextlib
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.onnx.repository import needed
from groundwire.adapters.onnx.tokens import EXTRA
from groundwire.domain.errors import Invalid, Unavailable
from groundwire.domain.model_order import ModelOrder

_POLL_SECONDS: Final = 0.25


@dataclass(frozen=True, slots=True)
class Fetched:
    """A model's files, and the commit that they are from."""

    folder: Path
    commit: str

    def forget(self) -> None:
        """The files are no longer needed."""
        shutil.rmtree(self.folder, ignore_errors=True)


def fetch(models: Path, order: ModelOrder, progress: Callable[[float], None]) -> Fetched:
    """The files of the model at the ordered revision, in a folder of `models`; what an earlier try fetched is kept.

    `progress` is told the fraction that has arrived, 0 to 1.

    Raises:
        Unavailable: the library is missing, or the hub does not answer.
        Invalid: the hub has no such model or revision, or the model no ONNX graph.
    """
    try:
        from huggingface_hub import errors
        from huggingface_hub.utils import disable_progress_bars
    except ImportError as missing:
        raise Unavailable(EXTRA) from missing
    disable_progress_bars()
    # Whichever HTTP client the library's version is built on.
    faults = (vars(errors)["HTTPError"], OSError, ValueError)
    asked = order.name if order.revision is None else f"{order.name} at {order.revision}"
    try:
        return _fetched(models, order, progress)
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as unknown:
        raise Invalid(f"the hub has no model {asked}, or shows it only with a token: check both") from unknown
    except faults as failure:
        reason = " ".join(str(failure).split())[:200]
        raise Unavailable(
            f"{asked} could not be fetched ({reason}): try again, or name a folder with --from"
        ) from failure


def _fetched(models: Path, order: ModelOrder, progress: Callable[[float], None]) -> Fetched:
    import huggingface_hub

    info = huggingface_hub.HfApi().model_info(order.name, revision=order.revision, files_metadata=True)
    sizes = {file.rfilename: file.size or 0 for file in info.siblings or []}
    names = needed(sizes, order.precision)
    folder = models / f".fetching-{order.name.replace('/', '--')}-{info.sha}"
    download = cast("Callable[..., str]", huggingface_hub.hf_hub_download)  # pyright: ignore[reportUnknownMemberType]

    def download_all() -> None:
        for name in names:
            download(order.name, name, revision=info.sha, local_dir=folder)

    total = sum(sizes[name] for name in names)
    with ThreadPoolExecutor(1) as line:
        arriving = line.submit(download_all)
        while wait([arriving], _POLL_SECONDS).not_done:
            progress(min(_bytes_in(folder) / max(total, 1), 1.0))
        arriving.result()
    return Fetched(folder, str(info.sha))


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        # Files are renamed while they are being counted.
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total
