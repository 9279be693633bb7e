"""Limits and default values of the service that a user can meet, each with its reason."""

from typing import Final

MAX_PHRASES: Final = 5
MAX_SPLIT_QUESTIONS: Final = 3
"""Questions of a first phrase that are searched one by one where the key asks for it."""
MAX_PHRASE_CHARACTERS: Final = 2_000
"""Length of a phrase. The embedder reads about 1,000 characters; a longer phrase is a pasted document, not a question.
"""
MAX_PHRASE_WORDS: Final = 128
"""Words of a phrase, counted between spaces: each is a term in the field of every language, and an engine takes 1,024
terms."""
MAX_PAGE_SESSIONS: Final = 20
"""Sign-ins of a key to the page at a time; a further one ends the one that would end first."""
MAX_KEY_SESSIONS: Final = 1_000
"""MCP sessions of a key; a further one ends one that is idle."""
DEFAULT_TOP_N: Final = 8
MAX_TOP_N: Final = 20
MAX_TOP_N_PER_COLLECTION: Final = 50
"""Passages of one collection where an interface lists each collection for itself."""
MAX_COLLECTIONS_PER_CALL: Final = 10
"""Collections that such a call names: each is a search of its own."""
MAX_PASSAGES_PER_CALL: Final = 200
"""Passages of all lists of such a call together."""
MAX_PICTURES_PER_CALL: Final = 3
"""Pictures in the answer of one call; more fill a model's context with little gain."""
MAX_PICTURE_BYTES_PER_CALL: Final = 2_000_000
"""Size of these pictures together, before base64 adds a third: Lambda allows responses of 6,291,456 bytes."""
MAX_EXPAND_TOKENS: Final = 2_000
"""Tokens around each passage; `max_tokens` bounds the whole answer."""
MIN_ANSWER_TOKENS: Final = 500
DEFAULT_ANSWER_TOKENS: Final = 8_000
"""Tokens of an answer for a model: eight passages with room around them, a fraction of any context in use."""
MAX_ANSWER_TOKENS: Final = 20_000
MAX_ALSO_IN: Final = 5
"""Files named beside a passage because they hold nearly the same: enough to say that it is no single copy."""
CHARACTERS_PER_TOKEN: Final = 4
"""Characters per token of English prose, for any tokenizer that models use: a budget, no exact count."""
CANDIDATES_PER_SIGNAL: Final = 50
"""Depth of the BM25 and of the vector list per phrase. All candidates get both scores, so doubling it gains .001
nDCG@10 on SciFact's development questions (.735 against .734) and doubles the time of fusion.
"""
SEARCH_SECONDS: Final = 24
"""Timeout of a search, which then ends as an error that is worth a repeat: the gateway gives up after 30 seconds."""
MAX_REGISTRY_READS: Final = 100
"""Hits checked against the registry per search: one batched read of DynamoDB."""
MAX_FILTERED_READS: Final = 500
"""Hits checked, in batches of `MAX_REGISTRY_READS`, where the index cannot decide a filter that few of them pass."""
MAX_LISTED_PASSAGES: Final = 1_000
"""Passages found without a phrase that are listed, checked and counted one by one; of more, the index counts."""
RESOURCE_PAGE_ITEMS: Final = 50
"""Resources on a page of a list; clients request further pages."""
MAX_RECORDS_SCANNED: Final = 500
"""Documents examined for a page of a list or for a completion, however few of them the caller may read."""
FILE_PAGE_SECONDS: Final = 10
"""Time to fill a page of one collection's documents. Only after that a page is short, as a short page discloses that
there are closed documents; 10 seconds are enough for some 100,000 of them.
"""
PAGE_TOKEN_SECONDS: Final = 3_600
"""Time in which a page token of a dialect leads on: a program reads a list at once."""
TEXT_PAGE_SEGMENTS: Final = 20
"""Passages on a page of a document's text: 5,000 to 7,000 tokens."""
NEIGHBOUR_TOKENS: Final = 700
"""Tokens around a single passage: one passage before it and one after, where both are long."""

