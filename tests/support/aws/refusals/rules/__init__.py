"""The rules, by what they are about."""

from typing import Final

from tests.support.aws.refusals.rules import (
    formation,
    functions,
    gateway,
    monitoring,
    network,
    policies,
    queues,
    routes,
    search,
    storage,
    tenancy,
)

TEMPLATE_RULES: Final = (
    *routes.TEMPLATE_RULES,
    *gateway.TEMPLATE_RULES,
    *functions.TEMPLATE_RULES,
    *tenancy.TEMPLATE_RULES,
    *queues.TEMPLATE_RULES,
    *storage.TEMPLATE_RULES,
    *search.TEMPLATE_RULES,
    *network.TEMPLATE_RULES,
    *policies.TEMPLATE_RULES,
    *monitoring.TEMPLATE_RULES,
    *formation.TEMPLATE_RULES,
)
"""Rules of a template that makes a stack."""

CHANGE_RULES: Final = (*routes.CHANGE_RULES, *functions.CHANGE_RULES, *tenancy.CHANGE_RULES, *storage.CHANGE_RULES)
"""Rules of an update of a stack."""
