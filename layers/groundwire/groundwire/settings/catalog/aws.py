"""Settings of an operator in AWS, and of an administrator who works on a service."""

from typing import Final

from groundwire.settings.catalog.parsers import optional_text
from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup, Variable


def _count(variable: Variable) -> int:
    if not variable.text.isascii() or not variable.text.isdigit() or int(variable.text) < 1:
        raise variable.refusal("be a whole number of 1 or more")
    return int(variable.text)


MAX_RECEIVES: Final = Setting("MAX_RECEIVES", "Number of attempts after which the function gives up a change.", _count)

STACK: Final = SettingGroup(
    Audience.AWS_OPERATOR,
    "The command line",
    (
        Setting(
            "STACK",
            "CloudFormation stack that `groundwire` works on, with your AWS credentials; the same as `--stack`.",
            optional_text,
        ),
    ),
)
CLIENT: Final = SettingGroup(
    Audience.ADMINISTRATOR,
    "The command line",
    (
        Setting(
            "URL",
            "Service that `groundwire` works on through the REST API; the same as `--url`.",
            optional_text,
            default_note="the home folder",
        ),
        Setting(
            "KEY",
            "Key for that service; the same as `--key`. Other users of the machine cannot see the variable.",
            optional_text,
        ),
    ),
)
FUNCTIONS: Final = SettingGroup(
    Audience.AWS_OPERATOR,
    "Variables of the functions",
    (
        Setting("KEYS_TABLE", "Table of tenants, collections and keys.", optional_text),
        Setting("USERS_TABLE", "Table of the tags of users.", optional_text),
        Setting("DOCUMENTS_TABLE", "Table of documents.", optional_text),
        Setting("SESSIONS_TABLE", "Table of MCP sessions.", optional_text),
        Setting("AUDIT_LOG_GROUP", "Log group of the audit log.", optional_text),
        Setting("BUCKET", "Bucket of originals.", optional_text),
        Setting("QUEUE", "Queue of the changes in the bucket.", optional_text),
        Setting(
            "SWEEP_QUEUE",
            "Queue of second deletions: each removes what running calls wrote while their tenant was deleted.",
            optional_text,
        ),
        MAX_RECEIVES,
        Setting("SECRET", "ARN of the secret of the deployment.", optional_text),
        Setting(
            "SECRET_VERSION",
            "Any text. No code reads it; a new value restarts the functions, which read the secret.",
            optional_text,
        ),
        Setting("INDEX_SECRET", "ARN of the secret with the login of your own cluster.", optional_text),
        Setting("PLANNER_SECRET", "ARN of the secret with the API key of the planning model.", optional_text),
        Setting("SOURCES_FUNCTION", "ARN of the function that calls MCP sources.", optional_text),
        Setting("PARSER_FUNCTION", "ARN of the function that parses documents.", optional_text),
        Setting(
            "PARSER_ISOLATION",
            "Separation of tenants in that function. `tenant`: Lambda gives each tenant environments of its own. "
            "`environment`: the function ends its process after each document.",
            optional_text,
        ),
    ),
)
"""Settings that template.yaml gives the deployed functions; the stores of one machine do not use them."""
