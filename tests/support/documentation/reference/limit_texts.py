"""Texts about limits: what each number limits, and what happens beyond it. The numbers themselves are in the code."""

from typing import Final, NamedTuple


class LimitText(NamedTuple):
    """A limit in words."""

    name: str
    meaning: str
    beyond: str


class LimitGroup(NamedTuple):
    """Limits of one subject, with a paragraph about them."""

    title: str
    note: str
    limits: tuple[LimitText, ...]


def _group(title: str, lines: str, note: str = "") -> LimitGroup:
    """Return a group from lines of the form `NAME | what it limits | what happens beyond it`."""
    texts = (LimitText(*(part.strip() for part in line.split("|"))) for line in lines.strip().splitlines())
    return LimitGroup(title, note.strip(), tuple(texts))


DOMAIN_GROUPS: Final = (
    _group(
        "Requests",
        """
MAX_BODY_BYTES | bytes of a request body | status 413; on Vertex AI routes 400
MAX_JSON_DEPTH | levels of JSON | error -32700
MAX_JSON_NODES | values in JSON | error -32700
MAX_BATCH_MESSAGES | messages of a batch | error -32600
LIST_PAGE_ITEMS | tools, prompts or templates on a page | `nextCursor` gives the next page
MAX_RESOURCE_URI_CHARACTERS | characters of a resource URI | error -32602
REQUEST_STATE_SECONDS | seconds for the answer to a question of a tool | error -32602; call again from the start
MAX_SESSION_ID_CHARACTERS | characters of a session id | status 404
MAX_CLIENT_NAME_CHARACTERS | characters of the name and version of a client | the rest is not stored
""",
        "A batch has at most one call of a tool, prompt, resource or completion.",
    ),
    _group(
        "Search and answers",
        """
MAX_PHRASES | phrases of a search | tool error
MAX_SPLIT_QUESTIONS | questions of a compound phrase that are searched separately | the others count in the whole phrase
MAX_PAGE_SESSIONS | sign-ins of a key to the page | the one that would end first ends
MAX_KEY_SESSIONS | MCP sessions of a key | the longest idle one ends, in a stack an old one without use: status 404
MAX_PHRASE_CHARACTERS | characters of a phrase that are searched | the rest is not searched
MAX_PHRASE_WORDS | words of a phrase that are searched | the rest is not searched
DEFAULT_TOP_N | passages of an answer by default | `key create --top-n` sets another number
MAX_TOP_N | passages of an answer | `key create` refuses the number
MAX_TOP_N_PER_COLLECTION | passages of one collection, on the route of Foundry Local | error -32602
MAX_COLLECTIONS_PER_CALL | collections of a call, on the route of Foundry Local | error -32602
MAX_PASSAGES_PER_CALL | passages of all lists of a call, on the route of Foundry Local | the lists are filled in turn
MAX_PICTURES_PER_CALL | pictures of an answer | the other images have no picture
MAX_PICTURE_BYTES_PER_CALL | bytes of all pictures of an answer, before base64 | a notice names those that are left out
MAX_EXPAND_TOKENS | tokens of surrounding text of a passage | `key create --expand` refuses the number
MIN_ANSWER_TOKENS | smallest value of `max_tokens` | tool error; `key create` refuses the number
DEFAULT_ANSWER_TOKENS | tokens of an answer by default | `key create --max-tokens` sets another number
MAX_ANSWER_TOKENS | largest value of `max_tokens` | tool error; `key create` refuses the number
MAX_ALSO_IN | other files named beside a passage that they also hold | the rest is not named
CHARACTERS_PER_TOKEN | characters per token, around passages and in answers of sources | no effect: it is an estimate
CANDIDATES_PER_SIGNAL | candidates of a phrase by keyword search, and by semantic search | no effect for callers
SEARCH_SECONDS | seconds of a search | error -32000; try again
MAX_REGISTRY_READS | hits of a search that are checked in the registry at once | no effect for callers
MAX_FILTERED_READS | hits that are checked against a filter that the index cannot apply | the answer is shorter
MAX_LISTED_PASSAGES | passages of a search without a phrase that are checked one by one | the index counts the rest
""",
        """
The server cuts a phrase after a word. In a script without spaces it cuts between two characters, and only the number of
characters counts. `--explain` names the phrases that it cut. The default embedding model reads 256 tokens of a passage
or phrase. Keyword search and the vectors of the windows cover the rest of a long passage.
""",
    ),
    _group(
        "Lists and pages",
        """
RESOURCE_PAGE_ITEMS | resources on a page of a list | a cursor gives the next page
MAX_RECORDS_SCANNED | documents that are checked for a page or a completion | the page is shorter and has a cursor
MAX_DESCRIPTION_CHARACTERS | characters of the description of a collection | the command refuses the text
MAX_LISTED_DESCRIPTIONS | descriptions in the text of `rag_search` | `list_collections` returns all
COLLECTION_SAMPLE_DOCUMENTS | documents that are checked to show a collection to a caller | no effect for callers
MAX_COLLECTION_SAMPLES | such checks while index and registry differ | the collection appears later
MAX_COMPLETIONS | proposals of a completion | type more letters
FILE_PAGE_SECONDS | seconds to fill a page of `ragFiles` of Vertex AI | the page is shorter and has a token
PAGE_TOKEN_SECONDS | seconds that a page token is valid | `INVALID_ARGUMENT`; list again
TEXT_PAGE_SEGMENTS | passages on a page of the text of a document | the page names the next one
NEIGHBOUR_TOKENS | tokens around a passage that is read as a resource | the pages of the document hold the rest
DEFAULT_DOCUMENTS_PAGE | documents on a page of `GET /v1/documents` by default | `limit` sets another number
MAX_DOCUMENTS_PAGE | largest value of `limit` there | status 400
DEFAULT_ROWS_PAGE | users, blocked users or keys on a page by default | `limit` sets another one
MAX_ROWS_PAGE | largest value of `limit` there | status 400
""",
    ),
    _group(
        "Embedding calls",
        """
MAX_EMBEDDING_TEXTS | texts in a call of the embedding function | the call fails; callers split
MAX_EMBEDDING_CHARACTERS | characters of these texts together | the call fails; callers split
MAX_EMBEDDING_THUMBNAILS | thumbnails in a call of the embedding function | the call fails; callers split
MAX_EMBEDDING_RESPONSE_BYTES | bytes of the vectors of a call in base64 | the call fails; callers split
""",
    ),
    _group(
        "Access",
        """
MAX_TAGS_PER_CALL | tags of a call | status 400
MAX_TAGS_PER_CHECK | tags in one check of new tags | status 400
DEFAULT_AUDIT_PAGE | lines on a page of `GET /v1/audit` by default | `limit` sets another number
MAX_AUDIT_PAGE | lines on a page of `GET /v1/audit` | status 400
MAX_AUDIT_PAGE_BYTES | bytes of these lines | the page has a `next`
MAX_AUDIT_LINES_INDEXED | lines of the audit log that one request adds to its index | the next request continues
MAX_AUDIT_STEPS | look-ups in the index of the audit log for one page | the page has a `next`
MAX_AUDIT_LINES_VERIFIED | lines of the audit log that one request verifies | the answer has a `next`
AUDIT_QUERY_SECONDS | seconds for a page of the audit log in a stack | the page is short and has a `next`
RECENT_CALLS_SECONDS | seconds since the first line that shows the last call with a tag, in a stack | it may be empty
MAX_CALLS_READ | lines of the audit log that show the last call with a tag | earlier calls do not count
MAX_GROUPS | groups in the mapping of a tenant | status 400
MAX_GROUP_CHARACTERS | characters of a group | status 400
MAX_TAGS_PER_GROUP | tags of a group | status 400
MAX_GROUP_MAPPING_BYTES | bytes of all groups and tags of a mapping | status 400
MAX_TAGS_PER_POLICY | tags of a policy | ingestion refuses the policy
MAX_USERS_PER_POLICY | users of a policy; a tag can replace them | ingestion refuses the policy
MAX_TAG_CHARACTERS | characters of a tag | status 400
MAX_USER_CHARACTERS | characters of a user id | status 400
MAX_USERS_AT_ONCE | user ids in one block or offboarding | status 400
MAX_TAGS_HEADER_BYTES | bytes of the header of tags | status 400
MAX_TOKEN_CHARACTERS | characters of an access token | status 401
MAX_POLICY_FILE_BYTES | bytes of a `.policy.yaml` file | ingestion refuses the file
MAX_SIDECAR_YAML_EVENTS | values and lists in a policy or metadata file | ingestion refuses the file
MAX_POLICY_TAG_DOCUMENTS | documents that are read for the tags that `key create --for` proposes | the proposal names it
MAX_POLICY_TAGS | tags of that proposal | the proposal names it
""",
    ),
    _group(
        "Metadata and filters",
        """
MAX_METADATA_FIELDS | metadata fields of a document | ingestion refuses them; fields from inside a file are left out
MAX_METADATA_FIELD_CHARACTERS | characters of the name of a field | as above
MAX_METADATA_VALUE_CHARACTERS | characters of a text value | as above
MAX_METADATA_LIST_ITEMS | values of one field | as above
MAX_METADATA_FILE_BYTES | bytes of a metadata file | ingestion refuses the file
MAX_SOURCE_URL_CHARACTERS | characters of the URL of a document | ingestion refuses the URL
MAX_FILTER_CHARACTERS | characters of a filter | the call gets an error
MAX_FILTER_DEPTH | levels of parentheses and `not` in a filter | the call gets an error
MAX_FILTER_VALUES | values in a filter | the call gets an error
MAX_FILTER_LEVELS | levels of the tree of a filter, in any language | the call gets an error
MAX_FILTER_NODES | conditions and values of that tree | the call gets an error
""",
    ),
    _group(
        "Documents",
        """
MAX_DOCUMENT_BYTES | bytes of a file | the file is refused
OCR_MAX_PAGES | scanned pages of a document that are recognised | `pages_without_text` counts the rest
MAX_NESTED_MAILS | levels of mails in mails whose attachments are read | the attachment is refused
MAX_ATTACHMENTS | attachments of a mail | the mail names those that are left out
MAX_ATTACHMENT_NAME_CHARACTERS | characters of the name of an attachment | the name is cut
SEGMENT_TARGET_CHARACTERS | usual characters of a passage | no effect for callers
SEGMENT_MAX_CHARACTERS | most characters of a passage | the text goes into another passage
HEADLINE_MAX_WORDS | words of a headline | it is cut
SUMMARY_MAX_CHARACTERS | characters of a summary | it is cut
MAX_KEYWORDS | keywords of a passage | the others are left out
MAX_CONTEXT_CHARACTERS | characters of the context that an enricher adds to a passage | it is cut
MAX_QUESTIONS | questions that an enricher adds to a passage | the others are left out
MAX_QUESTION_CHARACTERS | characters of such a question | it is cut
""",
        "Ids of documents and collections have up to 120 letters, digits, `.`, `_` and `-`.",
    ),
    _group(
        "Images",
        """
MAX_IMAGES | images of a document that are kept | ingestion names the number of the others
MAX_IMAGE_PIXELS | pixels of an image, as its header states them | it is left out and counted
MAX_DOCUMENT_IMAGE_PIXELS | decoded pixels of all images of a document | the others are left out and counted
MIN_IMAGE_SIDE | smallest number of pixels of the shorter side | the image counts as an icon
MAX_IMAGE_RATIO | ratio of the sides | the image counts as a rule
MAX_IMAGE_SIDE | pixels of the longer side of a kept image | it is scaled down
MAX_IMAGE_BYTES | bytes of a kept image | it is scaled down
MAX_DOCUMENT_IMAGE_BYTES | bytes of all kept images of a document | the others are left out and counted
MAX_IMAGE_TEXT_CHARACTERS | characters of each text of an image | it is cut
MAX_PAGE_PICTURE_SIDE | pixels of the longer side of the picture of a page | it is drawn smaller
MAX_PAGE_WORDS | words of a page that can be marked | the others have no mark
MAX_PAGE_WORD_CHARACTERS | characters of such a word | the rest is not compared
PAGE_PICTURE_SECONDS | seconds for the picture of a page | the page of the source has no picture
""",
    ),
    _group(
        "Keys and rates",
        """
MAX_NAME_CHARACTERS | characters of the label of a key or tenant | the command refuses the name
DEFAULT_KEY_DAYS | days of a key by default | status 401; `--days` and `--never-expires`
MAX_KEY_DAYS | largest value of `--days` | `key create` refuses the number
HOSTED_AGENT_KEY_DAYS | days of a key with `--for` by default | status 401; `--days`
KEY_EXPIRY_WARNING_DAYS | days before the end of a key in which warnings appear | no effect for callers
ROTATION_OVERLAP_HOURS | hours in which the old secret works, by default | `--overlap-hours`
MAX_ROTATION_OVERLAP_HOURS | largest value of `--overlap-hours` | `key rotate` refuses the number
DEFAULT_RATE_PER_MINUTE | calls of a key in a minute, by default | status 429; `key create --rate` sets another number
DEFAULT_BURST | calls of a key at once, by default | status 429; `key create --burst` sets another number
HOSTED_AGENT_RATE_PER_MINUTE | calls of a key with `--for` in a minute | status 429; `--rate` sets another number
HOSTED_AGENT_BURST | calls of a key with `--for` at once | status 429; `--burst` sets another number
MAX_RATE_PER_MINUTE | largest value of `--rate` | `key create` refuses the number
MAX_BURST | largest value of `--burst` | `key create` refuses the number
DEFAULT_TENANT_RATE_PER_MINUTE | calls of all keys of a tenant in a minute | status 429; see `tenant set-rate`
DEFAULT_TENANT_BURST | calls of all keys of a tenant at once | status 429; see `tenant set-rate`
MAX_TENANT_RATE_PER_MINUTE | largest value of `tenant set-rate --rate` | `tenant set-rate` refuses the number
MAX_TENANT_BURST | largest value of `tenant set-rate --burst` | `tenant set-rate` refuses the number
DISCOVERY_RATE_PER_MINUTE | calls without a key from one address in a minute, in each process | status 429
DISCOVERY_BURST | such calls at once | status 429
MAX_DISCOVERY_ADDRESSES | addresses that a process counts | it forgets the oldest one
""",
        "With status 429, `Retry-After` has the seconds to wait.",
    ),
    _group(
        "Links to originals",
        """
LINK_SECONDS | seconds of a link by default | status 404; `verify_document_access` gives a new link
LINK_STEP_SECONDS | step to which the end of a link is rounded up | no effect for callers
TOKEN_LINK_SECONDS | most seconds of a link for a caller with an access token | status 404
MAX_LINK_SECONDS | largest value of `GROUNDWIRE_LINK_SECONDS` | the server does not start
ORIGINAL_URL_SECONDS | seconds of the address in the bucket that a link leads to | open the link again
""",
        """
A link has at most about 7,300 characters. Tags that do not fit are left out, first those that the policy of the
document does not name. A link with too few tags gets 404. Links with tags of a stored user or of a personal key hold
no tags.
""",
    ),
    _group(
        "Uploads",
        """
UPLOAD_SECONDS | seconds in which an upload with a ticket must start | create another ticket
MAX_UPLOAD_FORM_FIELD_BYTES | bytes of a form besides its file | status 400
MAX_UPLOAD_FORM_FIELDS | fields of a form | status 400
MAX_CONCURRENT_UPLOAD_FORMS | forms that are read at a time; one tenant has at most half | status 503
UPLOAD_FORM_HEADER_SECONDS | seconds for all that precedes the file | status 400; the connection ends
UPLOAD_WINDOW_SECONDS | seconds over which the rate of a file is averaged | no effect for callers
MIN_UPLOAD_BYTES_PER_SECOND | smallest number of bytes per second of a file | status 400; the connection ends
""",
        "These limits count for a server of your own. In AWS, S3 takes the files.",
    ),
    _group(
        "Definitions and OpenSearch tools",
        """
MAX_REGISTERED_TOOLS | tools of a tenant for clients of the MCP server of OpenSearch | the next one is refused
MAX_REGISTERED_NAME_CHARACTERS | characters of the name of such a tool | the tool is refused
MAX_ENGINE_ANSWER_BYTES | bytes of an answer to a client of OpenSearch | the client gets an error
MAX_DEFINITIONS | definitions of one kind of a tenant | the next one is refused
MAX_DEFINITION_NAME_CHARACTERS | characters of the name of a definition | the definition is refused
MAX_DEFINITION_BYTES | bytes of a stored definition | the definition is refused
MAX_INGESTION_RUNS | recorded runs of `groundwire ingest` of a tenant | the oldest is deleted
MAX_PLANNED_UPLOADS | files in a plan of uploads | status 400
MAX_EVALUATED_QUESTIONS | questions of an evaluation over REST | status 400
MAX_EVALUATIONS | stored evaluations of a tenant | the oldest is deleted
MAX_EVALUATION_QUESTIONS | questions of a stored evaluation | the evaluation is not stored
""",
    ),
    _group(
        "MCP sources",
        """
MAX_SOURCES | sources of a tenant | status 409
MAX_SOURCE_NAME_CHARACTERS | characters of the name of a source | status 422
MAX_SOURCE_TOOLS | tools of a source that are read | the others are not read
MAX_SOURCE_DESCRIPTION_CHARACTERS | characters of the description of a tool | it is cut
MAX_SOURCE_SCHEMA_BYTES | bytes of the input schema of a tool | status 422; the tool cannot be offered
MAX_SOURCE_RESPONSE_BYTES | bytes that the server of a source sends in a call | the call fails
MAX_SOURCE_ANSWER_CHARACTERS | characters of an answer of a source for an agent | the rest is left out
SOURCE_CALL_SECONDS | seconds of a call, with all its requests | the call fails
SOURCE_VALIDATION_SECONDS | seconds of a registration | status 400; nothing is stored
SOURCE_CONNECT_SECONDS | seconds to connect to the server of a source | the call fails
SOURCE_JOIN_SECONDS | seconds of a search whose passages join an answer | the answer has a notice
SOURCE_CALLS_PER_MINUTE | calls of a source in a minute, by all users | the call fails
SOURCE_BURST | calls of a source at once | the call fails
SOURCE_FAILURES | failed calls of one caller, or failed listings, in a row before a pause | calls fail
SOURCE_PAUSE_SECONDS | seconds of the first pause; each further failure doubles it, up to 16 times | calls fail
SOURCE_LISTING_SECONDS | seconds after which the tools are listed again before a call | no effect for callers
MAX_JOINED_SOURCES | sources that join an answer | the newest are not called
MAX_JOINED_CANDIDATES | passages of a source that are scored for an answer | the others are left out
MAX_JOINED_CALLS | calls of sources for answers of a tenant at a time, in each process | the answer has a notice
MAX_JOINED_SHARE | passages of an answer for each passage of a source | the others of the source are left out
""",
        "A failed call can succeed later.",
    ),
)

