"""Run by the tool's own Python: which versions a deployment of the template publishes.

Reads `{"template": path, "parameters": {...}}`, writes the logical ids of versions by function.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


class NoPolicies:
    """The template names none of AWS's managed policies."""

    def load(self) -> dict[str, str]:
        """None."""
        return {}


def uploaded(template: Any) -> Any:
    """As it is after `sam package`."""
    for name, resource in template["Resources"].items():
        for code in {"CodeUri", "ContentUri"} & resource["Properties"].keys():
            resource["Properties"][code] = f"s3://artifacts/{name}"
    return template


order = json.load(sys.stdin)
read = import_module("samtranslator.yaml_helper").yaml_parse
expand = import_module("samtranslator.translator.transform").transform
template = uploaded(read(Path(order["template"]).read_text(encoding="utf-8")))
resources = expand(template, order["parameters"], NoPolicies())["Resources"]
versions = {name: each["Properties"] for name, each in resources.items() if each["Type"] == "AWS::Lambda::Version"}
json.dump({version["FunctionName"]["Ref"]: name for name, version in versions.items()}, sys.stdout)
