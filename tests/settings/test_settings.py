"""Settings: read from the environment once, a mistake is named."""

from pathlib import Path

import pytest

from groundwire import settings
from groundwire.domain.errors import Invalid


def test_without_a_variable_everything_has_a_local_default() -> None:
    read = settings.read({})

    assert read.home == Path(".groundwire").absolute()
    assert read.public_url == "http://127.0.0.1:8080"
    assert read.allowed_origins == frozenset()


def test_variables_of_others_are_not_ours() -> None:
    assert settings.read({"HOME": "/nowhere", "PATH": "/bin"}) == settings.read({})


def test_every_setting_can_be_given() -> None:
    read = settings.read(
        {
            "GROUNDWIRE_HOME": "/data",
            "GROUNDWIRE_MODEL": "/model",
            "GROUNDWIRE_PUBLIC_URL": "https://rag.example/",
            "GROUNDWIRE_ALLOWED_ORIGINS": "https://a.example https://b.example",
            "GROUNDWIRE_THREADS": "4",
            "GROUNDWIRE_LINK_SECONDS": "60",
        }
    )

    assert (read.home, read.model) == (Path("/data"), Path("/model"))
    assert read.public_url == "https://rag.example"
    assert read.allowed_origins == {"https://a.example", "https://b.example"}
    assert (read.threads, read.link_seconds) == (4, 60)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GROUNDWIRE_HOMER", "/data"),
        ("GROUNDWIRE_THREADS", "0"),
        ("GROUNDWIRE_THREADS", "many"),
        ("GROUNDWIRE_LINK_SECONDS", "-1"),
        ("GROUNDWIRE_PUBLIC_URL", "rag.example"),
        ("GROUNDWIRE_PUBLIC_URL", "http://a b"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        settings.read({name: value})


def test_names_that_the_template_gives_to_deployed_functions_are_known() -> None:
    assert settings.read({"GROUNDWIRE_KEYS_TABLE": "keys"}) == settings.read({})
