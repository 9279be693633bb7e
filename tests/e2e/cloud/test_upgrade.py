"""A stack of the release before is updated, and goes back: nothing is lost, and what waited in its queue is done."""

from collections.abc import Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.e2e.cloud import embedding, release_before
from tests.e2e.cloud.checking import checking, require_green
from tests.e2e.cloud.company import Company, founded
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.artifacts import TEMPLATE, Artifact
from tests.support.aws.deployment.stack import Release, complaints, deploy_release, parameters, update
from tests.support.aws.deployment.waiting import until
from tests.support.engines import ministack
from tests.support.engines.missing import Absent, answer

KEEPS_DATA = {
    *("AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::SecretsManager::Secret", "AWS::KMS::Key"),
    *("AWS::ApiGatewayV2::Api", "AWS::Lambda::Function", "AWS::Logs::LogGroup"),
}
"""Types of resources that hold data, or whose address somebody knows."""

ROUTES_AT_ONCE = ("routes-created-at-once", "routes-changed-at-once")
"""Disputed rules that the release before breaks: its routes have no order, so nor has their removal."""

LEAVE, TRAVEL, PARKING = "handbook/leave.md", "handbook/travel.md", "handbook/parking.md"
TEXTS: Mapping[str, bytes] = {
    LEAVE: b"# Annual leave\n\nEverybody has 27 days of annual leave.\n",
    TRAVEL: b"# Travel\n\nA train of the second class is paid.\n",
    PARKING: b"# Parking\n\nBicycles are parked in the yard.\n",
}
QUESTIONS = {LEAVE: "days of annual leave", TRAVEL: "second class train", PARKING: "where do bicycles stand"}


@dataclass(frozen=True)
class Upgraded:
    """A company whose stack can have either release.

    Attributes:
        ends: what is closed at the end.
    """

    ends: ExitStack
    company: Company
    before: Release
    present: Release
    parameters: Mapping[str, str]

    @property
    def deployment(self) -> Deployment:
        """The stack of the moment."""
        return self.company.deployment

    def update(self, release: Release, ends: str = "UPDATE_COMPLETE") -> "Upgraded":
        """The company after an update of its stack."""
        made = update(self.deployment.account, release, self.parameters, ends)
        deployment = Deployment(self.deployment.account, made, self.deployment.embedding)
        self.ends.callback(deployment.http.close)
        called = self.deployment.embedding
        called.stack = made
        for name in ("SourcesFunction", "ParserFunction"):
            called.others[name] = partial(deployment.answered, name)
        return replace(self, company=replace(self.company, deployment=deployment))

    def keeps(self) -> dict[str, str]:
        """Physical ids of resources that hold data, by logical ones."""
        rows = self.deployment.account.cloudformation.describe_stack_resources(StackName=self.deployment.stack.name)
        return {
            row["LogicalResourceId"]: row.get("PhysicalResourceId", "")
            for row in rows["StackResources"]
            if row["ResourceType"] in KEEPS_DATA
        }

    def code(self) -> dict[str, str]:
        """Digests of the code and names of the layers, by function; the image of the embedding function is no part."""
        functions = self.deployment.account.functions.list_functions()["Functions"]
        return {
            one.get(
                "FunctionName", ""
            ): f"{one.get('CodeSha256')} {[each.get('Arn') for each in one.get('Layers', [])]}"
            for one in functions
            if one.get("PackageType") != "Image"
        }

    def listens(self, *, enabled: bool) -> None:
        """Have the ingestion function take messages of its queue, or leave them there."""
        functions = self.deployment.account.functions
        name = self.deployment.stack.resources["IngestionFunction"]
        for mapping in functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]:
            functions.update_event_source_mapping(UUID=mapping.get("UUID", ""), Enabled=enabled)

    def waiting(self) -> int:
        """Messages in the queue of the ingestion function."""
        queue = self.deployment.stack.resources["Queue"]
        name = "ApproximateNumberOfMessages"
        counted = self.deployment.account.sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=[name])
        return int(counted.get("Attributes", {})[name])

    def finds(self, *files: str) -> None:
        """Expect that the company's agent finds each of these files, and another person none."""
        for file in files:
            assert file.rpartition("/")[2] in self.company.agent("maria").files(QUESTIONS[file])
            assert self.company.agent("joe").files(QUESTIONS[file]) == set()


