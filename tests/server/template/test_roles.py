"""Each function may do exactly what it does: a role of its own, every action on a thing that is named."""

from fnmatch import fnmatchcase
from typing import Any, Final

import pytest

from groundwire.adapters.aws.dynamodb.administered.definitions import STATE_PARTITION_PREFIX
from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.domain.documents.ids import is_doc_id
from groundwire.services.documents.images.page_pictures import KEY_PREFIX as PAGES_PREFIX
from groundwire.services.documents.images.page_pictures import PagePictureStore
from groundwire.services.documents.images.store import KEY_PREFIX, ImageStore
from groundwire.services.documents.reconcile import blob_key
from groundwire_readers.contents.parsed import PagePicture
from tests.support.aws.buckets import bucket
from tests.support.aws.template.role_grants import (
    as_list,
    conditions,
    conditions_by_action,
    denials,
    granted,
    statements,
)
from tests.support.aws.template.variants import Variant, variant
from tests.support.documents.plain_text_parser import picture

CLUSTER: Final = "https://search.example.com"
READ_SECRET: Final = {"secretsmanager:GetSecretValue"}
WRITE_LOG: Final = {"logs:CreateLogStream", "logs:PutLogEvents"}
CALL_SOURCES: Final = {"SourcesFunction": {"lambda:InvokeFunction"}}
SEARCH: Final = {"EmbeddingFunction.Alias": {"lambda:InvokeFunction"}, "SearchCollection": {"aoss:APIAccessAll"}}
READ_LOG: Final = WRITE_LOG | {"logs:StartQuery"}
RESULTS: Final = {"logs:GetQueryResults", "logs:StopQuery"}
"""Actions on queries, which take the id of one and no resource."""
TRACE: Final = {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}
"""The two actions that take no resource."""
INTERFACES: Final = {
    *("ec2:AssignPrivateIpAddresses", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface"),
    *("ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets", "ec2:UnassignPrivateIpAddresses"),
}
"""Actions that the role of a function in a VPC must allow."""
PICTURES: Final = "tenants/*/.blobs/_images*"
"""Keys of pictures and of the lists of them."""
PAGES: Final = "tenants/*/.blobs/_pages*"
"""Keys of pictures of pages, which are parts of originals."""
TO_THE_PARSER: Final = "tenants/*/.blobs/results/*"
"""Keys of files and results on their way to and from the parser function."""
BEDROCK: Final = "arn:AWS::Partition:bedrock"
PROFILE: Final = f"{BEDROCK}:AWS::Region:AWS::AccountId:inference-profile/BedrockEmbedder"
MODELS_ANYWHERE: Final = f"{BEDROCK}:*::foundation-model/*"


def items(*actions: str) -> set[str]:
    return {f"dynamodb:{action}" for action in actions}


CHANGE_ROWS: Final = items(
    *("BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem")
)
EXPECTED: Final[dict[str, dict[str, set[str]]]] = {
    "AuthorizerRole": {
        "AuthorizerLogGroup": WRITE_LOG,
        "KeysTable": items("GetItem", "UpdateItem"),
        "UsersTable": items("BatchGetItem"),
        "SessionsTable": items("GetItem"),
        "Secret": READ_SECRET,
    },
    "McpRole": {
        "McpLogGroup": WRITE_LOG,
        "AuditLogGroup": WRITE_LOG,
        "DocumentsTable": items("BatchGetItem", "GetItem", "Query"),
        "DocumentsTable/index/by-collection": items("Query"),
        "SessionsTable": items("DeleteItem", "GetItem", "PutItem", "UpdateItem"),
        "Bucket": {"s3:ListBucket"},
        f"Bucket/{PICTURES}": {"s3:GetObject"},
        "Secret": READ_SECRET,
        **CALL_SOURCES,
        **SEARCH,
    },
    "ApiRole": {
        "ApiLogGroup": WRITE_LOG,
        "AuditLogGroup": READ_LOG,
        "*": RESULTS,
        "KeysTable": CHANGE_ROWS,
        "UsersTable": items("BatchGetItem", "DeleteItem", "PutItem", "Query"),
        "DocumentsTable": CHANGE_ROWS,
        "DocumentsTable/index/by-collection": items("Query"),
        "DocumentsTable/index/stale": items("Query"),
        "SessionsTable": items("DeleteItem", "GetItem", "PutItem", "UpdateItem"),
        "Bucket": {"s3:ListBucket", "s3:ListBucketVersions"},
        "Bucket/tenants/*/.uploads/*": {"s3:PutObject"},
        "Bucket/tenants/*/.blobs/*": {"s3:DeleteObject", "s3:DeleteObjectVersion", "s3:GetObject"},
        f"Bucket/{PAGES}": {"s3:PutObject"},
        f"Bucket/{TO_THE_PARSER}": {"s3:GetObjectVersion", "s3:PutObject", "s3:PutObjectTagging"},
        "ParserFunction": {"lambda:InvokeFunction"},
        "Secret": READ_SECRET,
        **CALL_SOURCES,
        **SEARCH,
    },
    "IngestionRole": {
        "IngestionLogGroup": WRITE_LOG,
        "AuditLogGroup": WRITE_LOG,
        "KeysTable": items("ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem"),
        "UsersTable": items("BatchGetItem"),
        "DocumentsTable": CHANGE_ROWS,
        "DocumentsTable/index/by-collection": items("Query"),
        "DocumentsTable/index/by-content": items("Query"),
        "DocumentsTable/index/stale": items("Query", "Scan"),
        "Bucket": {"s3:ListBucket", "s3:ListBucketVersions"},
        "Bucket/tenants/*": {
            *("s3:DeleteObject", "s3:DeleteObjectVersion", "s3:GetObject", "s3:GetObjectVersion", "s3:PutObject"),
        },
        f"Bucket/{TO_THE_PARSER}": {"s3:PutObjectTagging"},
        "ParserFunction": {"lambda:InvokeFunction"},
        "Queue": {"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage", "sqs:SendMessage"},
        **SEARCH,
    },
    "ParserRole": {"ParserLogGroup": WRITE_LOG, "*": INTERFACES},
    "OperatorRole": {
        "OperatorLogGroup": WRITE_LOG,
        "AuditLogGroup": READ_LOG,
        "*": RESULTS,
        "KeysTable": items(
            *("BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem"),
            *("Query", "Scan", "UpdateItem"),
        ),
        "UsersTable": items("BatchGetItem", "BatchWriteItem", "DeleteItem", "PutItem", "Query"),
        "SessionsTable": items("BatchWriteItem", "Query"),
        "DocumentsTable": CHANGE_ROWS | items("BatchWriteItem"),
        "DocumentsTable/index/by-collection": items("Query"),
        "DocumentsTable/index/by-content": items("Query"),
        "Bucket": {"s3:ListBucket", "s3:ListBucketVersions"},
        f"Bucket/{PICTURES}": {"s3:GetObject"},
        f"Bucket/{PAGES}": {"s3:GetObject"},
        "Bucket/tenants/*": {"s3:DeleteObject", "s3:DeleteObjectVersion"},
        "Queue": {"sqs:SendMessage"},
        "SweepQueue": {"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage", "sqs:SendMessage"},
        "Secret": READ_SECRET,
        **SEARCH,
    },
    "SourcesRole": {"SourcesLogGroup": WRITE_LOG, "DocumentsTable": items("GetItem", "PutItem", "UpdateItem")},
    "EmbeddingRole": {"EmbeddingLogGroup": WRITE_LOG},
}
ROLES: Final = sorted(EXPECTED)


def roles(stack: Variant) -> dict[str, dict[str, Any]]:
    return stack.of_type("AWS::IAM::Role")


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_exactly_this(role: str) -> None:
    assert granted(role) == EXPECTED[role]


@pytest.mark.parametrize("role", ROLES)
def test_with_a_cluster_of_ones_own_no_role_may_sign_for_a_collection(role: str) -> None:
    expected = {name: actions for name, actions in EXPECTED[role].items() if name != "SearchCollection"}
    assert granted(role, variant(OpenSearchUrl=CLUSTER)) == expected


@pytest.mark.parametrize("role", ROLES)
def test_the_login_of_such_a_cluster_is_read_by_whoever_searches_and_nobody_else(role: str) -> None:
    login = "arn:aws:secretsmanager:eu-central-1:1:secret:search-AbCdEf"
    expected = {name: actions for name, actions in EXPECTED[role].items() if name != "SearchCollection"}
    read = {login: READ_SECRET} if "SearchCollection" in EXPECTED[role] else {}
    assert granted(role, variant(OpenSearchUrl=CLUSTER, OpenSearchSecret=login)) == {**expected, **read}


def test_with_bedrock_the_callers_may_ask_the_chosen_models_and_no_other() -> None:
    stack = variant(BedrockEmbedder="amazon.titan-embed-text-v2:0", BedrockReranker="cohere.rerank-v3-5:0")
    model = f"{BEDROCK}:AWS::Region::foundation-model/"
    ask = {"bedrock:InvokeModel"}
    for role in ("McpRole", "ApiRole", "IngestionRole", "OperatorRole"):
        requested = {name: actions for name, actions in granted(role, stack).items() if name.startswith(BEDROCK)}
        rerankers = {f"{model}BedrockReranker": ask} if role in ("McpRole", "ApiRole") else {}
        profiles = dict.fromkeys([PROFILE, MODELS_ANYWHERE], ask)
        assert requested == {f"{model}BedrockEmbedder": ask, **rerankers, **profiles}, role
        assert "EmbeddingFunction.Alias" not in granted(role, stack)


def test_a_model_in_another_region_is_called_through_the_chosen_inference_profile_alone() -> None:
    stack = variant(BedrockEmbedder="eu.cohere.embed-v4:0")
    profile = "arn:${AWS::Partition}:bedrock:${AWS::Region}:${AWS::AccountId}:inference-profile/${BedrockEmbedder}"
    for role in ("McpRole", "ApiRole", "IngestionRole", "OperatorRole"):
        assert conditions(role, stack)[MODELS_ANYWHERE] == {
            "StringEquals": {"bedrock:InferenceProfileArn": {"Fn::Sub": profile}}
        }
        assert MODELS_ANYWHERE not in granted(role)


def test_the_planners_model_and_its_key_are_for_the_one_function_that_plans() -> None:
    key = "arn:aws:secretsmanager:eu-central-1:1:secret:planner-AbCdEf"
    for role in ROLES:
        with_key = granted(role, variant(Planner="openai:small", PlannerSecret=key))
        with_bedrock = granted(role, variant(BedrockPlanner="eu.amazon.nova-micro-v1:0"))
        plans = role == "ApiRole"
        assert with_key == {**EXPECTED[role], **({key: READ_SECRET} if plans else {})}
        models = [f"{BEDROCK}:AWS::Region::foundation-model/BedrockPlanner", MODELS_ANYWHERE]
        models.append(f"{BEDROCK}:AWS::Region:AWS::AccountId:inference-profile/BedrockPlanner")
        requested = {model: {"bedrock:InvokeModel"} for model in models}
        assert with_bedrock == {**EXPECTED[role], **(requested if plans else {})}
    [condition] = conditions("ApiRole", variant(BedrockPlanner="eu.amazon.nova-micro-v1:0"))[MODELS_ANYWHERE].values()
    assert "inference-profile/${BedrockPlanner}" in str(condition)


def test_every_role_is_expected_and_is_of_one_function() -> None:
    stack = variant()
    functions = stack.of_type("AWS::Serverless::Function")
    used = [function["Role"]["Fn::GetAtt"] for function in functions.values()]
    assert sorted(name for name, _ in used) == ROLES == sorted(roles(stack))


def test_a_wildcard_resource_is_granted_only_for_actions_without_resources() -> None:
    for role in ROLES:
        # The parser function is not traced: it may write its log alone. Lambda makes its network interfaces.
        everything = {"ParserRole": INTERFACES, "ApiRole": RESULTS, "OperatorRole": RESULTS}.get(role, set[str]())
        assert granted(role).get("*", set()) == everything
        traced = everything if role == "ParserRole" else everything | TRACE
        assert granted(role, variant(Tracing="Active")).get("*", set()) == traced
    parser = variant(Tracing="Active").of_type("AWS::Serverless::Function")["ParserFunction"]
    assert parser["Tracing"] == "PassThrough"


def test_only_lambda_itself_may_use_the_rights_to_network_interfaces_in_either_network() -> None:
    assert {role for role in ROLES if denials(role)} == {"ParserRole"}
    # An open network keeps them, since Lambda deletes interfaces of an earlier one with the rights of the role.
    assert denials("ParserRole", variant(ParserNetwork="open")) == denials("ParserRole")
    [denied] = denials("ParserRole")
    functions = "arn:${AWS::Partition}:lambda:${AWS::Region}:${AWS::AccountId}:function:*"
    assert (set(denied["Action"]), denied["Resource"]) == (INTERFACES, "*")
    assert denied["Condition"] == {"ArnLike": {"lambda:SourceFunctionArn": {"Fn::Sub": functions}}}


def test_no_action_is_a_wildcard_and_objects_are_those_of_tenants() -> None:
    for role in ROLES:
        for name, actions in granted(role, variant(Tracing="Active")).items():
            assert not [action for action in actions if "*" in action]
            assert "*" not in name or name == "*" or name.startswith("Bucket/tenants/*"), name


def test_no_role_has_a_managed_policy_and_only_lambda_assumes_it() -> None:
    for role in roles(variant()).values():
        assert "ManagedPolicyArns" not in role
        trust = role["AssumeRolePolicyDocument"]["Statement"]
        assert [line["Principal"] for line in trust] == [{"Service": "lambda.amazonaws.com"}]
        assert [line["Action"] for line in trust] == ["sts:AssumeRole"]


def test_ingestion_sees_of_the_keys_table_the_rows_of_tenants_and_never_a_key() -> None:
    leading = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["tenant#*"]}}
    found = conditions("IngestionRole")
    assert found == {"KeysTable": leading, "Bucket": {"StringLike": {"s3:prefix": "tenants/*"}}}