SERVER_GROUP: Final = _group(
    "The server on one machine",
    """
MAX_BODY_BYTES | bytes of a body, before the lower limit of its route applies | status 413
MAX_BUFFERED_BYTES | bytes of all bodies in memory, without the first 64 kB of each; a half for one address | status 503
MAX_HEADER_BYTES | bytes of request line and headers | status 431
INTEGRATION_TIMEOUT_S | seconds of a call | status 408 for a slow body, else 503
MIN_SLOTS | calls that compute at once, on however few processors | the call waits
SLOTS_PER_PROCESSOR | calls that compute at once, for each processor | the call waits
MAX_PENDING_CALLS | calls that run or wait: 96 of a tenant, 64 of a key, 32 of a user | status 429, 503 without a key
CONTROL_SLOTS | changes of rights at once, beside the calls | the change waits
MAX_PENDING_CHANGES | changes of rights that run or wait: 48 of a tenant | status 429
AUTHORIZATION_SLOTS | checks of keys at once, beside the calls | the check waits
MAX_PENDING_CHECKS | checks that run or wait: 144 of a tenant, 112 of a key or address | status 503
MAX_PENDING_REFUSALS | refusals in the form of a dialect that run or wait, 8 of a tenant | status 503
MAX_ADMITTED_CREDENTIALS | keys and tokens known as admitted | the check of another counts to its address
OUTSIDE_PLACES | calls to sources and planners at once | the call to the source waits
MAX_PENDING_OUTSIDE | calls to sources and planners that run or wait | a tool error with the time for a repeat
FILES_AT_ONCE | uploaded files that are processed at once, one of each tenant | the file waits
BACKGROUND_PAUSE_MS | milliseconds for which a step of an uploaded file lets calls pass | no effect for callers
SMALL_FILE_BYTES | bytes up to which a file is small: small and large files share the time | no effect for callers
MAX_WAIT_SECONDS | seconds that a call waits, or is expected to wait | status 429, or 503 without a key
MAX_CONNECTIONS | connections | each new one ends one that waits for its client
MAX_ADDRESS_CONNECTIONS | connections of an address without a key that wait for their client | the slowest ends
HEAD_TIMEOUT_SECONDS | seconds for the head of a request | the connection ends
DRAIN_TIMEOUT_SECONDS | seconds for the rest of a body after an early answer | the connection ends
WRITE_TIMEOUT_SECONDS | seconds in which a client takes a response | the connection ends
""",
    """
The limits of sizes and times are those of API Gateway. Of the calls and changes that run at once, a tenant has half, a
key has a quarter, and a user has an eighth. [Fairness](operate/fairness.md) has the order of those that wait.

Each process counts these for itself. Rates of keys, tenants and sources, and the pauses of sources, are in the
registry. All processes of a home or of a stack share them.

A connection also ends 10 seconds after its last answer. Connections of this machine and of a trusted proxy have no
limit of their address. A request with both `Content-Length` and `Transfer-Encoding` gets 400, and its connection ends.
""",
)