MAX_EMBEDDING_TEXTS: Final = 128
"""Texts in one call of the embedding function: long ones take about 6 s of one processor, and the function has 60 s."""
MAX_EMBEDDING_CHARACTERS: Final = 500_000
"""Characters of all texts of one call: 3 MB as JSON in the worst case, of the 6 MB that Lambda accepts."""
MAX_EMBEDDING_THUMBNAILS: Final = 16
"""Thumbnails in one call of the embedding function: 3.2 MB in base64, of the 6 MB that Lambda accepts."""
MAX_EMBEDDING_RESPONSE_BYTES: Final = 6_000_000
"""Size of the vectors of one call in base64; Lambda allows responses of 6,291,456 bytes."""

MAX_TAGS_PER_CALL: Final = 64
MAX_TAGS_PER_POLICY: Final = 32
MAX_USERS_PER_POLICY: Final = 1_000
MAX_TAG_CHARACTERS: Final = 256
MAX_USER_CHARACTERS: Final = 256
MAX_USERS_AT_ONCE: Final = 50
"""User ids in one block or offboarding: one person has a few."""
MAX_CALLS_READ: Final = 20_000
"""Lines of the audit log that show when calls last used a tag: about 10 MB."""
DEFAULT_AUDIT_PAGE: Final = 100
MAX_AUDIT_PAGE: Final = 1_000
"""Lines of the audit log on a page of the REST API: about 500 bytes each."""
MAX_AUDIT_PAGE_BYTES: Final = 1_500_000
"""Size of these lines together, but for a single longer one. In Lambda's answer, which has at most 6,291,456 bytes, the
quotes of CSV take four times as much.
"""
MAX_AUDIT_LINES_INDEXED: Final = 10_000
"""Lines of the audit log that one call adds to its index: about 5 MB."""
MAX_AUDIT_STEPS: Final = 20_000
"""Look-ups in the index of the audit log and lines of it that one page takes."""
MAX_AUDIT_LINES_VERIFIED: Final = 20_000
"""Lines of the audit log whose chain one call verifies: about 10 MB."""
AUDIT_QUERY_SECONDS: Final = 20
"""Seconds that one page of the audit log takes in a stack: API Gateway ends a call after 30."""
RECENT_CALLS_SECONDS: Final = 30 * 86_400
"""Age of the oldest line that shows when calls last used a tag, in a stack, where older ones would cost more."""
MAX_TAGS_PER_CHECK: Final = 1_000
"""Tags of all policy files of a run, which its command checks at once."""
MAX_GROUPS: Final = 1_000
"""Groups of an identity provider in a tenant's mapping: one row, which each call with a token reads."""
MAX_GROUP_CHARACTERS: Final = 256
MAX_TAGS_PER_GROUP: Final = 16
MAX_GROUP_MAPPING_BYTES: Final = 200_000
"""Size of the texts of a tenant's mapping; an item of DynamoDB has at most 400 kB."""
MAX_TAGS_HEADER_BYTES: Final = 6_144
MAX_TOKEN_CHARACTERS: Final = 8_192
"""Length of an access token. API Gateway allows 10,240 bytes for the request line and all headers."""

MAX_METADATA_FIELD_CHARACTERS: Final = 64
MAX_FILTER_CHARACTERS: Final = 4_000
MAX_FILTER_DEPTH: Final = 16
MAX_FILTER_VALUES: Final = 200
"""Values in one filter: each is compared with all distinct metadata of the tenant."""

MAX_FILTER_LEVELS: Final = 64
MAX_FILTER_NODES: Final = 2_000
"""Levels and nodes of a filter of any language, its values included."""

MAX_SOURCE_URL_CHARACTERS: Final = 2_048
"""Length of a document's own URL in an answer; browsers accept little more."""
MAX_POLICY_FILE_BYTES: Final = 512_000
"""Size of a policy file: a thousand users of 256 characters, with room for comments."""
MAX_METADATA_FILE_BYTES: Final = 1_000_000
MAX_SIDECAR_YAML_EVENTS: Final = 5_000
"""YAML events of one policy or metadata file; the largest valid file has about 2,200."""

