"""Catalog of all settings by person and subject, each with its parser; docs/settings.md is made from it."""

from typing import Final

from groundwire.settings.catalog import aws, embedder, index, laptop, planner, server, sign_in
from groundwire.settings.catalog.setting import SettingGroup

SETTING_GROUPS: Final = (
    *(laptop.FOLDERS, laptop.MODELS, laptop.INGESTION),
    *(server.ADDRESSES, server.DIALECTS, sign_in.SIGN_IN, server.NETWORK),
    *(index.INDEX, embedder.EMBEDDER, planner.PLANNER),
    *(aws.STACK, aws.FUNCTIONS, aws.CLIENT),
)


def _names(*groups: SettingGroup) -> tuple[str, ...]:
    return tuple(setting.name for group in groups for setting in group.settings)


SETTING_NAMES: Final = frozenset(_names(*SETTING_GROUPS))
DEPLOYMENT_SETTINGS: Final = frozenset(_names(aws.FUNCTIONS))
