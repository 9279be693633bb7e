"""The template, deployed to an account as `sam deploy` does it: artifacts uploaded, their addresses in the template."""

import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.aws.deployment import queues, roles, transport
from tests.support.aws.deployment.artifacts import TEMPLATE, Artifact
from tests.support.aws.deployment.waiting import until
from tests.support.aws.refusals.template import Template
from tests.support.aws.refusals.wall import require_stack
from tests.support.engines.ministack import ACCOUNT, REGION, Account

_UPLOADS: Final = "uploads"
_NAME: Final = "groundwire"

IMAGE: Final = f"{ACCOUNT}.dkr.ecr.{REGION}.amazonaws.com/groundwire-embedding:live"
"""An image that is named and, in the emulator, never run."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What was deployed.

    Attributes:
        name: of the stack.
        outputs: of the template, by name.
        resources: physical ids by logical ones.
        template: what AWS, too, accepts.
    """

    name: str
    outputs: Mapping[str, str]
    resources: Mapping[str, str]
    template: Template

    def logical_id(self, name: str) -> str:
        """Return the logical id of the resource with the longest physical id in this name or ARN; else the name."""
        named = [logical for logical, physical in self.resources.items() if physical and physical in name]
        return max(named, key=lambda logical: len(self.resources[logical]), default=name)


def deploy(account: Account, artifacts: Iterable[Artifact], parameters: Mapping[str, str]) -> Stack:
    """A stack of the template as it stands; Raises AssertionError with what the account says when it is not made."""
    built = tuple(artifacts)
    require_stack(TEMPLATE, parameters, built)
    account.s3.create_bucket(Bucket=_UPLOADS, CreateBucketConfiguration={"LocationConstraint": REGION})
    text = TEMPLATE.read_text(encoding="utf-8")
    for artifact in built:
        text = _packaged(text, artifact, _uploaded(account, artifact))
    account.s3.put_object(Bucket=_UPLOADS, Key="template.yaml", Body=text.encode())
    formation = account.cloudformation
    formation.create_stack(
        StackName=_NAME,
        TemplateURL=f"{account.url}/{_UPLOADS}/template.yaml",
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
    )
    until(lambda: not _status(account).endswith("_IN_PROGRESS"), "the stack is made", timeout_s=120)
    assert _status(account) == "CREATE_COMPLETE", _complaints(account)
    return adopted(account, _NAME)


def adopted(account: Account, name: str) -> Stack:
    """Return a stack that is there, after the corrections of what the emulator makes otherwise than AWS."""
    formation = account.cloudformation
    (made,) = formation.describe_stacks(StackName=name)["Stacks"]
    outputs = {one.get("OutputKey", ""): one.get("OutputValue", "") for one in made.get("Outputs", [])}
    rows = formation.describe_stack_resources(StackName=name)["StackResources"]
    resources = {row["LogicalResourceId"]: row.get("PhysicalResourceId", "") for row in rows}
    roles.put_right(account, resources)
    kinds = {row["LogicalResourceId"]: row["ResourceType"] for row in rows}
    queues.put_right(
        account, (made for logical_id, made in resources.items() if kinds[logical_id] == "AWS::SQS::Queue")
    )
    transport.take_plain_http(account, resources["Bucket"])
    given = {one.get("ParameterKey", ""): one.get("ParameterValue", "") for one in made.get("Parameters", [])}
    template = require_stack(TEMPLATE, given, ())
    return Stack(name, outputs, resources, template)


def parameters(index: str) -> dict[str, str]:
    """What a stack is made with whose index is at this address and whose embedding image is there already."""
    return {"OpenSearchUrl": index, "EmbeddingImageUri": IMAGE}


def _packaged(text: str, artifact: Artifact, address: str) -> str:
    """Its one address in the template is replaced; nothing else is."""
    named = re.compile(rf"^(\s+(?:CodeUri|ContentUri): ){re.escape(artifact.source)}/?$", re.MULTILINE)
    packaged, count = named.subn(rf"\g<1>{address}", text)
    assert count == 1, f"{artifact.source} stands {count} times in the template"
    return packaged


def _uploaded(account: Account, artifact: Artifact) -> str:
    key = f"{artifact.folder.name}.zip"
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


def _complaints(account: Account) -> str:
    events = account.cloudformation.describe_stack_events(StackName=_NAME)["StackEvents"]
    return "\n".join(
        f"{event.get('LogicalResourceId')}: {event.get('ResourceStatusReason')}"
        for event in events
        if event.get("ResourceStatus", "").endswith("FAILED")
    )
