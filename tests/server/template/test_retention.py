"""Nothing that people put in is lost with the stack, everything is encrypted, and no log is kept for ever."""

from typing import Any, Final

import pytest

from groundwire.adapters.aws.parser_function import TRANSIENT_TAG
from groundwire.adapters.parse.function.limits import SIGNATURE_SECONDS
from tests.support.aws.template.role_grants import as_list
from tests.support.aws.template.variants import TEMPLATE, variant

STACK: Final = variant()
TABLES: Final = STACK.of_type("AWS::DynamoDB::Table")
QUEUES: Final = STACK.of_type("AWS::SQS::Queue")
LOG_GROUPS: Final = STACK.of_type("AWS::Logs::LogGroup")
BUCKET: Final = STACK.resources["Bucket"]["Properties"]
HOLDING: Final = {
    *("AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret", "AWS::SQS::Queue"),
    *("AWS::Logs::LogGroup", "AWS::OpenSearchServerless::Collection", "AWS::OpenSearchServerless::CollectionGroup"),
}
"""Types of which a resource holds something."""
KEPT: Final = {
    *(
        "KeysTable",
        "UsersTable",
        "DocumentsTable",
        "Bucket",
        "BucketPolicy",
        "Secret",
        "AuditLogGroup",
        "DeadLetterQueue",
    ),
    *("SearchCollection", "SearchGroup", "SearchEncryption", "SearchNetwork"),
}


def test_stored_content_outlives_the_stack_and_the_rest_is_marked_for_deletion() -> None:
    policies = {
        name: (each.get("DeletionPolicy"), each.get("UpdateReplacePolicy"))
        for name, each in STACK.resources.items()
        if each["Type"] in HOLDING or "DeletionPolicy" in each
    }
    # A first deployment that fails leaves nothing to be deleted by hand.
    kept = ("RetainExceptOnCreate", "Retain")
    expected = {name: kept if name in KEPT else ("Delete", "Delete") for name in policies}
    assert policies == expected
    assert policies.keys() >= KEPT


def test_every_table_is_encrypted_recoverable_and_paid_by_use() -> None:
    for table in TABLES.values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["SSESpecification"] == {"SSEEnabled": True}
    expiring = {
        name: table["TimeToLiveSpecification"] for name, table in TABLES.items() if "TimeToLiveSpecification" in table
    }
    assert expiring == {
        "SessionsTable": {"AttributeName": "expires_at", "Enabled": True},
        "DocumentsTable": {"AttributeName": "forget_at", "Enabled": True},
    }


def test_keys_are_listed_without_a_secondary_index_that_lags() -> None:
    assert "GlobalSecondaryIndexes" not in TABLES["KeysTable"]


def test_no_log_is_kept_for_ever() -> None:
    for name, group in LOG_GROUPS.items():
        assert group["RetentionInDays"] in (30, 400), name
        assert (group["RetentionInDays"] == 400) == (name == "AuditLogGroup")


def test_the_access_log_shares_its_entry_in_the_accounts_policy_for_delivered_logs() -> None:
    assert LOG_GROUPS["AccessLogGroup"]["LogGroupName"] == {"Fn::Sub": "/aws/vendedlogs/${AWS::StackName}-access"}
    assert {name for name, group in LOG_GROUPS.items() if "LogGroupName" in group} == {"AccessLogGroup"}


