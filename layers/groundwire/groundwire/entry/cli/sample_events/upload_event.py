"""Sample of the event that an ingestion function receives for a new document in the bucket."""

import json


def sample_upload_event(tenant: str) -> dict[str, object]:
    """Return S3's event for a new object, delivered by EventBridge in a message of the queue."""
    key = f"tenants/{tenant}/handbook/handbook.pdf"
    detail = {
        "version": "0",
        "bucket": {"name": "groundwire-documents"},
        "object": {
            "key": key,
            "size": 48_213,
            "etag": "0123456789abcdef0123456789abcdef",
            "version-id": "sample.version",
            "sequencer": "0066F0A1B2C3D4E5F6",
        },
        "request-id": "SAMPLEREQUEST000",
        "requester": "000000000000",
        "source-ip-address": "127.0.0.1",
        "reason": "PutObject",
    }
    bucket_event = {
        "version": "0",
        "id": "00000000-0000-4000-8000-000000000001",
        "detail-type": "Object Created",
        "source": "aws.s3",
        "account": "000000000000",
        "time": "2026-10-01T12:00:00Z",
        "region": "eu-central-1",
        "resources": ["arn:aws:s3:::groundwire-documents"],
        "detail": detail,
    }
    message = {
        "messageId": "00000000-0000-4000-8000-000000000002",
        "receiptHandle": "sample",
        "body": json.dumps(bucket_event),
        "attributes": {
            "ApproximateReceiveCount": "1",
            "SentTimestamp": "1790856000000",
            "SenderId": "SAMPLESENDER",
            "ApproximateFirstReceiveTimestamp": "1790856000100",
        },
        "messageAttributes": {},
        "md5OfBody": "0123456789abcdef0123456789abcdef",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:eu-central-1:000000000000:groundwire-uploads",
        "awsRegion": "eu-central-1",
    }
    return {"Records": [message]}
