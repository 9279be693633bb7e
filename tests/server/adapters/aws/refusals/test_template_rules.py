"""Each rule of templates finds a smallest template that breaks it alone, and passes one that keeps it just so."""

from typing import Final

import pytest

from tests.server.adapters.aws.refusals.examples import data, functions, gateway, whole
from tests.server.adapters.aws.refusals.examples.building import routes, template
from tests.support.aws.refusals.rule import Reading, RefusedByAwsError, findings, require_accepted
from tests.support.aws.refusals.rules import TEMPLATE_RULES
from tests.support.aws.refusals.template import Template

EXAMPLES: Final = {**gateway.EXAMPLES, **functions.EXAMPLES, **data.EXAMPLES, **whole.EXAMPLES}
RULES: Final = {rule.id: rule for rule in TEMPLATE_RULES}
DISPUTED: Final = sorted(rule.id for rule in TEMPLATE_RULES if rule.doubt and rule.id in EXAMPLES)


def broken(tried: Template, reading: Reading = Reading.REFUSED) -> set[str]:
    return {finding.rule for finding in findings(TEMPLATE_RULES, tried, reading)}


def test_every_rule_has_an_id_of_its_own_and_an_example() -> None:
    assert len(RULES) == len(TEMPLATE_RULES)
    assert EXAMPLES.keys() | {"route-equal-without-slash"} == RULES.keys()


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_template_that_breaks_one_rule_breaks_no_other(rule: str) -> None:
    assert broken(EXAMPLES[rule].refused) == {rule}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_template_at_the_limit_of_a_rule_passes_all(rule: str) -> None:
    assert broken(EXAMPLES[rule].accepted) == set()


@pytest.mark.parametrize("rule", DISPUTED)
def test_a_disputed_rule_counts_in_one_reading_alone(rule: str) -> None:
    example = EXAMPLES[rule]
    assert broken(example.refused, Reading.REFUSED) == {rule}
    assert broken(example.refused, Reading.ACCEPTED) == set()


def test_a_certain_rule_counts_in_both_readings() -> None:
    assert broken(EXAMPLES["function-timeout"].refused, Reading.ACCEPTED) == {"function-timeout"}


def test_keys_that_differ_in_a_slash_alone_are_equal_where_the_service_strips_it() -> None:
    assert broken(gateway.EQUAL_WITHOUT_SLASH) == {"route-trailing-slash", "route-equal-without-slash"}
    assert broken(gateway.EQUAL_WITHOUT_SLASH, Reading.ACCEPTED) == set()


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("/mcp", "route-key-form"),
        ("ANY  /mcp", "route-key-form"),
        ("ANY mcp", "route-key-form"),
        ("FETCH /mcp", "route-key-form"),
        ("ANY", "route-key-form"),
        ("ANY /v1//search", "route-segments"),
        ("ANY //search", "route-segments"),
        ("ANY /{proxy+}/search", "route-segments"),
        ("ANY /v1/e{a}", "route-segments"),
    ],
)
def test_a_malformed_key_breaks_one_rule(key: str, rule: str) -> None:
    assert broken(template(routes(key))) == {rule}


def test_a_variable_is_compared_with_all_routes_that_have_one_at_its_place() -> None:
    assert broken(template(routes("GET /{a}/b/{c}", "PUT /{a}/b/{d}/e"))) == {"route-variable-names"}


def test_what_breaks_a_rule_is_refused_with_the_rule_and_the_place() -> None:
    with pytest.raises(RefusedByAwsError, match="route-trailing-slash: Route0: ANY /mcp/"):
        require_accepted(TEMPLATE_RULES, gateway.EXAMPLES["route-trailing-slash"].refused)


@pytest.mark.parametrize("rule", TEMPLATE_RULES, ids=lambda rule: rule.id)
def test_every_rule_names_its_source_its_figure_and_the_day(rule: object) -> None:
    named = RULES[getattr(rule, "id", "")]
    assert named.refuses.endswith(".")
    assert named.figure
    assert named.source.title
    assert named.source.looked_up >= "2026-11-28"
