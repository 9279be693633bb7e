"""The wiring has an adapter for every index service that settings can select."""

from contextlib import closing
from pathlib import Path

import pytest

from groundwire.settings.environment import read_settings
from groundwire.settings.index_service import INDEX_SERVICES
from groundwire.wiring.external_backends import visibility_delay_seconds
from groundwire.wiring.local.services import open_home


@pytest.mark.parametrize("service", INDEX_SERVICES)
def test_the_delay_by_the_settings_is_that_of_the_index(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    settings = read_settings(
        {
            "GROUNDWIRE_HOME": str(tmp_path),
            "GROUNDWIRE_INDEX": "https://abc.eu-central-1.aoss.amazonaws.com",
            "GROUNDWIRE_INDEX_SERVICE": service,
        }
    )
    assert settings.index_service is not None
    with closing(open_home(settings)) as services:
        index = services.stores.indexes.for_tenant("acme")
        assert index.visible_after_seconds == visibility_delay_seconds(settings.index_service)
