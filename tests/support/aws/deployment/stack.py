"""The template, deployed to an account as `sam deploy` does it: artifacts uploaded, their addresses in the template."""

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypedDict, cast

from tests.support.aws.deployment import queues, transport
from tests.support.aws.deployment.artifacts import TEMPLATE, Artifact
from tests.support.aws.deployment.waiting import until
from tests.support.aws.refusals.template import Template, template_of
from tests.support.engines.ministack import ACCOUNT, REGION, Account

if TYPE_CHECKING:
    from types_boto3_cloudformation.literals import CapabilityType
    from types_boto3_cloudformation.type_defs import ParameterTypeDef

_UPLOADS: Final = "uploads"
_NAME: Final = "groundwire"

IMAGE: Final = f"{ACCOUNT}.dkr.ecr.{REGION}.amazonaws.com/groundwire-embedding:live"
"""An image that is named and, in the emulator, never run."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Deployed stack.

    Attributes:
        name: of the stack.
        outputs: of the template, by name.
        resources: physical ids by logical ones.
        template: the one that was deployed, with its parameters.
    """

    name: str
    outputs: Mapping[str, str]
    resources: Mapping[str, str]
    template: Template

    def logical_id(self, name: str) -> str:
        """Return the logical id of the resource with the longest physical id in this name or ARN; else the name."""
        named = [logical for logical, physical in self.resources.items() if physical and physical in name]
        return max(named, key=lambda logical: len(self.resources[logical]), default=name)


@dataclass(frozen=True, slots=True)
class Release:
    """Template and artifacts of a release.

    Attributes:
        template: its text.
        artifacts: what its template names by a folder.
    """

    template: str
    artifacts: tuple[Artifact, ...]


class _Uploaded(TypedDict):
    TemplateURL: str
    Capabilities: "list[CapabilityType]"
    Parameters: "list[ParameterTypeDef]"


def deploy(account: Account, artifacts: Iterable[Artifact], parameters: Mapping[str, str]) -> Stack:
    """Return a stack of the unchanged template; Raises AssertionError with the account's messages if it fails."""
    return deploy_release(account, Release(TEMPLATE.read_text(encoding="utf-8"), tuple(artifacts)), parameters)


def deploy_release(account: Account, release: Release, parameters: Mapping[str, str]) -> Stack:
    """Deploy a release: its template and its artifacts."""
    account.s3.create_bucket(Bucket=_UPLOADS, CreateBucketConfiguration={"LocationConstraint": REGION})
    account.cloudformation.create_stack(StackName=_NAME, **_uploaded_release(account, release, parameters))
    return _completed(account, "CREATE_COMPLETE")


def update(account: Account, release: Release, parameters: Mapping[str, str], ends: str = "UPDATE_COMPLETE") -> Stack:
    """The stack after an update to the release; Raises AssertionError unless it ends so."""
    account.cloudformation.update_stack(StackName=_NAME, **_uploaded_release(account, release, parameters))
    return _completed(account, ends)


def _uploaded_release(account: Account, release: Release, parameters: Mapping[str, str]) -> _Uploaded:
    """The arguments by which CloudFormation finds what was uploaded."""
    text = release.template
    for artifact in release.artifacts:
        text = _packaged(text, artifact, _uploaded(account, artifact))
    account.s3.put_object(Bucket=_UPLOADS, Key="template.yaml", Body=text.encode())
    return {
        "TemplateURL": f"{account.url}/{_UPLOADS}/template.yaml",
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
    }


def _completed(account: Account, ends: str) -> Stack:
    """Return the stack when its operation has ended with this status, with the emulator's deviations corrected."""
    until(lambda: not _status(account).endswith("_IN_PROGRESS"), f"the stack ends {ends}", timeout_s=120)
    assert _status(account) == ends, complaints(account)
    return adopted(account, _NAME)


def adopted(account: Account, name: str) -> Stack:
    """Return a stack that is there, after the corrections of what the emulator makes otherwise than AWS."""
    formation = account.cloudformation
    (made,) = formation.describe_stacks(StackName=name)["Stacks"]
    outputs = {one.get("OutputKey", ""): one.get("OutputValue", "") for one in made.get("Outputs", [])}
    rows = formation.describe_stack_resources(StackName=name)["StackResources"]
    resources = {row["LogicalResourceId"]: row.get("PhysicalResourceId", "") for row in rows}
    kinds = {row["LogicalResourceId"]: row["ResourceType"] for row in rows}
    queues.put_right(
        account, (made for logical_id, made in resources.items() if kinds[logical_id] == "AWS::SQS::Queue")
    )
    # An update that leaves the bucket's policy as it is leaves it as it was put right.
    if transport.asks_for_tls(account, resources["Bucket"]):
        transport.take_plain_http(account, resources["Bucket"])
    given = {one.get("ParameterKey", ""): one.get("ParameterValue", "") for one in made.get("Parameters", [])}
    text = formation.get_template(StackName=name, TemplateStage="Original")["TemplateBody"]
    template = template_of(cast("str", text), given)
    return Stack(name, outputs, resources, template)


def parameters(index: str) -> dict[str, str]:
    """Return the parameters of a stack with the index at this address and an embedding image that exists."""
    return {"OpenSearchUrl": index, "EmbeddingImageUri": IMAGE}


def _packaged(text: str, artifact: Artifact, address: str) -> str:
    """Its one address in the template is replaced; nothing else is."""
    named = re.compile(rf"^(\s+(?:CodeUri|ContentUri): ){re.escape(artifact.source)}/?$", re.MULTILINE)
    packaged, count = named.subn(rf"\g<1>{address}", text)
    assert count == 1, f"{artifact.source} stands {count} times in the template"
    return packaged


def _uploaded(account: Account, artifact: Artifact) -> str:
    key = f"{artifact.folder.name}.zip"
    if account.s3.list_objects_v2(Bucket=_UPLOADS, Prefix=key)["KeyCount"]:
        # As SAM does it: what is there is not uploaded again.
        return f"s3://{_UPLOADS}/{key}"
    with TemporaryDirectory() as made:
        packed = Path(made) / key
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for file in sorted(artifact.folder.rglob("*")):
                archive.write(file, file.relative_to(artifact.folder))
        with packed.open("rb") as content:
            account.s3.put_object(Bucket=_UPLOADS, Key=key, Body=content)
    return f"s3://{_UPLOADS}/{key}"


def _status(account: Account) -> str:
    (stack,) = account.cloudformation.describe_stacks(StackName=_NAME)["Stacks"]
    return stack["StackStatus"]


def complaints(account: Account) -> str:
    """Return the resources that could not be made, changed or deleted so far, each with the account's reason."""
    pages = account.cloudformation.get_paginator("describe_stack_events").paginate(StackName=_NAME)
    return "\n".join(
        f"{event.get('LogicalResourceId')}: {event.get('ResourceStatusReason')}"
        for page in pages
        for event in page["StackEvents"]
        if event.get("ResourceStatus", "").endswith("FAILED")
    )