MAX_NAME_CHARACTERS: Final = 255
MAX_NESTED_MAILS: Final = 5
"""Mails within mails whose attachments are read: deeper ones are rare, and each level is parsed again."""
SEGMENT_TARGET_CHARACTERS: Final = 1_100
SEGMENT_MAX_CHARACTERS: Final = 1_400
"""Length of a segment, about 350 tokens: one thought with its context, short enough for eight in an answer."""
HEADLINE_MAX_WORDS: Final = 10
SUMMARY_MAX_CHARACTERS: Final = 300
MAX_KEYWORDS: Final = 5
MAX_CONTEXT_CHARACTERS: Final = 400
MAX_QUESTIONS: Final = 5
MAX_QUESTION_CHARACTERS: Final = 200
"""Length of an enricher's question; an enricher's output stays smaller than the passage itself."""

DEFAULT_KEY_DAYS: Final = 90
MAX_KEY_DAYS: Final = 3_650
"""Ten years; a key for longer is one that never expires, which has an option of its own."""
HOSTED_AGENT_KEY_DAYS: Final = 365
"""Default lifetime of a key for an agent platform, whose settings keep it."""
KEY_EXPIRY_WARNING_DAYS: Final = 30
MAX_POLICY_TAG_DOCUMENTS: Final = 10_000
MAX_POLICY_TAGS: Final = 1_000
ROTATION_OVERLAP_HOURS: Final = 24
MAX_ROTATION_OVERLAP_HOURS: Final = 168
DEFAULT_RATE_PER_MINUTE: Final = 600
DEFAULT_BURST: Final = 60
HOSTED_AGENT_RATE_PER_MINUTE: Final = 3_000
"""Half of a tenant's rate: the key carries the calls of a whole platform, where each click on a source is one."""
HOSTED_AGENT_BURST: Final = 300
MAX_RATE_PER_MINUTE: Final = 600_000
"""Ten thousand calls a second with one key: more than the service can process."""
MAX_BURST: Final = 100_000
DISCOVERY_RATE_PER_MINUTE: Final = 60
DISCOVERY_BURST: Final = 30
"""Calls of open discovery from one address; a client that connects sends three."""
MAX_DISCOVERY_ADDRESSES: Final = 10_000
"""Addresses whose calls one process counts; beyond them the one that called least recently is forgotten."""
DEFAULT_TENANT_RATE_PER_MINUTE: Final = 6_000
DEFAULT_TENANT_BURST: Final = 600
MAX_TENANT_RATE_PER_MINUTE: Final = 6_000_000
MAX_TENANT_BURST: Final = 1_000_000
"""Ten times the limits of one key: a tenant has several."""
LINK_SECONDS: Final = 86_400
"""Lifetime of a source link: the citations of a day's chat open. Each opening checks the key and the rights."""
LINK_STEP_SECONDS: Final = 3_600
"""Step to which the expiry of a link is rounded up: within it equal links are one text, so prompts can be cached."""
TOKEN_LINK_SECONDS: Final = 900
"""Upper bound of a link for a caller with an access token: no opening can ask the identity provider again."""
MAX_LINK_SECONDS: Final = 604_800
ORIGINAL_URL_SECONDS: Final = 60
"""Lifetime of the store's URL to which an opened link redirects: it cannot be revoked, so it lasts for one download."""
UPLOAD_SECONDS: Final = 300
"""Time in which the upload with a ticket must start: clients send the bytes at once."""
MAX_UPLOAD_FORM_FIELD_BYTES: Final = 65_536
"""Bytes of an upload form besides its file; the fields of a ticket take about 1 kB."""
MAX_UPLOAD_FORM_FIELDS: Final = 20
MAX_CONCURRENT_UPLOAD_FORMS: Final = 32
"""Upload forms that one server reads at a time, of which one tenant has at most half."""
UPLOAD_FORM_HEADER_SECONDS: Final = 30
"""Time for all parts of an upload form before its file, in however many chunks they are sent."""
UPLOAD_WINDOW_SECONDS: Final = 30
MIN_UPLOAD_BYTES_PER_SECOND: Final = 32_768
"""Bytes per second, averaged over each window of an upload: the largest file then takes 53 minutes at most, less than
its ticket's `TICKET_SECONDS`.
"""
MAX_DESCRIPTION_CHARACTERS: Final = 300
"""Length of a collection's description: two sentences, as the tool's text holds several of them."""
MAX_LISTED_DESCRIPTIONS: Final = 10
"""Descriptions in a tool's text; `list_collections` returns all of them."""
COLLECTION_SAMPLE_DOCUMENTS: Final = 5
MAX_COLLECTION_SAMPLES: Final = 3
"""Samples of a collection that decide whether a caller can read in it, while the index is behind the registry."""
DEFAULT_DOCUMENTS_PAGE: Final = 100
MAX_DOCUMENTS_PAGE: Final = 200
"""Records of documents on a page of the REST API: about 2 kB each."""
DEFAULT_ROWS_PAGE: Final = 500
MAX_ROWS_PAGE: Final = 1_000
"""Users or keys on a page of the REST API."""


