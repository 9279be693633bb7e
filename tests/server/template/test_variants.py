"""Whatever parameters are given, the stack holds together: nothing points at what a condition left out."""

from itertools import product
from typing import Final

import pytest

from tests.support.aws.template.variants import TEMPLATE, references, variant

CHOICES: Final[dict[str, list[str]]] = {
    "OpenSearchUrl": ["", "https://search.example.com"],
    "EmbeddingImageUri": ["", "123456789012.dkr.ecr.eu-central-1.amazonaws.com/embedding:1"],
    "BedrockEmbedder": ["", "amazon.titan-embed-text-v2:0"],
    "WarmerSchedule": ["", "rate(8 minutes)"],
    "DomainName": ["", "mcp.example.com"],
    "BudgetEmail": ["", "ops@example.com"],
    "ParserNetwork": ["closed", "open"],
    "ParserIsolation": ["tenant", "environment"],
    "AlarmTopicArn": ["", "arn:aws:sns:eu-central-1:123456789012:ops"],
}
ALL: Final = [dict(zip(CHOICES, values, strict=True)) for values in product(*CHOICES.values())]
EMULATED: Final = {"OpenSearchUrl": "http://127.0.0.1:9200", "EmbeddingImageUri": CHOICES["EmbeddingImageUri"][1]}


@pytest.mark.parametrize("given", ALL, ids=lambda given: ",".join(name for name, value in given.items() if value))
def test_nothing_points_at_what_is_not_there(given: dict[str, str]) -> None:
    stack = variant(**given)
    named = {name for name in stack.references() if not name.startswith("AWS::")}
    assert named <= stack.resources.keys() | TEMPLATE["Parameters"].keys()


def test_the_defaults_make_what_sleeps_and_nothing_that_costs_by_the_hour() -> None:
    stack = variant()
    kinds = {each["Type"] for each in stack.resources.values()}
    assert "AWS::OpenSearchServerless::Collection" in kinds
    assert not kinds & {
        "AWS::EC2::NatGateway",
        "AWS::OpenSearchService::Domain",
        "AWS::KMS::Key",
    }
    # Only interfaces of endpoints cost by the hour, gateways do not.
    endpoints = stack.of_type("AWS::EC2::VPCEndpoint").values()
    assert [each["VpcEndpointType"] for each in endpoints] == ["Gateway"]
    assert not [
        one for one in stack.of_type("AWS::Serverless::Function").values() if "ProvisionedConcurrencyConfig" in one
    ]


def test_an_emulator_gets_no_type_that_it_lacks() -> None:
    kinds = {each["Type"] for each in variant(**EMULATED).resources.values()}
    assert not [kind for kind in kinds if kind.startswith(("AWS::OpenSearchServerless::", "AWS::Budgets::"))]


def test_concurrency_is_reserved_when_it_is_requested() -> None:
    functions = variant().of_type("AWS::Serverless::Function")
    assert not [name for name, each in functions.items() if "ReservedConcurrentExecutions" in each]
    reserved = variant(ReservedConcurrency=20, EmbeddingConcurrency=10).of_type("AWS::Serverless::Function")
    requested = {
        name: each["ReservedConcurrentExecutions"]
        for name, each in reserved.items()
        if "ReservedConcurrentExecutions" in each
    }
    assert requested == {"McpFunction": 20, "EmbeddingFunction": 10}


def test_the_outputs_say_where_the_service_is_and_how_to_begin() -> None:
    outputs = variant().outputs
    assert outputs.keys() == {
        *("Url", "FirstTenant", "BucketName", "OperatorFunctionName", "QueueUrl", "DeadLetterQueueUrl"),
        "Alarms",
    }
    begin = "groundwire --stack ${AWS::StackName} --region ${AWS::Region} "
    first_tenant = outputs["FirstTenant"]["Value"]["Fn::Sub"]
    assert first_tenant.startswith(f"{begin}tenant create ")
    assert f"&& {begin}key create " in first_tenant
    assert "DomainTarget" in variant(DomainName="mcp.example.com").outputs


def test_references_are_found_in_every_form_and_literal_texts_are_none() -> None:
    resource = {
        "DependsOn": "A",
        "Properties": {
            "One": {"Ref": "B"},
            "Two": [{"Fn::GetAtt": ["C", "Arn"]}],
            "Three": {"Fn::Sub": "${D.Arn} ${!Literal}"},
            "Four": {"Fn::Sub": ["${Given} ${E}", {"Given": {"Ref": "F"}}]},
        },
    }
    assert references(resource) == set("ABCDEF")
    assert references({"DependsOn": ["A", "B"]}) == set("AB")
