"""Checks of an account and Region before `sam deploy`: what would fail, and which parameter or request avoids it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.domain.errors import Forbidden
from groundwire.domain.text.json_values import list_or_empty, load_mapping, mapping_or_empty
from groundwire.entry.cli.commands.doctor.deployment import describe_clock
from groundwire.entry.cli.commands.doctor.findings import Caution, DefectFound, Report, run_check, skipped
from groundwire.ports.account import ProspectiveAccount, RequiredRight
from groundwire.settings import folders

COLLECTION_GROUP: Final = "AWS::OpenSearchServerless::CollectionGroup"
RUNTIME: Final = ("python3.13", "arm64")
_LEAST_CONCURRENCY: Final = 100
"""Below it an account is a new one: Lambda's default is 1,000, and new accounts begin with 10."""
_POLICY_FILES: Final = "docs/deployer-policy*.json"
_UPDATABLE: Final = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE")
_ONLY_DEPLOYED: Final = (
    "Only a deployment shows whether your account may use it: if Lambda refuses it, "
    "deploy with ParserIsolation=environment."
)
"""Limit of this check: only the creation of a function shows it (Lambda API: no setting, no quota, no dry run)."""
_WITHOUT_PREFIX_LIST: Final = "Leave S3PrefixList empty: the routes lead to S3 alone."
_ACCESS_LOG: Final = "/aws/vendedlogs/{}-access"


def check_account(account: ProspectiveAccount, stack: str, report: Report) -> None:
    """Report each check as it ends; without credentials no other check is made."""
    checks = (
        ("clock", "This machine's clock agrees with AWS's.", lambda: describe_clock(account.clock_skew_s())),
        ("types", "The Region has the search collection of the template.", lambda: _types(account)),
        ("runtime", "Lambda in the Region runs the functions.", lambda: _runtime(account)),
        ("tenancy", "Lambda in the Region keeps tenants apart.", lambda: _tenancy(account)),
        ("lambda", "The account may run enough functions at the same time.", lambda: _concurrency(account)),
        ("vpcs", "The Region has room for the network of the parser.", lambda: _vpcs(account)),
        ("s3", "The parser can be limited to the addresses of S3.", lambda: _prefix_list(account)),
        ("apis", "The Region has room for the API.", lambda: _apis(account)),
        ("names", "No resource has the names of the stack.", lambda: _names(account, stack)),
        ("rights", "Your AWS user may do what the deployment does.", lambda: _rights(account)),
    )
    identity = run_check("caller", account.identity, "The credentials are valid.")
    report(identity)
    for name, promise, check in checks:
        report(run_check(name, check, promise) if identity.ok else skipped(name, promise))


def _types(account: ProspectiveAccount) -> str:
    if account.lacks_type(COLLECTION_GROUP):
        raise DefectFound(
            f"CloudFormation has no {COLLECTION_GROUP} here: deploy in another Region, or set OpenSearchUrl to the "
            "address of your own cluster."
        )
    return f"CloudFormation has {COLLECTION_GROUP}."


def _runtime(account: ProspectiveAccount) -> str:
    if not account.has_runtime(*RUNTIME):
        raise DefectFound(f"Lambda here does not run {' on '.join(RUNTIME)}: deploy in another Region.")
    return f"Lambda runs {' on '.join(RUNTIME)}."


def _tenancy(account: ProspectiveAccount) -> str | Caution:
    has_isolation = account.has_tenant_isolation()
    if has_isolation is None:
        return Caution(
            f"CloudFormation does not tell whether functions of the Region have TenancyConfig. {_ONLY_DEPLOYED}"
        )
    if not has_isolation:
        raise DefectFound("Lambda here has no tenant isolation: deploy with ParserIsolation=environment.")
    return f"Functions of the Region have TenancyConfig. {_ONLY_DEPLOYED}"