MAX_REGISTERED_TOOLS: Final = 50
"""Tools that a tenant can register: a model chooses among them all, and they are stored as one definition."""
MAX_REGISTERED_NAME_CHARACTERS: Final = 128
MAX_ENGINE_ANSWER_BYTES: Final = 5_000_000
"""Size of an answer of the OpenSearch dialect, which is never cut; Lambda allows responses of 6,291,456 bytes."""

MAX_DEFINITIONS: Final = 200
"""Definitions of one kind that a tenant can have: a list returns them all."""
MAX_DEFINITION_NAME_CHARACTERS: Final = 128
MAX_DEFINITION_BYTES: Final = 65_536
"""Size of a definition as stored JSON text: settings and instructions, no documents."""

MAX_INGESTION_RUNS: Final = 100
"""Recorded runs of `groundwire ingest` of a tenant; each new one deletes the oldest beyond them."""
MAX_EVALUATIONS: Final = 50
"""Stored evaluations of a tenant; each new one deletes the oldest beyond them."""
MAX_PLANNED_UPLOADS: Final = 100
"""Files in one plan of uploads: a policy has up to a thousand users, and a call a megabyte."""
MAX_EVALUATED_QUESTIONS: Final = 50
"""Questions of an evaluation over REST, each of which is two searches: a call must end within seconds."""
MAX_EVALUATION_QUESTIONS: Final = 1_000
"""Questions of a stored evaluation, about 1 kB each: an answer has them all, a comparison draws 5,000 signs of each."""

MAX_SOURCES: Final = 50
"""MCP sources of a tenant; a list of tools looks at them all."""
MAX_SOURCE_NAME_CHARACTERS: Final = 256
MAX_SOURCE_DESCRIPTION_CHARACTERS: Final = 1_000
MAX_SOURCE_SCHEMA_BYTES: Final = 16_384
MAX_SOURCE_ANSWER_CHARACTERS: Final = 60_000
"""Characters of a source's answer that an agent gets: 15,000 tokens."""
SOURCE_VALIDATION_SECONDS: Final = 15
SOURCE_JOIN_SECONDS: Final = 6
"""Time in which a source's search must answer to join an answer over a collection."""
SOURCE_CALLS_PER_MINUTE: Final = 120
SOURCE_BURST: Final = 30
SOURCE_FAILURES: Final = 5
"""Calls in a row without an answer after which a source is not called for `SOURCE_PAUSE_SECONDS`."""
SOURCE_PAUSE_SECONDS: Final = 30
SOURCE_LISTING_SECONDS: Final = 300
"""Age of the last listing of a source's tools at which they are listed again before a call."""
MAX_JOINED_SOURCES: Final = 4
"""Sources that join one answer, the oldest first: each is a call out of the server."""
MAX_JOINED_CANDIDATES: Final = 12
"""Passages of one source that are scored for an answer, in the server's order."""
MAX_JOINED_CALLS: Final = 8
"""Calls of sources for answers that a tenant has at a time in one process."""
MAX_JOINED_SHARE: Final = 3
"""An answer's passages by which a source's passages are at most one: a third."""