def test_the_bucket_is_private_encrypted_versioned_and_sends_events() -> None:
    assert set(BUCKET["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(BUCKET["PublicAccessBlockConfiguration"]) == 4
    assert BUCKET["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
    (encryption,) = BUCKET["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert encryption["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "aws:kms"}
    assert encryption["BucketKeyEnabled"] is True
    assert BUCKET["VersioningConfiguration"] == {"Status": "Enabled"}
    assert BUCKET["NotificationConfiguration"] == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
    assert "CorsConfiguration" not in BUCKET


def test_old_versions_and_broken_uploads_go_by_themselves_and_nothing_else_does() -> None:
    rule, transient = BUCKET["LifecycleConfiguration"]["Rules"]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
    assert "ExpirationInDays" not in rule
    key, _, value = TRANSIENT_TAG.partition("=")
    assert transient["TagFilters"] == [{"Key": key, "Value": value}]
    assert (transient["ExpirationInDays"], transient["NoncurrentVersionExpiration"]) == (1, {"NoncurrentDays": 1})
    assert "Prefix" not in transient


def refusals() -> dict[str, dict[str, Any]]:
    (policy,) = STACK.of_type("AWS::S3::BucketPolicy").values()
    lines = policy["PolicyDocument"]["Statement"]
    assert {line["Effect"] for line in lines} == {"Deny"}
    return {line["Sid"]: line for line in lines}


def test_the_bucket_refuses_plain_http() -> None:
    plain = refusals()["EncryptedWaysOnly"]
    assert plain["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert plain["Resource"] == [{"Fn::GetAtt": ["Bucket", "Arn"]}, {"Fn::Sub": "${Bucket.Arn}/*"}]
    assert plain["Principal"] == "*"


def is_refused(authentication: str | None, age_ms: int) -> bool:
    """Decide a request as S3 does: a negated comparison holds where the request lacks the key."""
    request = {"s3:authType": authentication, "s3:signatureAge": age_ms}
    return any(
        all(_matches(operator, requested, request) for operator, requested in line["Condition"].items())
        for line in refusals().values()
        if "s3:" in str(line["Condition"])
    )


def _matches(operator: str, requested: dict[str, Any], request: dict[str, Any]) -> bool:
    ((key, expected),) = requested.items()
    if operator == "Bool":
        return (key, expected) == ("aws:PrincipalIsAWSService", "false")
    if operator == "NumericGreaterThan":
        return request[key] > expected
    assert operator == "StringNotEqualsIgnoreCase", operator
    return (request[key] or "").lower() not in {str(one).lower() for one in as_list(expected)}


@pytest.mark.parametrize("authentication", ["REST-HEADER", "rest-header"])
def test_a_signed_header_may_be_as_old_as_s3_allows_a_clock_to_differ(authentication: str) -> None:
    assert not is_refused(authentication, 900_000)
    assert is_refused(authentication, 900_001)


@pytest.mark.parametrize("authentication", ["REST-QUERY-STRING", "REST-query-string", "POST"])
def test_a_signed_address_or_form_lasts_as_long_as_the_parser_counts_on(authentication: str) -> None:
    assert SIGNATURE_SECONDS == 300
    assert not is_refused(authentication, SIGNATURE_SECONDS * 1000)
    assert is_refused(authentication, SIGNATURE_SECONDS * 1000 + 1)


@pytest.mark.parametrize("authentication", [None, "SOAP"])
def test_a_request_without_a_known_signature_is_refused_at_once(authentication: str | None) -> None:
    assert is_refused(authentication, 0)


def test_content_is_protected_from_deletion_when_it_is_requested() -> None:
    tables = {"KeysTable", "UsersTable", "DocumentsTable"}
    for given, is_protected in (("false", False), ("true", True)):
        stack = variant(DeletionProtection=given)
        protected = {
            name: table.get("DeletionProtectionEnabled")
            for name, table in stack.of_type("AWS::DynamoDB::Table").items()
        }
        assert protected == {**dict.fromkeys(tables, is_protected), "SessionsTable": None}
        collection = stack.resources["SearchCollection"]["Properties"]
        assert collection["DeletionProtection"] == ("ENABLED" if is_protected else "DISABLED")
    # A protected table stops the rollback of a first deployment that failed.
    assert TEMPLATE["Parameters"]["DeletionProtection"]["Default"] == "false"


@pytest.mark.parametrize("name", QUEUES)
def test_queues_are_encrypted_and_keep_what_waits_for_two_weeks(name: str) -> None:
    assert QUEUES[name]["SqsManagedSseEnabled"] is True
    assert QUEUES[name]["MessageRetentionPeriod"] == 14 * 24 * 60 * 60


@pytest.mark.parametrize("mapping", ["QueueMapping", "SweepMapping"])
def test_a_message_is_not_given_out_again_while_it_is_worked_at_and_is_given_up_after_five_times(mapping: str) -> None:
    source = STACK.resources[mapping]["Properties"]
    queue = QUEUES[source["EventSourceArn"]["Fn::GetAtt"][0]]
    function = STACK.of_type("AWS::Serverless::Function")[source["FunctionName"]["Ref"]]
    assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]
    dead_letters = {"Fn::GetAtt": ["DeadLetterQueue", "Arn"]}
    assert queue["RedrivePolicy"] == {"deadLetterTargetArn": dead_letters, "maxReceiveCount": 5}


def test_ingestion_takes_ten_at_a_time_answers_for_each_and_detects_a_message_that_is_given_up() -> None:
    mapping = STACK.resources["QueueMapping"]["Properties"]
    assert (mapping["BatchSize"], mapping["FunctionResponseTypes"]) == (10, ["ReportBatchItemFailures"])
    assert mapping["ScalingConfig"]["MaximumConcurrency"] >= 2
    reported = STACK.variables("IngestionFunction")["GROUNDWIRE_MAX_RECEIVES"]
    assert reported == str(QUEUES["Queue"]["RedrivePolicy"]["maxReceiveCount"])


def test_only_bucket_events_and_the_sweep_may_send_to_the_queue() -> None:
    rules = STACK.of_type("AWS::Events::Rule")
    pattern = rules["FilesChanged"]["EventPattern"]
    assert pattern["detail-type"] == ["Object Created", "Object Deleted"]
    assert pattern["detail"]["bucket"] == {"name": [{"Ref": "Bucket"}]}
    assert pattern["detail"]["object"] == {"key": [{"anything-but": {"wildcard": "tenants/*/.blobs/*"}}]}
    assert {target["Arn"]["Fn::GetAtt"][0] for rule in rules.values() for target in rule["Targets"]} == {"Queue"}
    (policy,) = STACK.of_type("AWS::SQS::QueuePolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": "events.amazonaws.com"}
    senders = statement["Condition"]["ArnEquals"]["aws:SourceArn"]
    assert sorted(one["Fn::GetAtt"][0] for one in as_list(senders)) == sorted(rules)


def test_no_parameter_has_a_secret_for_a_default_and_every_one_has_a_default() -> None:
    assert all("Default" in parameter for parameter in TEMPLATE["Parameters"].values())
    assert not [name for name in TEMPLATE["Parameters"] if "password" in name.lower()]