def test_calls_to_other_systems_leave_with_rights_to_the_states_of_sources_and_to_nothing_else_stored() -> None:
    assert STATE_PARTITION_PREFIX == "source-state#"
    assert conditions("SourcesRole") == {
        "DocumentsTable": {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["source-state#*"]},
            # Without keys, a condition on all of them would hold.
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
    }
    assert {name for name in granted("SourcesRole") if "index/" in name} == set()


def test_only_the_functions_that_answer_calls_may_call_the_sources_function() -> None:
    assert {role for role in ROLES if "SourcesFunction" in granted(role)} == {"McpRole", "ApiRole"}


def test_the_operator_lists_tenants_files_and_the_api_originals_and_uploads_only() -> None:
    assert conditions("OperatorRole") == {"Bucket": {"StringLike": {"s3:prefix": "tenants/*"}}}
    assert conditions_by_action("ApiRole") == {
        "s3:ListBucketVersions": {"StringLike": {"s3:prefix": "tenants/*/.blobs/*"}},
        "s3:ListBucket": {"StringLike": {"s3:prefix": ["tenants/*/.uploads/*", PICTURES, PAGES, TO_THE_PARSER]}},
    }


def test_the_mcp_function_sees_of_the_bucket_pictures_and_no_original() -> None:
    assert conditions("McpRole") == {"Bucket": {"StringLike": {"s3:prefix": PICTURES}}}
    doc_ids = ["plan", "images", "IMAGES" * 20, "0_images", "x._images"]
    with bucket() as opened:
        for doc_id in doc_ids:
            S3Blobs(opened).put("t_acme", blob_key(doc_id, 1), b"original")
        originals = [key for key, _, _ in opened.versions("")]
        for doc_id in doc_ids:
            ImageStore(S3Blobs(opened)).put("t_acme", doc_id, 1, [picture("A pump.", 0)])
        pictures = {key for key, _, _ in opened.versions("")} - set(originals)
        for doc_id in doc_ids:
            PagePictureStore(S3Blobs(opened)).put("t_acme", doc_id, 1, 7, PagePicture(b"x", "image/png", 1, 1, ()))
        pages = {key for key, _, _ in opened.versions("")} - set(originals) - pictures
    assert len(originals) == len(doc_ids)
    assert len(pictures) == 2 * len(doc_ids)
    assert [key for key in pictures if not fnmatchcase(key, PICTURES)] == []
    assert [key for key in {*originals, *pages} if fnmatchcase(key, PICTURES)] == []
    assert len(pages) == 2 * len(doc_ids)
    assert [key for key in pages if not fnmatchcase(key, PAGES)] == []
    assert [key for key in {*originals, *pictures} if fnmatchcase(key, PAGES)] == []


