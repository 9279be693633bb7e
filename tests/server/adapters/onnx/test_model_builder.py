"""How the server finds the model builder, a package that may be absent."""

import sys

import pytest

import groundwire_model_builder
from groundwire.adapters.onnx.model_builder import ModelBuilder, load_model_builder
from groundwire.domain.errors import Unavailable

INSTALLED: ModelBuilder = groundwire_model_builder
"""A type checker compares the functions of the package with those that the server calls."""


def test_the_installed_builder_has_each_function_that_the_server_calls() -> None:
    builder = load_model_builder()
    assert builder is INSTALLED
    for name in ("build_model_in", "add_model", "add_packaged_model"):
        assert name in groundwire_model_builder.__all__
        assert callable(getattr(builder, name))


def test_without_the_builder_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    # None makes the import fail as that of an absent module does.
    monkeypatch.setitem(sys.modules, "groundwire_model_builder", None)
    with pytest.raises(Unavailable, match="groundwire-model-builder"):
        load_model_builder()


def test_a_library_that_the_builder_lacks_is_not_taken_for_the_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(_name: str) -> object:
        raise ModuleNotFoundError(name="onnx")

    monkeypatch.setattr("groundwire.adapters.onnx.model_builder.import_module", import_module)
    with pytest.raises(ModuleNotFoundError):
        load_model_builder()
