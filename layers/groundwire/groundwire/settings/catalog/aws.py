"""Settings of an operator in AWS, and of an administrator who works on a service."""

from typing import Final

from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup

STACK: Final = SettingGroup(
    Audience.AWS_OPERATOR,
    "The command line",
    (
        Setting(
            "STACK",
            "",
            "CloudFormation stack that `groundwire` works on, with your AWS credentials; the same as `--stack`.",
        ),
    ),
)
CLIENT: Final = SettingGroup(
    Audience.ADMINISTRATOR,
    "The command line",
    (
        Setting(
            "URL",
            "the home folder",
            "Service that `groundwire` works on through the REST API; the same as `--url`.",
        ),
        Setting(
            "KEY",
            "",
            "Key for that service; the same as `--key`. Other users of the machine cannot see the variable.",
        ),
    ),
)
FUNCTIONS: Final = SettingGroup(
    Audience.AWS_OPERATOR,
    "Variables of the functions",
    (
        Setting("KEYS_TABLE", "", "Table of tenants, collections and keys."),
        Setting("USERS_TABLE", "", "Table of the tags of users."),
        Setting("DOCUMENTS_TABLE", "", "Table of documents."),
        Setting("SESSIONS_TABLE", "", "Table of MCP sessions."),
        Setting("AUDIT_LOG_GROUP", "", "Log group of the audit log."),
        Setting("BUCKET", "", "Bucket of originals."),
        Setting("QUEUE", "", "Queue of the changes in the bucket."),
        Setting(
            "SWEEP_QUEUE",
            "",
            "Queue of second deletions: each removes what running calls wrote while their tenant was deleted.",
        ),
        Setting("MAX_RECEIVES", "", "Number of attempts after which the function gives up a change."),
        Setting("SECRET", "", "ARN of the secret of the deployment."),
        Setting(
            "SECRET_VERSION",
            "",
            "Any text. No code reads it; a new value restarts the functions, which read the secret.",
        ),
        Setting("INDEX_SECRET", "", "ARN of the secret with the login of your own cluster."),
        Setting("PLANNER_SECRET", "", "ARN of the secret with the API key of the planning model."),
        Setting("SOURCES_FUNCTION", "", "ARN of the function that calls MCP sources."),
        Setting("PARSER_FUNCTION", "", "ARN of the function that parses documents."),
        Setting(
            "PARSER_ISOLATION",
            "",
            "Separation of tenants in that function. `tenant`: Lambda gives each tenant environments of its own. "
            "`environment`: the function ends its process after each document.",
        ),
    ),
)
"""Settings that template.yaml gives the deployed functions; the stores of one machine do not use them."""