def test_no_document_has_an_id_that_begins_as_the_keys_of_pictures_do() -> None:
    for prefix in (KEY_PREFIX, PAGES_PREFIX):
        assert not is_doc_id(prefix.rstrip("/"))
        assert not is_doc_id(prefix.replace("/", "."))


def test_only_the_api_and_the_operator_read_the_audit_log_and_no_function_reads_another_one() -> None:
    reading = {
        (role, name) for role in ROLES for name, actions in granted(role).items() if "logs:StartQuery" in actions
    }
    assert reading == {("ApiRole", "AuditLogGroup"), ("OperatorRole", "AuditLogGroup")}
    others = {"logs:FilterLogEvents", "logs:GetLogEvents", "logs:GetLogRecord", "logs:StartLiveTail"}
    assert not others & {action for role in ROLES for actions in granted(role).values() for action in actions}


def test_only_ingestion_and_the_api_call_the_parser_function() -> None:
    assert {role for role in ROLES if "ParserFunction" in granted(role)} == {"ApiRole", "IngestionRole"}


def test_the_api_reads_no_upload() -> None:
    assert granted("ApiRole")["Bucket/tenants/*/.uploads/*"] == {"s3:PutObject"}


def test_only_the_operator_looks_through_all_keys_and_deletes_tenants() -> None:
    scanning = {role for role in ROLES if "dynamodb:Scan" in granted(role).get("KeysTable", set())}
    assert scanning == {"OperatorRole"}
    erasing = {role for role in ROLES if "dynamodb:BatchWriteItem" in set().union(*granted(role).values())}
    assert erasing == {"OperatorRole"}


def test_every_statement_names_its_actions_and_resources() -> None:
    for role in roles(variant()).values():
        for statement in statements(role):
            assert statement.keys() <= {"Effect", "Action", "Resource", "Condition"}
            assert as_list(statement["Action"])
            assert as_list(statement["Resource"])
