"""The models that `groundwire model add` has installed, by id or by name."""

from pathlib import Path

from groundwire.adapters.onnx.models.installed_model import InstalledModel, is_installed, read_installed_model
from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.settings.model_spec import ModelKind


class ModelStore:
    """A folder of models, listed on every call, since another process may add one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[InstalledModel]:
        """Return the installed models, ordered by id.

        Raises:
            InvalidInput: a manifest cannot be read.
        """
        manifests = self.folder.glob(f"[!.]*/{MANIFEST_FILE}") if self.folder.is_dir() else ()
        found = [read_installed_model(path.parent) for path in manifests if is_installed(path.parent)]
        return sorted(found, key=lambda model: model.id)

    def find(self, id_or_name: str, kind: ModelKind) -> InstalledModel:
        """Return the model of this id, or the only one of this name.

        Raises:
            NotFound: there is none; the message tells how to install it.
            InvalidInput: several have the name.
        """
        of_kind = [model for model in self.all() if model.kind == kind]
        if (exact := next((model for model in of_kind if model.id == id_or_name), None)) is not None:
            return exact
        named = [model for model in of_kind if id_or_name in {model.name, f"{model.name}@{model.revision}"}]
        if len(named) > 1:
            raise InvalidInput(
                f"{id_or_name} is installed several times: name one of {', '.join(model.id for model in named)}."
            )
        if not named:
            option = " --reranker" if kind == "reranker" else ""
            raise NotFound(
                f"No {kind} model {id_or_name} is installed here: `groundwire model add NAME{option}` installs one,"
                " `groundwire model list` shows those that are."
            )
        return named[0]

    def folder_of(self, model: InstalledModel) -> Path:
        """Return the folder of the model's files."""
        return self.folder / model.folder_name
