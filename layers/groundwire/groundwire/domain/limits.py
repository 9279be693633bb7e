"""Every number that a user can hit, once, with its reason."""

from typing import Final

MAX_BODY_BYTES: Final = 1_048_576
"""A request body; a `rag_search` call is a few kB, so more is a mistake or an attack."""
MAX_JSON_DEPTH: Final = 32
MAX_JSON_NODES: Final = 10_000
MAX_BATCH_MESSAGES: Final = 20
"""JSON-RPC messages in one body, of which at most one may call a tool or read documents: a batch must not multiply a
key's rate."""

LIST_PAGE_ITEMS: Final = 100
"""Tools, prompts or templates on one page of a list; a model reads none of more."""
MAX_COMPLETIONS: Final = 100
"""Values proposed for one argument: what the protocol allows."""
MAX_RESOURCE_URI_CHARACTERS: Final = 2_048
REQUEST_STATE_SECONDS: Final = 600
"""How long a call that asked back can be taken up again: a person reads a question, thinks and types."""
MAX_SESSION_ID_CHARACTERS: Final = 256
"""Of the header; ours have 43. A longer one is unknown without being looked up."""
MAX_CLIENT_NAME_CHARACTERS: Final = 200
"""Of the name and the version that a client gives itself, which are kept with its session."""

MAX_PHRASES: Final = 5
MAX_PHRASE_CHARACTERS: Final = 2_000
"""The embedder reads about 1,000 characters; longer phrases are a pasted document, not a question."""
MAX_PHRASE_WORDS: Final = 128
"""Words of a phrase, counted between spaces: each is a term in the field of every language, and an engine takes 1,024
terms."""
DEFAULT_TOP_N: Final = 8
MAX_TOP_N: Final = 20
MAX_EXPAND_TOKENS: Final = 2_000
"""Around each passage: twenty of them are then about 45,000 tokens, as much as a model reads with care."""
CHARACTERS_PER_TOKEN: Final = 4
"""Of English prose, for any tokenizer that models use: a budget, no exact count."""
CANDIDATES_PER_SIGNAL: Final = 50
"""Depth of the BM25 and of the vector list per phrase: since every candidate gets both scores, twice as deep gains
.001 nDCG@10 on SciFact's development questions (.735 against .734) and doubles the time of fusion."""
SEARCH_SECONDS: Final = 24
"""A search that would take longer ends as an error that is worth a repeat: the gateway itself gives up after 30."""
MAX_REGISTRY_READS: Final = 100
"""Hits checked against the registry per search: one batched read of DynamoDB."""
RESOURCE_PAGE_ITEMS: Final = 50
"""Resources on a page of a list; clients that want all of them ask on."""
MAX_RECORDS_SCANNED: Final = 500
"""Documents looked at for a page of a list or for a completion, however few of them the caller may read."""
TEXT_PAGE_SEGMENTS: Final = 20
"""Passages on a page of a document's text: 5,000 to 7,000 tokens."""
NEIGHBOUR_TOKENS: Final = 700
"""Around a passage that is read on its own: one before it and one after, where both are long."""

MAX_EMBEDDING_TEXTS: Final = 128
"""In one call of the embedding function: long ones take about 6 s of one processor, and the function has 60 s."""
MAX_EMBEDDING_CHARACTERS: Final = 500_000
"""Of the texts of one call together: 3 MB as JSON in the worst case, of the 6 MB that Lambda takes."""
MAX_EMBEDDING_RESPONSE_BYTES: Final = 6_000_000
"""Of the vectors of one call as base64; Lambda carries answers of 6,291,456 bytes."""

MAX_TAGS_PER_CALL: Final = 64
MAX_TAGS_PER_POLICY: Final = 32
MAX_USERS_PER_POLICY: Final = 1_000
MAX_TAG_CHARACTERS: Final = 256
MAX_USER_CHARACTERS: Final = 256
MAX_TAGS_HEADER_BYTES: Final = 6_144
MAX_TOKEN_CHARACTERS: Final = 8_192
"""API Gateway allows 10,240 bytes for the request line and all headers together."""

