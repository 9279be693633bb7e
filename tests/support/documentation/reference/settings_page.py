"""docs/settings.md: every setting by audience and subject."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from groundwire.settings.catalog import SETTING_GROUPS
from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup
from tests.support.documentation.pages import ROOT

_GUIDES: Final[Mapping[str, str]] = {
    "Folders": "[home](operate/home.md)",
    "Models": "[retrieval](retrieval.md)",
    "Ingestion": "[ingest](ingest.md)",
    "Addresses": (
        "[serving](operate/serving.md), [links](access.md#links-and-citations), [browsers](clients/browsers.md)"
    ),
    "Dialects": "[dialects](dialects.md)",
    "Sign-in": "[sign-in](oauth.md)",
    "Calls out of the server": "[sources](sources.md)",
    "Index on OpenSearch": (
        "[OpenSearch engine](retrieval/opensearch-engine.md), "
        "[copy an index](operate/backup.md#copy-an-index-to-another-engine)"
    ),
    "Embedding service": "[deploy](deploy.md)",
    "Query planning by a model": "[retrieval](retrieval.md), [Azure](dialects/azure.md)",
    "The command line": "[remote](operate/remote.md)",
    "Variables of the functions": "[deploy](deploy.md)",
}
"""Guides of each subject."""
_TEMPLATE: Final = (ROOT / "template.yaml").read_text(encoding="utf-8")
_PARAMETER: Final = re.compile(r"^  (\w+):\n    Type: ", re.MULTILINE)
_INTRO: Final = """# Settings

A setting is an environment variable. A process reads the settings once, when it starts. It refuses an unknown
variable with the prefix `GROUNDWIRE_`, so you notice a misspelt name. An empty variable counts as not set.

| where | how to set one |
|---|---|
| for one command | `GROUNDWIRE_OCR=eng groundwire doctor` |
| for a terminal | `export GROUNDWIRE_OCR=eng` |
| for a [systemd service](operate/serving.md#systemd) | a line in `/etc/groundwire.env`, then a restart |
| in AWS | a parameter of the stack, then `sam deploy` |

The commands and the server must have the same settings. `groundwire doctor` checks them.

The reference also has [commands](reference/cli.md), [REST routes](reference/rest.md), [errors](reference/errors.md)
and [limits](limits.md).
"""
_AWS: Final = """In AWS, `template.yaml` gives each function the settings that it needs. You change them by the
parameters of the stack ([deploy](deploy.md)). This page names the parameter after each setting that has one. A process
that has one of the tables and no `GROUNDWIRE_HOME` uses the stores of AWS."""
_OTHER: Final = """## Other variables

* `PYTHON`: Interpreter of `make`. Default: `python3`.
* `PORT`: Port of `make run`. Default: `8080`.
* `WORKERS`: Processes of `make test`. Default: `3`.
* `KEY`: Key of `groundwire events`.
* `POWERTOOLS_LOG_LEVEL`: Level of the log, named as in AWS Lambda Powertools. Default of `serve`: `WARNING`.
* `POWERTOOLS_METRICS_DISABLED`: Turns metrics off, named as in Powertools. Default of `serve`: `true`.
* `OPENBLAS_NUM_THREADS`: Threads of numpy. Default of `serve`: `1`, so that calls do not disturb each other.

`make` also reads `GROUNDWIRE_HOME`. Packages are fetched with the settings of pip.
"""


def settings_page() -> str:
    """Return the page."""
    parts = [_INTRO.strip(), "\n".join(_overview())]
    for audience in Audience:
        parts.append(f"## {audience.value}")
        parts += [_AWS] if audience is Audience.AWS_OPERATOR else []
        parts += ["\n".join(_section(group)) for group in SETTING_GROUPS if group.audience is audience]
    return "\n\n".join([*parts, _OTHER])


def _overview() -> Iterator[str]:
    yield "| who | settings |"
    yield "|---|---|"
    for audience in Audience:
        titles = [group.title for group in SETTING_GROUPS if group.audience is audience]
        yield f"| [{audience.value}](#{_anchor(audience.value)}) | {'; '.join(titles)} |"


def _section(group: SettingGroup) -> Iterator[str]:
    yield f"### {group.title}\n"
    yield f"Guide: {_GUIDES[group.title]}.\n"
    yield from map(_item, group.settings)


def _item(setting: Setting[object]) -> str:
    name = f"GROUNDWIRE_{setting.name}"
    default = f" Default: {setting.shown_default}." if setting.shown_default else ""
    return f"* `{name}`: {setting.meaning}{default}{_in_aws(name)}"


def _in_aws(name: str) -> str:
    """Return the sentence about the parameters of the stack that set the variable, if any do."""
    parameters = set(_PARAMETER.findall(_TEMPLATE.partition("\nConditions:")[0]))
    values = re.findall(rf"^ +{name}: (.*)$", _TEMPLATE, re.MULTILINE)
    given = [word for value in values for word in re.findall(r"\w+", value) if word in parameters]
    named = [f"`{word}`" for word in dict.fromkeys(given)]
    if not named:
        return ""
    *first, last = named
    return f" In AWS: the parameters {', '.join(first)} and {last}." if first else f" In AWS: the parameter {last}."


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
