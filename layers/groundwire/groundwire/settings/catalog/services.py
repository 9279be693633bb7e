"""Settings of other services that one server uses: index, embedding, query planning."""

from typing import Final

from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup

INDEX: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Index on OpenSearch",
    (
        Setting(
            "INDEX",
            "none; the embedded index",
            "URL of an OpenSearch service for the indexes of all tenants: https, or http on this machine. It needs "
            "version 2.19 or newer with the k-NN plugin.",
        ),
        Setting(
            "INDEX_SERVICE",
            "`opensearch`",
            "Kind of the service: `opensearch` for a cluster, `serverless-classic` or `serverless-nextgen` for "
            "OpenSearch Serverless. The server finds the credentials for Serverless as AWS tools do. The data access "
            "policy must grant them these actions on `gw-*`: `aoss:CreateIndex`, `aoss:DescribeIndex`, "
            "`aoss:UpdateIndex`, `aoss:DeleteIndex`, `aoss:ReadDocument` and `aoss:WriteDocument`.",
        ),
        Setting(
            "INDEX_COLLECTION",
            "the URL names it",
            "Name of the serverless collection, if the URL is that of a whole account.",
        ),
        Setting("INDEX_USER", "", "User name at a cluster. It requires the password."),
        Setting("INDEX_PASSWORD", "", "Password at a cluster. It requires the user name."),
    ),
)
EMBEDDER: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Embedding service",
    (
        Setting(
            "EMBEDDER",
            "none; this process embeds",
            "Service that embeds: `lambda:` with the ARN of the alias of the embedding function, or `bedrock:` with a "
            "model. The models are `amazon.titan-embed-text-v2:0`, `cohere.embed-english-v3`, "
            "`cohere.embed-multilingual-v3` and `cohere.embed-v4:0`.",
        ),
        Setting(
            "EMBEDDER_MODEL",
            "the usual size of a Bedrock model",
            "Model of the service as `<name>/<dimension>`, such as `all-MiniLM-L6-v2-int8/384`. With `lambda:` you "
            "must set it. The server checks every answer of the service against it.",
        ),
        Setting(
            "EMBEDDER_IMAGE_MODEL",
            "",
            "Image model of the embedding function as `<name>/<dimension>`. It replaces `GROUNDWIRE_IMAGE_MODEL`.",
        ),
    ),
)
PLANNER: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Query planning by a model",
    (
        Setting(
            "PLANNER",
            "none; rules plan",
            "Model that plans the searches of a conversation: `openai:<model>`, `azure-openai:<deployment>` or "
            "`bedrock:<model or inference profile>`. `openai:` also works with compatible servers.",
        ),
        Setting(
            "PLANNER_URL",
            "`https://api.openai.com/v1`",
            "Base URL of the service: https, or http on this machine. With `azure-openai:` you must set it.",
        ),
        Setting(
            "PLANNER_KEY", "", "API key of the service. For Bedrock, the server finds the credentials as AWS tools do."
        ),
        Setting(
            "PLANNER_API_VERSION", "`2024-10-21`", "Version of the API of Azure OpenAI, also for models of definitions."
        ),
        Setting(
            "PLANNER_TIMEOUT_MS",
            "`3000`",
            "Timeout of a call of the model in milliseconds, 100 to 10000. After it, the rules plan.",
        ),
        Setting(
            "PLANNER_TOKENS", "`2000`", "Most tokens in the input of a call, by estimate. The last messages are kept."
        ),
        Setting(
            "PLANNER_TOKENS_PER_MINUTE",
            "`100000`",
            "Most tokens of a tenant in a minute, input and output. Beyond it, the rules plan. Each process counts for "
            "itself.",
        ),
        Setting(
            "PLANNER_TOKENS_PER_DAY", "`2000000`", "Most tokens of a tenant in a day. Each process counts for itself."
        ),
        Setting(
            "MODEL_HOSTS",
            "",
            "Hosts, or `host:port`, of models that definitions may name, separated by spaces. The server calls no "
            "others.",
        ),
    ),
)
