"""Rules of CloudFormation: numbers and sizes of a template."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import FUNCTION, Template

_QUOTAS: Final = Source("CloudFormation user guide: Understand CloudFormation quotas", LOOKED_UP)
_MOST_PARAMETERS: Final = 200
_MOST_OUTPUTS: Final = 200
_MOST_RESOURCES: Final = 500
_MOST_MAPPINGS: Final = 200
_DESCRIPTION: Final = 1_024
_PARAMETER_DESCRIPTION: Final = 4_000
_PARAMETER_VALUE: Final = 4_096
_BODY: Final = 1_000_000
_INLINE: Final = 51_200


def _parameters(template: Template) -> Iterator[str]:
    return above(_MOST_PARAMETERS, [("the template", len(template.body.get("Parameters", {})))], "parameters")


def _outputs(template: Template) -> Iterator[str]:
    return above(_MOST_OUTPUTS, [("the template", len(template.body.get("Outputs", {})))], "outputs")


def _mappings(template: Template) -> Iterator[str]:
    return above(_MOST_MAPPINGS, [("the template", len(template.body.get("Mappings", {})))], "mappings")


def _resources(template: Template) -> Iterator[str]:
    resources = template.body.get("Resources", {})
    made = len(resources) + sum(_made_by_sam(each) for each in resources.values())
    return above(_MOST_RESOURCES, [("the template after SAM's transform", made)], "resources")


def _made_by_sam(resource: Mapping[str, Any]) -> int:
    """Return how many resources SAM adds at most to this one: role, alias, version, and two for each event."""
    if resource["Type"] != FUNCTION:
        return 0
    properties = resource.get("Properties", {})
    published = 2 if "AutoPublishAlias" in properties else 0
    return published + ("Role" not in properties) + 2 * len(properties.get("Events", {}))


def _description(template: Template) -> Iterator[str]:
    text = template.body.get("Description", "")
    return above(_DESCRIPTION, [("the template's description", len(text.encode()))], "bytes")


def _parameter_descriptions(template: Template) -> Iterator[str]:
    declared = template.body.get("Parameters", {}).items()
    return above(
        _PARAMETER_DESCRIPTION, ((name, len(each.get("Description", ""))) for name, each in declared), "characters"
    )


def _values(template: Template) -> Iterator[str]:
    given = ((name, len(str(value).encode())) for name, value in template.parameters.items())
    return above(_PARAMETER_VALUE, given, "bytes")


def _size(template: Template) -> Iterator[str]:
    limit = _INLINE if template.inline else _BODY
    return above(
        limit, [("the template in the request" if template.inline else "the template in S3", template.size)], "bytes"
    )


TEMPLATE_RULES: Final = (
    Rule("parameters", "A template has too many parameters.", "200 parameters", _QUOTAS, _parameters),
    Rule("outputs", "A template has too many outputs.", "200 outputs", _QUOTAS, _outputs),
    Rule("mappings", "A template has too many mappings.", "200 mappings", _QUOTAS, _mappings),
    Rule("resources", "A template has too many resources after the transform.", "500 resources", _QUOTAS, _resources),
    Rule("description", "The description of a template is too long.", "1,024 bytes", _QUOTAS, _description),
    Rule(
        "parameter-description",
        "The description of a parameter is too long.",
        "4,000 characters",
        Source("CloudFormation user guide: Parameters section syntax", LOOKED_UP),
        _parameter_descriptions,
    ),
    Rule("parameter-value", "The value of a parameter is too long.", "4,096 bytes", _QUOTAS, _values),
    Rule(
        "template-size",
        "A template is too large.",
        "51,200 bytes in a request, 1 MB in an S3 object",
        _QUOTAS,
        _size,
    ),
)
