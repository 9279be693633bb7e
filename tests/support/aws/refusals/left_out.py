"""Quotas of AWS that somebody looked at and that no rule states, each with the reason."""

from collections.abc import Mapping
from typing import Final

LEFT_OUT: Final[Mapping[str, str]] = {
    "DynamoDB: a page of Query and Scan has 1 MB": "It is no refusal. The registry's tests run on DynamoDB Local, "
    "which cuts pages there.",
    "DynamoDB: BatchGetItem answers 16 MB": "It is no refusal: the rest comes back as unprocessed keys, and is read "
    "again.",
    "DynamoDB: BatchWriteItem takes 16 MB": "25 items of 400 KB are 10 MB.",
    "DynamoDB: 300 operators of an update": "An expression of 4 KB hardly holds them; `expression-size` comes first.",
    "DynamoDB: 32 levels of nested attributes": "No row holds a map.",
    "DynamoDB: growth of an item by UpdateItem": "The size before is in the table alone; the numbers and short texts "
    "that updates write are bounded by the fields of the rows.",
    "DynamoDB: throughput of a partition and a table": "It depends on time and load; the service answers "
    "ThrottlingException, which is repeated.",
    "EventBridge: an entry of PutEvents has 256 KB": "Nothing here calls PutEvents: S3 sends the events.",
    "EventBridge: nested JSON, 1,000 levels": "As above.",
    "S3: 5 GB for one PUT": "The largest file is far smaller (see limits).",
    "S3: 10 tags of an object": "Objects have no tags.",
    "S3: 3,500 writes and 5,500 reads a second for a prefix": "They depend on load.",
    "CloudWatch: PutMetricData": "Nothing here calls it: metrics are log lines.",
    "CloudWatch Logs: PutLogEvents a second": "It is adjustable and far above the calls of a stack.",
    "Lambda: 1,000 new environments of a function in 10 s": "`log-stream-per-environment` uses it; no single call "
    "exceeds it.",
    "Lambda: response streaming": "No function streams its answer.",
    "Lambda: client context of 3,583 bytes": "No call sends one.",
    "Lambda: Invoke calls a second": "They are ten times the concurrency, which ends first.",
    "SQS: 120,000 messages in flight": "MaximumConcurrency of the event sources bounds them.",
    "SQS: message groups": "No message has one.",
    "Secrets Manager: versions and calls a second": "An environment reads the secret once; no code writes it.",
    "KMS: requests a second": "They are above the calls of the stack's functions.",
    "Bedrock: tokens and calls a minute": "They differ by model, Region and account.",
    "OpenSearch Serverless: size of a request": "The emulator of the service refuses more than 10 MiB.",
    "OpenSearch Serverless: 1,000 indexes of a collection": "It bounds the number of tenants, not a call.",
    "Step Functions, Kinesis, Systems Manager": "The stack does not use them.",
}
"""Reasons by the quota."""
