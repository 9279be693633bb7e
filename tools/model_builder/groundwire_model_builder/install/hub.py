"""Download of a model's files from a hub, with the hub client that the tokenizers library depends on.

The client reads the hub's address, the proxy and the token from its own environment variables.
"""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from groundwire.adapters.onnx.inference.tokenizer import tokenizers_missing
from groundwire.adapters.onnx.models.repository import required_files
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.settings.model_spec import ModelSpec
from groundwire_model_builder.install.wheels import bytes_in

_POLL_SECONDS: Final = 0.25


@dataclass(frozen=True, slots=True)
class DownloadedModel:
    """A model's files, and the commit that they are from."""

    folder: Path
    commit: str

    def delete(self) -> None:
        """Delete the downloaded files."""
        shutil.rmtree(self.folder, ignore_errors=True)


def download_model(models: Path, spec: ModelSpec, progress: Callable[[float], None]) -> DownloadedModel:
    """Download the model's files at the requested revision into a folder of `models`.

    Files that an earlier attempt fetched are used again. `progress` receives the finished fraction, 0 to 1.

    Raises:
        Unavailable: the library is missing, or the hub does not answer.
        InvalidInput: the hub has no such model or revision, or the model no ONNX graph.
    """
    try:
        from huggingface_hub import errors
        from huggingface_hub.utils import disable_progress_bars
    except ImportError as missing:
        raise Unavailable(tokenizers_missing()) from missing
    disable_progress_bars()
    # The HTTP client, and so its exceptions, depend on the library's version.
    transport_errors = (vars(errors)["HTTPError"], OSError, ValueError)
    requested = spec.name if spec.revision is None else f"{spec.name} at {spec.revision}"
    try:
        return _download(models, spec, progress)
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as unknown:
        raise InvalidInput(f"the hub has no model {requested}, or shows it only with a token: check both") from unknown
    except transport_errors as failure:
        reason = " ".join(str(failure).split())[:200]
        raise Unavailable(
            f"{requested} could not be fetched ({reason}): try again, or name a folder with --from"
        ) from failure


def _download(models: Path, spec: ModelSpec, progress: Callable[[float], None]) -> DownloadedModel:
    import huggingface_hub

    info = huggingface_hub.HfApi().model_info(spec.name, revision=spec.revision, files_metadata=True)
    sizes = {file.rfilename: file.size or 0 for file in info.siblings or []}
    names = required_files(sizes, spec.precision)
    # The commit is in the name: files of another revision must not be used again.
    folder = models / f".fetching-{spec.name.replace('/', '--')}-{info.sha}"
    download = cast("Callable[..., str]", huggingface_hub.hf_hub_download)  # pyright: ignore[reportUnknownMemberType]

    def download_all() -> None:
        for name in names:
            download(spec.name, name, revision=info.sha, local_dir=folder)

    total = sum(sizes[name] for name in names)
    with ThreadPoolExecutor(1) as executor:
        download_task = executor.submit(download_all)
        while wait([download_task], _POLL_SECONDS).not_done:
            progress(min(bytes_in(folder) / max(total, 1), 1.0))
        download_task.result()
    return DownloadedModel(folder, str(info.sha))