@pytest.fixture(scope="module")
def before(
    built: Mapping[str, Artifact], opensearch_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Upgraded]:
    """A company on a stack of the release before: a file is indexed, another one waits in the queue."""
    with ExitStack() as stack:
        try:
            release = release_before.read(built, tmp_path_factory.mktemp("before"))
            invocations = stack.enter_context(embedding.serving(built["GroundwireLayer"]))
            # The release before reads documents only where the kernel lets its worker confine itself.
            account = stack.enter_context(
                ministack.running(
                    {"AWS_ENDPOINT_URL_LAMBDA": invocations.url}, on_lambda_kernel=False, excused=ROUTES_AT_ONCE
                )
            )
        except Absent as absent:
            answer(absent)
        given = parameters(opensearch_url)
        deployed = Deployment(account, deploy_release(account, release, given), invocations)
        invocations.stack = deployed.stack
        stack.callback(deployed.http.close)
        company = founded(deployed, "acme")
        present = Release(TEMPLATE.read_text(encoding="utf-8"), tuple(built.values()))
        made = Upgraded(stack, company, release, present, given)
        company.put("handbook/.policy.yaml", b'users: ["maria"]')
        company.put(LEAVE, TEXTS[LEAVE])
        company.reconciled(LEAVE)
        made.listens(enabled=False)
        company.put(TRAVEL, TEXTS[TRAVEL])
        until(lambda: made.waiting() == 1, "the second file waits in the queue")
        yield made
        deployed.operate({"action": "tenant.delete", "tenant": company.tenant})
        assert invocations.refused == []


def test_an_upgrade_that_fails_rolls_back_and_the_next_one_keeps_everything_and_can_go_back(
    before: Upgraded, tmp_path: Path
) -> None:
    kept, code = before.keeps(), before.code()
    link = urlsplit(before.company.agent("maria").search(QUESTIONS[LEAVE])[0]["source_url"]).path

    # One function's code is not there, as after an upload that was cut off.
    without_code = before.present.template.replace("CodeUri: functions/operator", "CodeUri: s3://uploads/absent.zip")
    broken = tuple(each for each in before.present.artifacts if each.logical_id != "OperatorFunction")
    rolled_back = before.update(Release(without_code, broken), ends="UPDATE_ROLLBACK_COMPLETE")
    assert complaints(rolled_back.deployment.account).startswith("OperatorFunction: ")
    assert (rolled_back.keeps(), rolled_back.code(), rolled_back.waiting()) == (kept, code, 1)
    rolled_back.finds(LEAVE)

    upgraded = rolled_back.update(before.present)
    assert {name: upgraded.keeps()[name] for name in kept} == kept
    assert [name for name, digest in code.items() if upgraded.code()[name] == digest] == []
    assert upgraded.waiting() == 1
    upgraded.finds(LEAVE)
    opened = upgraded.deployment.http.get(link)
    assert httpx.get(opened.headers["location"]).content == TEXTS[LEAVE]
    upgraded.listens(enabled=True)
    upgraded.company.reconciled(TRAVEL)
    upgraded.finds(LEAVE, TRAVEL)
    with checking(upgraded.deployment, tmp_path) as doctor:
        require_green(doctor("--json"))

    back = upgraded.update(before.before)
    assert back.keeps() == kept
    back.finds(LEAVE, TRAVEL)
    back.company.put(PARKING, TEXTS[PARKING])
    back.company.reconciled(PARKING)
    back.finds(LEAVE, TRAVEL, PARKING)