PARSER_GROUP: Final = _group(
    "Parser",
    """
memory_mb | megabytes of memory for a document | the file is refused
cpu_seconds | seconds of processor time for a document | the file is refused
wall_seconds | seconds for a document | the file is refused
result_bytes | bytes of the parsed document | the file is refused
result_parts | paragraphs and cells of a document | the file is refused
""",
)

PARSER_FUNCTION_GROUP: Final = _group(
    "Parser function of a stack",
    """
DOCUMENT_SECONDS | seconds for a document with images and text recognition | the file is refused, or comes without them
FUNCTION_SECONDS | seconds of an invocation | the file fails until a rebuild
CLIENT_SECONDS | seconds for which ingestion waits | the file fails until a rebuild
FRESH_ATTEMPT_SECONDS | seconds within which a function that ends gets its file again | the file fails until a rebuild
SIGNATURE_SECONDS | age in seconds of a presigned address | the bucket refuses it
TEXT_BYTES | bytes of the text as JSON, without attachments | the file is refused
OWN_MEMORY_MB | megabytes of the function beside those of its worker | the invocation ends, and the document fails
TEXT_PARTS | paragraphs and cells of a document | the file is refused
IMAGES_BYTES | bytes of the images with thumbnails and texts | the file is refused
RESULT_BYTES | bytes of a result with attachments and images | the file is refused
PICTURE_CLIENT_SECONDS | seconds for which an opened link waits for the picture of a page | it has no picture
PICTURE_RESULT_BYTES | bytes of such a picture with the places of its words | it has no picture
""",
    "These limits replace those of the parser, since several copies of a text must fit in the memory of the ingestion "
    "function. The limits of memory and processor time are the same.",
)

RECORD_GROUP: Final = _group(
    "Document records in DynamoDB",
    """
MAX_ITEM_BYTES | bytes of the record of a document | the record is refused; shorten users or metadata
MAX_WRITES | writes of a transaction | a mail with more attachments changes in several steps
MAX_BYTES | bytes of a transaction | very large records change in several steps
""",
)