def _concurrency(account: ProspectiveAccount) -> str | Caution:
    use = account.concurrency()
    counts = f"{use.quota} at the same time, of which {use.used} are reserved."
    if use.quota < _LEAST_CONCURRENCY:
        return Caution(
            f"{counts} This is a new account: leave ReservedConcurrency and EmbeddingConcurrency at 0, keep "
            "EmbeddingMemory at most 3008, set IngestionConcurrency=2, and ask Service Quotas for 1,000."
        )
    return counts


def _vpcs(account: ProspectiveAccount) -> str:
    use = account.vpcs()
    if use.used >= use.quota:
        raise DefectFound(
            f"All {use.quota} VPCs are in use: deploy with ParserNetwork=open, or ask Service Quotas for more."
        )
    return f"{use.used} of {use.quota} VPCs are in use."


def _prefix_list(account: ProspectiveAccount) -> str | Caution:
    try:
        found = account.s3_prefix_list()
    # A deployment does not need this right, so that its lack is no defect.
    except Forbidden:
        return Caution(f"You may not call ec2:DescribeManagedPrefixLists. {_WITHOUT_PREFIX_LIST}")
    if found is None:
        return Caution(f"The Region lists no addresses of S3. {_WITHOUT_PREFIX_LIST}")
    # A template cannot look the list up.
    return f"Deploy with S3PrefixList={found}, so that its security group, too, leads to S3 alone."


def _apis(account: ProspectiveAccount) -> str:
    use = account.apis()
    if use.used >= use.quota:
        raise DefectFound(f"All {use.quota} APIs are in use: delete one, or deploy in another Region.")
    return f"{use.used} of {use.quota} APIs are in use."


def _names(account: ProspectiveAccount, stack: str) -> str:
    status = account.stack_status(stack)
    if status in _UPDATABLE:
        return f"The stack {stack} exists ({status}): `sam deploy` updates it."
    if status is not None and status.endswith("_IN_PROGRESS"):
        raise DefectFound(f"The stack {stack} is being changed ({status}): wait until that ends.")
    if status is not None:
        raise DefectFound(
            f"The stack {stack} is of no use ({status}): delete it with `sam delete --stack-name {stack}`, "
            "or choose another name."
        )
    log_group = _ACCESS_LOG.format(stack)
    if account.has_log_group(log_group):
        raise DefectFound(
            f"The log group {log_group} is left of an earlier stack: delete it with "
            f"`aws logs delete-log-group --log-group-name {log_group}`, or choose another name."
        )
    return f"{stack} is free."


def _rights(account: ProspectiveAccount) -> str | Caution:
    root = folders.checkout_folder()
    policies = [] if root is None else [_policy(file) for file in sorted(root.glob(_POLICY_FILES))]
    if not policies:
        return Caution(f"{_POLICY_FILES} is not here: run the command in a checkout.")
    statements = [each for policy in policies for each in list_or_empty(policy.get("Statement"))]
    rights = [_right(mapping_or_empty(each)) for each in statements]
    denied = sorted({action for right in rights for action in account.denied_actions(right)})
    if denied:
        raise DefectFound(f"IAM's simulation denies {', '.join(denied)}: attach {_POLICY_FILES} to your user or role.")
    count = sum(len(right.actions) for right in rights)
    return f"IAM's simulation allows all {count} actions of {_POLICY_FILES}."


def _right(statement: Mapping[str, object]) -> RequiredRight:
    """Return what a statement allows; a condition is met by the first value that it compares a key with."""
    conditions = [mapping_or_empty(each) for each in mapping_or_empty(statement.get("Condition")).values()]
    context = {key: _texts(value)[0] for each in conditions for key, value in each.items() if _texts(value)}
    return RequiredRight(_texts(statement.get("Action")), _texts(statement.get("Resource")) or ("*",), context)


def _policy(file: Path) -> Mapping[str, object]:
    found = load_mapping(file.read_bytes())
    if found is None:
        raise DefectFound(f"docs/{file.name} is no JSON object: take it from the repository again.")
    return found


def _texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(each) for each in list_or_empty(value))
