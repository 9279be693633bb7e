"""Versions of Azure AI Search's API that are served, in the order of their release."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from groundwire.dialects.azure.errors import invalid_parameter

if TYPE_CHECKING:
    from collections.abc import Container


class ApiVersion(StrEnum):
    """Version of the API, as clients send it."""

    MAY_2025 = "2025-05-01-preview"
    AUGUST_2025 = "2025-08-01-preview"
    NOVEMBER_2025 = "2025-11-01-preview"
    APRIL_2026 = "2026-04-01"
    MAY_2026 = "2026-05-01-preview"
    # The newest Python preview sends this version.
    AUGUST_2026 = "2026-08-01-preview"


Versions = frozenset[ApiVersion]

ALL: Final[Versions] = frozenset(ApiVersion)
AGENTS: Final[Versions] = frozenset({ApiVersion.MAY_2025, ApiVersion.AUGUST_2025})
"""Versions with agents; all others have knowledge bases."""
KNOWLEDGE_BASES: Final[Versions] = ALL - AGENTS
KNOWLEDGE_SOURCES: Final[Versions] = ALL - {ApiVersion.MAY_2025}
STATUS: Final[Versions] = KNOWLEDGE_BASES
NOVEMBER_PREVIEWS: Final[Versions] = KNOWLEDGE_BASES - {ApiVersion.APRIL_2026}
"""Previews with knowledge bases: the version without a preview has fewer members."""
FROM_MAY_2026: Final[Versions] = frozenset({ApiVersion.MAY_2026, ApiVersion.AUGUST_2026})

_PARAMETER: Final = "api-version"


def read_version(
    query: str, served: "Container[ApiVersion]", what: str, default: ApiVersion | None = None
) -> ApiVersion:
    """Return the version that a call names; clients write it in different cases.

    Args:
        query: of the call's address.
        served: versions that have the resource.
        what: name of the resource for the error, in the plural.
        default: version of a call that names none; None: such a call is wrong.

    Raises:
        AzureError: the version is missing, unknown, named twice, or without such resources.
    """
    values = [value for name, value in parse_qsl(query, keep_blank_values=True) if name.lower() == _PARAMETER]
    if not values and default is not None:
        return default
    if len(values) != 1:
        raise invalid_parameter(f"Name one version of the API in the address: ?{_PARAMETER}={ApiVersion.APRIL_2026}.")
    # JavaScript 12.3.0-beta.1 sends `2025-11-01-Preview`.
    known = {version.lower(): version for version in ApiVersion}
    version = known.get(values[0].lower())
    if version is None:
        raise invalid_parameter(
            f"The api-version {values[0][:60]!r} is not supported; use one of {', '.join(ApiVersion)}."
        )
    if version not in served:
        there_are = ", ".join(each for each in ApiVersion if each in served)
        raise invalid_parameter(f"The api-version {version} has no {what}; use one of {there_are}.")
    return version