MAX_METADATA_FIELDS: Final = 32
MAX_METADATA_FIELD_CHARACTERS: Final = 64
MAX_METADATA_VALUE_CHARACTERS: Final = 1_000
MAX_METADATA_LIST_ITEMS: Final = 64
MAX_FILTER_CHARACTERS: Final = 4_000
MAX_FILTER_DEPTH: Final = 16
MAX_FILTER_VALUES: Final = 200
"""Values in one filter: each is compared with every distinct metadata of the tenant."""

MAX_SOURCE_URL_CHARACTERS: Final = 2_048
"""Characters of a document's own address in an answer; browsers take little more."""
MAX_POLICY_FILE_BYTES: Final = 512_000
"""A thousand users of 256 characters, with room for comments."""
MAX_METADATA_FILE_BYTES: Final = 1_000_000
MAX_SIDECAR_YAML_EVENTS: Final = 5_000
"""YAML events of one policy or metadata file; the largest that can be kept has about 2,200."""

MAX_DOCUMENT_BYTES: Final = 100 * 1024 * 1024
OCR_MAX_PAGES: Final = 50
"""Pages of one document that are recognised: at some seconds each, what a person waits for."""
MAX_ATTACHMENTS: Final = 100
"""Files of one mail that become documents; together they are no larger than a document may be."""
MAX_NAME_CHARACTERS: Final = 255
MAX_NESTED_MAILS: Final = 5
"""Mails within mails whose attachments are read: nobody forwards deeper, and each level is read anew."""
SEGMENT_TARGET_CHARACTERS: Final = 1_100
SEGMENT_MAX_CHARACTERS: Final = 1_400
"""About 350 tokens: one thought with its context, short enough for eight in an answer."""
HEADLINE_MAX_WORDS: Final = 10
SUMMARY_MAX_CHARACTERS: Final = 300
MAX_KEYWORDS: Final = 5
MAX_CONTEXT_CHARACTERS: Final = 400
MAX_QUESTIONS: Final = 5
MAX_QUESTION_CHARACTERS: Final = 200
"""What an enricher adds stays smaller than the passage itself."""

DEFAULT_KEY_DAYS: Final = 90
MAX_KEY_DAYS: Final = 3_650
"""Ten years; a key for longer is one that never expires, which has a word of its own."""
ROTATION_OVERLAP_HOURS: Final = 24
MAX_ROTATION_OVERLAP_HOURS: Final = 168
DEFAULT_RATE_PER_MINUTE: Final = 600
DEFAULT_BURST: Final = 60
MAX_RATE_PER_MINUTE: Final = 600_000
"""Ten thousand calls a second with one key: more than the service answers."""
MAX_BURST: Final = 100_000
DEFAULT_TENANT_RATE_PER_MINUTE: Final = 6_000
DEFAULT_TENANT_BURST: Final = 600
LINK_SECONDS: Final = 86_400
"""A source link works this long: the citations of a day's chat open. Each opening checks the key and the rights."""
TOKEN_LINK_SECONDS: Final = 900
"""Upper bound of a link for a caller with an access token: no opening can ask the identity provider again."""
MAX_LINK_SECONDS: Final = 604_800
ORIGINAL_URL_SECONDS: Final = 60
"""The address in the store to which an opened link leads: nobody can take it back, so it is good for the way alone."""
UPLOAD_SECONDS: Final = 300
"""How long a file may be brought in with a ticket: the bytes follow at once."""
MAX_UPLOAD_FORM_FIELD_BYTES: Final = 65_536
"""Bytes of an upload form beside its file; the fields of a ticket take about 1 kB."""
MAX_UPLOAD_FORM_FIELDS: Final = 20
MAX_CONCURRENT_UPLOAD_FORMS: Final = 32
"""Upload forms that one server reads at a time, of which one tenant has at most half."""
UPLOAD_FORM_HEADER_SECONDS: Final = 30
"""Everything before the file of an upload form, however many pieces it comes in."""
UPLOAD_WINDOW_SECONDS: Final = 30
MIN_UPLOAD_BYTES_PER_SECOND: Final = 32_768
"""Bytes per second, averaged over each window of a file that comes in: the largest file then takes 53 minutes at most,
less than its ticket's `TICKET_SECONDS`."""
DEFAULT_DOCUMENTS_PAGE: Final = 100
MAX_DOCUMENTS_PAGE: Final = 200
"""Records of documents on a page of the REST API: about 2 kB each."""
