"""Judge of stacks: `python -m tests.support.aws.deployment.judge URL EXCUSED` prints what AWS refuses of a stack.

Standard input is the form by which CloudFormation is asked for the stack: CreateStack, UpdateStack or CreateChangeSet.
URL is that of the account, which has the template, the artifacts and the stack of now. EXCUSED names rules that do not
count, with spaces between.
"""

import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import parse_qs, urlsplit

from botocore.exceptions import ClientError

from tests.support.aws.refusals.template import Template, template_of
from tests.support.aws.refusals.wall import refused_stack
from tests.support.engines.ministack import Account

if TYPE_CHECKING:
    from types_boto3_cloudformation.type_defs import StackTypeDef

_CODE: Final = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}
_LIVES: Final = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")


@dataclass(frozen=True, slots=True)
class Order:
    """A form that asks CloudFormation for a stack, and the account that has what it names."""

    account: Account
    fields: Mapping[str, list[str]]

    def field(self, name: str) -> str:
        """Return a field of the form; empty where it is not given."""
        return self.fields.get(name, [""])[0]

    def before(self) -> Template | None:
        """Return the template of the stack that is there; None where there is none."""
        stack = self._stack()
        return template_of(self._deployed_text(), _values(stack)) if stack else None

    def after(self) -> Template:
        """Return the requested template, with the sizes of the artifacts that it names."""
        stack = self._stack()
        template = template_of(self._text(), dict(self._parameters(_values(stack) if stack else {})))
        return replace(template, inline=bool(self.field("TemplateBody")), unpacked=dict(self._unpacked(template)))

    def _text(self) -> str:
        if self.field("TemplateBody"):
            return self.field("TemplateBody")
        if not self.field("TemplateURL"):
            return self._deployed_text()
        bucket, _, key = urlsplit(self.field("TemplateURL")).path.removeprefix("/").partition("/")
        return self.account.s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode()

    def _stack(self) -> "StackTypeDef | None":
        try:
            [stack] = self.account.cloudformation.describe_stacks(StackName=self.field("StackName"))["Stacks"]
        except ClientError:
            return None
        return stack if stack["StackStatus"] in _LIVES else None

    def _deployed_text(self) -> str:
        name = self.field("StackName")
        answer = self.account.cloudformation.get_template(StackName=name, TemplateStage="Original")
        return cast("str", answer["TemplateBody"])

    def _parameters(self, before: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        number = 1
        while name := self.field(f"Parameters.member.{number}.ParameterKey"):
            keeps = self.field(f"Parameters.member.{number}.UsePreviousValue") == "true"
            if not keeps:
                yield name, self.field(f"Parameters.member.{number}.ParameterValue")
            elif name in before:
                yield name, before[name]
            number += 1

    def _unpacked(self, template: Template) -> Iterator[tuple[str, int]]:
        for name, resource in template.body["Resources"].items():
            address: Any = resource.get("Properties", {}).get(_CODE.get(resource["Type"], ""), "")
            if isinstance(address, str) and address.startswith("s3://"):
                bucket, _, key = address.removeprefix("s3://").partition("/")
                yield name, self._unpacked_size(bucket, key)

    def _unpacked_size(self, bucket: str, key: str) -> int:
        with TemporaryFile() as file:
            try:
                self.account.s3.download_fileobj(bucket, key, file)
            except ClientError:
                # CloudFormation says itself that the artifact is not there.
                return 0
            with zipfile.ZipFile(file) as archive:
                return sum(each.file_size for each in archive.infolist())


def _values(stack: "StackTypeDef") -> dict[str, str]:
    given = stack.get("Parameters", [])
    return {each.get("ParameterKey", ""): each.get("ParameterValue", "") for each in given}


def main(url: str, excused: str) -> None:
    """Print what AWS refuses of the stack that standard input asks for, a line for each finding."""
    order = Order(Account(url, Path()), parse_qs(sys.stdin.read(), keep_blank_values=True))
    found = refused_stack(order.before(), order.after(), excused.split())
    sys.stdout.write("".join(f"{each}\n" for each in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
