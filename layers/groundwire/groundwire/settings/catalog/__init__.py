"""Catalog of all settings with defaults and meanings, by person and subject; docs/settings.md is made from it."""

from typing import Final

from groundwire.settings.catalog import aws, laptop, server, services
from groundwire.settings.catalog.setting import SettingGroup

SETTING_GROUPS: Final = (
    *(laptop.FOLDERS, laptop.MODELS, laptop.INGESTION),
    *(server.ADDRESSES, server.DIALECTS, server.SIGN_IN, server.NETWORK),
    *(services.INDEX, services.EMBEDDER, services.PLANNER),
    *(aws.STACK, aws.FUNCTIONS, aws.CLIENT),
)


def _names(*groups: SettingGroup) -> tuple[str, ...]:
    return tuple(setting.name for group in groups for setting in group.settings)


SETTING_NAMES: Final = frozenset(_names(*SETTING_GROUPS))
DEPLOYMENT_SETTINGS: Final = frozenset(_names(aws.FUNCTIONS))
SIGN_IN_SETTINGS: Final = _names(server.SIGN_IN)
INDEX_SETTINGS: Final = _names(services.INDEX)
EMBEDDER_SETTINGS: Final = _names(services.EMBEDDER)
PLANNER_SETTINGS: Final = _names(services.PLANNER)
