import json
import subprocess
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from groundwire.adapters.aws.secrets import CloudSecrets
from groundwire.domain import errors
from tests.support.documentation.pages import GUIDES, commands

ROOT = "3f9Kd72hQmZx81LpVn40RtYcBs65GwJaEu29TiOq7DMN"
REGION = "eu-central-1"


def held(document: str) -> CloudSecrets:
    with mock_aws():
        client = boto3.client("secretsmanager", region_name=REGION)
        arn = client.create_secret(Name="groundwire", SecretString=document)["ARN"]
        return CloudSecrets(client, arn)


def of_root(root: str) -> CloudSecrets:
    return held(json.dumps({"root": root}))


def test_the_same_root_always_gives_the_same_two_secrets() -> None:
    first, second = of_root(ROOT), of_root(ROOT)
    assert (first.pepper, first.sealing_key) == (second.pepper, second.sealing_key)
    # Written down, as every key that was ever made hangs on it.
    assert first.pepper.hex() == "cee83be79ec7bfa81dde3422b1c0638107f7e009c5925403de7ca885316572ea"
    assert first.sealing_key.hex() == "f9e1b97695b173a2e3341291d43dbbf3de60fb5e8d960146073148be4f7f798f"


def test_the_secrets_depend_on_the_root_and_differ_from_each_other() -> None:
    first, second = of_root(ROOT), of_root(ROOT[::-1])
    secrets = {first.pepper, first.sealing_key, second.pepper, second.sealing_key}
    assert sorted(map(len, secrets)) == [32] * 4


def test_what_the_drill_has_people_make_is_a_secret_of_a_new_root_each_time(tmp_path: Path) -> None:
    [page] = [page for page in GUIDES if page.stem == "operations"]
    [make] = [command for command in commands(page) if "> new-root.json" in command]

    def made() -> CloudSecrets:
        subprocess.run(["bash", "-euc", make], cwd=tmp_path, check=True)
        return held((tmp_path / "new-root.json").read_text(encoding="utf-8"))

    assert made().pepper != made().pepper
    assert (tmp_path / "new-root.json").stat().st_mode & 0o077 == 0


def test_the_secret_is_read_once() -> None:
    with mock_aws():
        client = boto3.client("secretsmanager", region_name=REGION)
        arn = client.create_secret(Name="groundwire", SecretString=json.dumps({"root": ROOT}))["ARN"]
        secrets = CloudSecrets(client, arn)
        client.delete_secret(SecretId=arn, ForceDeleteWithoutRecovery=True)
        assert secrets.pepper != secrets.sealing_key


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '"root"',
        '{"root": 5}',
        '{"root": ""}',
        json.dumps({"root": ROOT[:42]}),
        "[" * 100_000,
    ],
)
def test_an_invalid_secret_is_refused_without_quoting_it(document: str) -> None:
    with pytest.raises(errors.Unavailable) as refused:
        held(document or " ")
    assert ROOT[:10] not in str(refused.value)


def test_a_secret_that_is_not_there_is_reported_to_be_missing() -> None:
    with mock_aws(), pytest.raises(errors.Unavailable, match="ResourceNotFoundException"):
        CloudSecrets(boto3.client("secretsmanager", region_name=REGION), "absent")


def test_a_service_that_does_not_answer_is_unavailable() -> None:
    client = boto3.client(
        "secretsmanager",
        region_name=REGION,
        endpoint_url="http://127.0.0.1:1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with pytest.raises(errors.Unavailable, match="does not answer"):
        CloudSecrets(client, "arn")
