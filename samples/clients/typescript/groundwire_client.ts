// Client of Groundwire's REST API. `python -m tools.rest_clients` writes this file.
// Copy the file. It needs `fetch` and no package. A failed call throws `ApiError`.

/** Decision whether a person may read a document, with its reason and what would change it. */
export interface AccessAnswer {
  allowed: boolean;
  reason: string;
  person: PersonRecord;
  document: DocumentSummary;
  readers: string;
  policy: PolicyRecord;
  policy_source: string;
  policy_reason: string;
  ceiling: CeilingRecord | null;
  ceiling_reason: string | null;
  needed_tags: Array<string>;
  needs_user: boolean;
  missing_tags: Array<Array<string>>;
}

/** A person and a document. */
export interface AccessQuestion {
  user?: string | null;
  tags?: Array<string> | null;
  kid?: string | null;
  document: string;
}

/** A part of the lines of the tenant, the latest first. */
export interface AuditList {
  rows: Array<AuditRow>;
  next: string | null;
  complete: boolean;
}

/** A line of the audit log: a call, or a change by a command or an ingestion. */
export interface AuditRow {
  time: string | null;
  call: string | null;
  content: "original" | "passages" | null;
  documents: Array<string>;
  user: string | null;
  user_by: string | null;
  kid: string | null;
  operator: string | null;
  decision: string | null;
  outcome: string | null;
  reason: string | null;
  status: number | null;
  passages: number | null;
  request_id: string | null;
  trace: string | null;
  duration_ms: number | null;
  details: Record<string, unknown>;
}

/** Verification of a part of the log's chain, which has the lines of every tenant. */
export interface AuditVerification {
  intact: boolean;
  lines: number;
  problem: string | null;
  next: string | null;
}

/** Blocked users, the earliest block first. */
export interface BlockList {
  users: Array<BlockRecord>;
}

/** Users to block. */
export interface BlockOrder {
  users: Array<string>;
  decision_reason?: string;
}

/** A page of the blocked users, the earliest block first. */
export interface BlockPage {
  users: Array<BlockRecord>;
  next: string | null;
}

/** A blocked user, and who decided so. */
export interface BlockRecord {
  user: string;
  decided_by: string | null;
  decided_at: string;
  decided_key: string | null;
  decision_reason: string | null;
}

/** Callers in a part of the log, the latest first. */
export interface CallerList {
  callers: Array<CallerRecord>;
  next: string | null;
}

/** Calls of one user with one key and one set of tags. */
export interface CallerRecord {
  user: string | null;
  user_by: "token" | null;
  kid: string;
  tags: Array<string> | null;
  tags_hash: string;
  calls: number;
  last_call: string;
}

/** Ceiling of a document, with the decision of the person who set it. */
export interface CeilingRecord {
  policy: PolicyRecord;
  decided_by: string | null;
  decided_at: string;
  decided_key: string | null;
  decision_reason: string | null;
}

/** A change with its members. `policy`: `document`, `policy`. `tags`: `user`, `tags`. `group`: `group`, `tags`. `max_tags`: `kid`, `max_tags`. `block`: `user`. */
export interface ChangeQuestion {
  change: "policy" | "tags" | "group" | "max_tags" | "block";
  document?: string | null;
  policy?: PolicyBody | null;
  user?: string | null;
  group?: string | null;
  kid?: string | null;
  tags?: Array<string> | null;
  max_tags?: Array<string> | null;
}

/** Numbers of all users, groups and keys on one side of a change alone. */
export interface ChangedCounts {
  users: number | null;
  groups: number | null;
  keys: number;
}

/** Documents on one side of a change alone. */
export interface ChangedDocuments {
  count: number;
  collections: Record<string, number>;
  documents: Array<DocumentSummary>;
}

/** Readers of a document on one side of a change alone. */
export interface ChangedReaders {
  tag_sets: Array<Array<string>>;
  named_users: Array<string>;
  users: Array<string> | null;
  groups: Array<string> | null;
  keys: Array<string>;
  counts: ChangedCounts;
}

/** The checks of the tenant within the bounds of the key. */
export interface CheckList {
  checks: Array<CheckRecord>;
}

/** A check of the tenant; one check can have several records. */
export interface CheckRecord {
  name: string;
  status: CheckStatus;
  message: string;
  remedy: string | null;
}

export type CheckStatus = "ok" | "warning" | "failed";

/** Permission of a model to cite the block. */
export interface Citations {
  enabled: boolean;
}

/** A claim for which a token names nobody. */
export interface ClaimProblem {
  claim: string;
  rule: string;
}

/** Collections of the key, by name; without the scope `admin`, names of those in which it manages a document. */
export interface CollectionList {
  collections: Array<CollectionRecord>;
}

/** A collection; `documents` is the number of those that the key manages. */
export interface CollectionRecord {
  name: string;
  documents: number;
  bm25_weight: number | null;
  language: string | null;
  description: string | null;
  floor?: number | null;
  policy_authority?: PolicyAuthority;
  no_originals?: boolean;
}

/** Properties of a collection; absent ones do not change, or have their default in a new collection. */
export interface CollectionSettings {
  bm25_weight?: number | null;
  language?: string | null;
  description?: string | null;
  floor?: number | "auto" | null;
  policy_authority?: PolicyAuthority | null;
  no_originals?: boolean | null;
}

/** A date in metadata. */
export interface DateValue {
  date: string;
}

/** The evaluation that was deleted. */
export interface DeletedEvaluation {
  id: string;
}

/** A page of deleted documents, by id. */
export interface DeletionList {
  documents: Array<DeletionRecord>;
  next: string | null;
}

/** A deleted document, which no ingestion brings back until it is restored. */
export interface DeletionRecord {
  doc_id: string;
  collection: string;
  file: string;
  parent: string | null;
  decided_by: string | null;
  decided_key: string | null;
  decided_at: string | null;
  decision_reason: string | null;
}

/** A proposed description; null if the collection has no public document. */
export interface DescriptionProposal {
  name: string;
  description: string | null;
}

/** What a client of the dialect sends and gets for the question. */
export interface DialectAnswer {
  dialect: string;
  request: DialectRequest;
  status: number;
  answer: Record<string, unknown>;
}

/** A question for a dialect. */
export interface DialectQuestion {
  dialect: string;
  question: string;
  collection: string;
  top_n?: number;
}

/** The request that a client of the dialect sends, without its credential. */
export interface DialectRequest {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

/** nDCG@10 of one question in both evaluations. */
export interface DifferenceRecord {
  id: string;
  text: string;
  before: number;
  after: number;
}

/** A page of documents, by id. */
export interface DocumentList {
  documents: Array<DocumentRecord>;
  next: string | null;
}

/** Record of a document. */
export interface DocumentRecord {
  doc_id: string;
  collection: string;
  file: string;
  title: string;
  type: string;
  language: string;
  state: DocumentState;
  reason: string | null;
  parent: string | null;
  segments: number;
  windows: number;
  images: number;
  defects: Record<string, number>;
  failed_step: string | null;
  pages: number | null;
  pages_without_text: number;
  version: number;
  readers: string;
  policy: PolicyRecord;
  ceiling: CeilingRecord | null;
  policy_version: number;
  policy_source: string;
  metadata: Record<string, boolean | number | string | Array<string> | Array<number> | DateValue>;
  contributed_by: string | null;
  contributed_key: string | null;
  source_path: string | null;
  source_url: string | null;
  content_hash: string;
  recipe: string;
  parser: string;
  model: string;
  timings: Record<string, number>;
  size_bytes: number;
  created_at: string;
  updated_at: string;
}

export type DocumentState = "queued" | "parsing" | "waiting" | "failed" | "indexed" | "refused" | "deleting" | "deleted";

/** A document. */
export interface DocumentSummary {
  doc_id: string;
  collection: string;
  file: string;
  title: string;
  state: string;
}

/** Record of a document, with passages if the call has `segments=true`. */
export interface DocumentWithPassages {
  doc_id: string;
  collection: string;
  file: string;
  title: string;
  type: string;
  language: string;
  state: DocumentState;
  reason: string | null;
  parent: string | null;
  segments: number;
  windows: number;
  images: number;
  defects: Record<string, number>;
  failed_step: string | null;
  pages: number | null;
  pages_without_text: number;
  version: number;
  readers: string;
  policy: PolicyRecord;
  ceiling: CeilingRecord | null;
  policy_version: number;
  policy_source: string;
  metadata: Record<string, boolean | number | string | Array<string> | Array<number> | DateValue>;
  contributed_by: string | null;
  contributed_key: string | null;
  source_path: string | null;
  source_url: string | null;
  content_hash: string;
  recipe: string;
  parser: string;
  model: string;
  timings: Record<string, number>;
  size_bytes: number;
  created_at: string;
  updated_at: string;
  passages?: Array<SegmentRecord> | null;
  next_passage?: number | null;
}

/** A part of the documents that a person can read, by id. */
export interface DocumentsAnswer {
  person: PersonRecord;
  documents: Array<ReadableDocument>;
  next: string | null;
}

/** Effect of a change on the documents that somebody can read. */
export interface DocumentsEffectAnswer {
  added: ChangedDocuments;
  removed: ChangedDocuments;
  complete: boolean;
}

/** A person, and the part of the list to return. */
export interface DocumentsQuestion {
  user?: string | null;
  tags?: Array<string> | null;
  kid?: string | null;
  collection?: string | null;
  after?: string | null;
  limit?: number;
}

/** The answer of a call that failed. */
export interface ErrorAnswer {
  error: Fault;
}

/** A mean over questions with its 95 % interval. */
export interface EstimateRecord {
  mean: number;
  low: number;
  high: number;
}

/** An evaluation with the results of its questions. */
export interface EvaluationAnswer {
  evaluation: EvaluationRecord;
  per_question: Array<QuestionRecord>;
}

/** Questions of a new evaluation, and the documents that are searched. */
export interface EvaluationBody {
  name: string;
  collection?: string | null;
  questions: Array<EvaluationQuestion>;
}

/** Differences of nDCG@10 between an evaluation and an earlier one, over the questions of both. */
export interface EvaluationComparison {
  evaluation: string;
  earlier: string;
  questions: number;
  unmatched: number;
  change: EstimateRecord;
  p: number;
  better: number;
  worse: number;
  equal: number;
  differences: Array<DifferenceRecord>;
  gate: GateRecord | null;
}

/** The last evaluations of the tenant, the latest first. */
export interface EvaluationList {
  evaluations: Array<EvaluationRecord>;
}

/** A question, searched with the rights of a user and tags, and the documents that answer it. */
export interface EvaluationQuestion {
  id: string;
  text: string;
  user?: string | null;
  tags?: Array<string>;
  relevant: Record<string, number>;
}

/** A stored evaluation. */
export interface EvaluationRecord {
  id: string;
  created_at: string | null;
  name: string;
  qrels: string;
  operator: string | null;
  collection: string | null;
  model: string;
  documents: number;
  segments: number;
  bm25_weight: number | null;
  questions: number;
  rows: Array<MethodRecord>;
}

/** An error with its remedy. */
export interface Fault {
  code: "invalid" | "refused" | "unauthenticated" | "denied" | "not_found" | "conflict" | "too_much" | "unavailable" | "failed";
  message: string;
  retry_after_s?: number | null;
}

/** Decision whether the mean lost more than it may. */
export interface GateRecord {
  max_loss: number;
  passed: boolean;
}

/** A deleted collection, with the number of its documents. */
export interface GoneCollection {
  name: string;
  documents: number;
}

/** A deleted document. */
export interface GoneDocument {
  doc_id: string;
  file: string;
}

/** A group whose mapping was deleted. */
export interface GoneGroup {
  group: string;
}

/** A user whose stored tags were deleted. */
export interface GoneUser {
  user: string;
}

/** Tags to give a group. */
export interface GroupEntry {
  tags: Array<string>;
  new_tags?: boolean;
}

/** The mapping of the tenant, by group. */
export interface GroupList {
  groups: Array<GroupRecord>;
}

/** Tag that a group of a token gives, and whether it counts. */
export interface GroupOutcome {
  group: string;
  tag: string | null;
  mapped_by: MappingOrigin | null;
  outcome: TagOutcome;
}

/** A group with the tags that it gives. */
export interface GroupRecord {
  group: string;
  tags: Array<string>;
}

/** Identity and rights of a call: its key, and whom the key acts for. */
export interface Identity {
  tenant: string;
  kid: string;
  name: string | null;
  kind: "personal" | "act_as" | "oauth";
  expires_at: string | null;
  scopes: Array<Scope>;
  administrator: boolean;
  bounded: boolean;
  collections: "every" | Array<string>;
  dialects: Array<string> | null;
  user: string | null;
  tags: Array<string>;
  tags_from: string | null;
  tags_ignored: number;
}

/** The last runs within the key's collections, the latest first, and the documents that wait. */
export interface IngestionList {
  ingestions: Array<IngestionRecord>;
  pending: PendingDocuments;
}

/** A run of `groundwire ingest`. */
export interface IngestionRecord {
  id: string;
  collection: string;
  started_at: string | null;
  updated_at: string | null;
  operator: string | null;
  state: "running" | "done" | "cancelled" | "interrupted" | "failed" | "killed";
  files: number;
  files_done: number;
  counts: Record<string, number>;
  cancel_requested: boolean;
}

/** A key with its secret, which no later answer contains. */
export interface IssuedKey {
  kid: string;
  name: string;
  kind: KeyKind;
  user: string | null;
  tags: Array<string>;
  max_tags: Array<string>;
  strict_tags: boolean;
  scopes: Array<Scope>;
  collections: "every" | Array<string>;
  top_n: number;
  expand_tokens: number;
  max_tokens: number;
  toolset: string;
  dialects?: Array<string>;
  floor?: number | null;
  split_first_phrase?: boolean;
  require_user?: boolean;
  no_originals?: boolean;
  may_search_as?: boolean;
  sources?: boolean;
  rate_per_minute: number;
  burst: number;
  created_at: string;
  expires_at: string | null;
  previous_until: string | null;
  last_used: string | null;
  revoked: boolean;
  created_by?: string | null;
  created_with?: string | null;
  rotated_by?: string | null;
  rotated_with?: string | null;
  key: string | null;
}

/** Changes of a key; a field that is missing keeps its value. The secret and the options stay. */
export interface KeyChangeOrder {
  name?: string | null;
  tags?: Array<string> | null;
  max_tags?: Array<string> | null;
  scopes?: Array<Scope> | null;
  collections?: "every" | Array<string> | null;
  rate_per_minute?: number | null;
  burst?: number | null;
  expires_in_days?: number | "never" | null;
  new_tags?: boolean;
}

export type KeyKind = "personal" | "act_as" | "oauth";

/** A page of the keys, by creation time. */
export interface KeyList {
  keys: Array<KeyRecord>;
  next: string | null;
}

/** A key to create; kind, scopes and collections have no defaults. */
export interface KeyOrder {
  name: string;
  kind: KeyKind;
  scopes: Array<Scope>;
  collections: "every" | Array<string>;
  user?: string | null;
  tags?: Array<string>;
  max_tags?: Array<string>;
  strict_tags?: boolean;
  top_n?: number;
  expand_tokens?: number;
  max_tokens?: number;
  toolset?: string;
  dialects?: Array<string> | null;
  floor?: number | null;
  split_first_phrase?: boolean;
  require_user?: boolean;
  no_originals?: boolean;
  may_search_as?: boolean;
  sources?: boolean;
  rate_per_minute?: number;
  burst?: number;
  expires_in_days?: number | "never";
  new_tags?: boolean;
}

/** A key whose calls can read the document. */
export interface KeyReaderRecord {
  kid: string;
  name: string;
  kind: string;
  user: string | null;
  acts_as: string;
  blocked: boolean | null;
}

/** A key without its secret. */
export interface KeyRecord {
  kid: string;
  name: string;
  kind: KeyKind;
  user: string | null;
  tags: Array<string>;
  max_tags: Array<string>;
  strict_tags: boolean;
  scopes: Array<Scope>;
  collections: "every" | Array<string>;
  top_n: number;
  expand_tokens: number;
  max_tokens: number;
  toolset: string;
  dialects?: Array<string>;
  floor?: number | null;
  split_first_phrase?: boolean;
  require_user?: boolean;
  no_originals?: boolean;
  may_search_as?: boolean;
  sources?: boolean;
  rate_per_minute: number;
  burst: number;
  created_at: string;
  expires_at: string | null;
  previous_until: string | null;
  last_used: string | null;
  revoked: boolean;
  created_by?: string | null;
  created_with?: string | null;
  rotated_by?: string | null;
  rotated_with?: string | null;
}

export type MappingOrigin = "tenant" | "file";

/** Means of one ranking method over the questions. */
export interface MethodRecord {
  ranked_by: string;
  ndcg_at_10: EstimateRecord;
  recall_at_100: EstimateRecord;
  mrr_at_10: EstimateRecord;
}

/** Counts of the calls of one month. */
export interface MonthRecord {
  month: string;
  calls: Record<string, number>;
  refused: number;
  passages: number;
  originals: number;
}

/** A new evaluation with the results of its questions. */
export interface NewEvaluation {
  evaluation: EvaluationRecord;
  per_question: Array<QuestionRecord>;
  unknown: Array<string>;
}

/** Tags of the request that nobody has, by name. */
export interface NewTagList {
  new: Array<NewTagRecord>;
  complete: boolean;
}

/** A tag that nobody has. */
export interface NewTagRecord {
  tag: string;
  meant: string | null;
}

/** All ids of one person who leaves. */
export interface OffboardingOrder {
  users: Array<string>;
  decision_reason?: string;
  revoke_created?: boolean;
}

/** A passage of a search. */
export interface PassageInSearch {
  segment_uid: string;
  doc_id: string;
  relevance: number | null;
}

/** A passage: a quotation from a document, never an instruction. */
export interface PassageRecord {
  segment_uid: string;
  doc_id: string;
  collection: string;
  source_file_name: string;
  heading_path: Array<string>;
  page_first: number | null;
  page_last: number | null;
  headline: string;
  summary: string;
  relevance: number | null;
  also_in: Array<string>;
  also_in_files: Array<string>;
  text: string;
  source_url: string | null;
  score?: number | null;
  why?: Why | null;
  access?: Visibility | null;
}

/** Numbers of documents whose content no reader has read yet, those of uploads included. */
export interface PendingDocuments {
  queued: number;
  parsing: number;
  waiting: number;
  failed: number;
}

/** A person: the user, tags and key of a call. Without tags, those count that are stored for the user. */
export interface PersonBody {
  user?: string | null;
  tags?: Array<string> | null;
  kid?: string | null;
}

/** The person, as a call would have it. */
export interface PersonRecord {
  user: string | null;
  tags: Array<string>;
  tags_from: string | null;
  tags_ignored: number;
  kid: string | null;
  blocked: boolean | null;
  refused: string | null;
}

/** Scores of a passage for one phrase. */
export interface PhraseView {
  phrase: string;
  bm25: number;
  bm25_rank: number | null;
  vector: number;
  vector_rank: number | null;
  passage_similarity: number | null;
  best_window: string | null;
  share: number;
}

export type PolicyAuthority = "people" | "files";

/** Readers of a document: all users if `public`, the named users, and users by tags. A user by tags has one of `any_tags`, if there are any, and all of `all_tags`. Send every field. Without any value, nobody can read the document. */
export interface PolicyBody {
  public: boolean;
  users: Array<string>;
  any_tags: Array<string>;
  all_tags: Array<string>;
}

/** Readers of a document; `new_tags` accepts a tag that resembles one in use. */
export interface PolicyOrder {
  public: boolean;
  users: Array<string>;
  any_tags: Array<string>;
  all_tags: Array<string>;
  new_tags?: boolean;
  until_next_run?: boolean;
}

/** Readers of a document. */
export interface PolicyRecord {
  public: boolean;
  users: Array<string>;
  any_tags: Array<string>;
  all_tags: Array<string>;
}

/** Tags that policies use. */
export interface PolicyTagList {
  tags: Array<string>;
  complete: boolean;
}

/** Result of one question. */
export interface QuestionRecord {
  id: string;
  text: string;
  scores: Record<string, QuestionScoresRecord>;
  top: Array<string>;
}

/** Scores of one question with one ranking method. */
export interface QuestionScoresRecord {
  ndcg_at_10: number;
  recall_at_100: number;
  mrr_at_10: number;
}

/** Rank of a passage after each step; null: no such step. */
export interface Ranks {
  fused: number | null;
  admitted: number | null;
  distinct: number | null;
  reranked: number | null;
}

/** A document that the person can read. */
export interface ReadableDocument {
  doc_id: string;
  collection: string;
  file: string;
  title: string;
  state: string;
  reason: string;
}

/** Readers of a document, and the keys by which they call. */
export interface ReadersAnswer {
  document: DocumentSummary;
  everyone: boolean;
  tag_sets: Array<Array<string>>;
  named_users: Array<string>;
  users: Array<UserReaderRecord> | null;
  groups: Array<string> | null;
  keys: Array<KeyReaderRecord>;
  complete: boolean;
}

/** Effect of a change on the readers of a document. */
export interface ReadersEffectAnswer {
  document: DocumentSummary;
  everyone_before: boolean;
  everyone_after: boolean;
  added: ChangedReaders;
  removed: ChangedReaders;
  complete: boolean;
}

/** A document. */
export interface ReadersQuestion {
  document: string;
}

/** Rights that ended with a user, and those that remain to be checked. */
export interface Receipt {
  users: Array<BlockRecord>;
  revoked_keys: Array<ReceiptKey>;
  created_keys: Array<ReceiptKey>;
  keys_without_creator: number;
  keys_without_user: Array<ReceiptKey>;
  removed_tags: Array<UserRecord>;
  documents: Array<ReceiptDocument>;
  sources: Array<ReceiptSource>;
}

/** A document whose readers name the user. */
export interface ReceiptDocument {
  doc_id: string;
  collection: string;
  file: string;
  named_in: Array<string>;
}

/** A key in a receipt. */
export interface ReceiptKey {
  kid: string;
  name: string;
  kind: KeyKind;
  user: string | null;
  revoked: boolean;
}

/** An MCP source whose policies name the user. */
export interface ReceiptSource {
  id: string;
  name: string;
}

/** A tag to rename. */
export interface RenameOrder {
  tag: string;
  new_tag: string;
  merge?: boolean;
  plan?: boolean;
}

/** Uses that the renaming changes. */
export interface RenameResult {
  tag: string;
  new_tag: string;
  documents: number;
  deleted_documents: number;
  users: number;
  keys: number;
  max_tags: number;
  groups: number;
  sources: number;
  from_policy_files: number;
  new_tag_in_use: boolean;
}

/** Rotation of a key. */
export interface Rotation {
  overlap_hours?: number;
}

export type Scope = "search" | "verify" | "act_as" | "ingest" | "share" | "admin";

/** Passages, best first, with the steps of the search if `explain` is true. */
export interface SearchAnswer {
  passages: Array<PassageRecord>;
  notice: string | null;
  phrases?: Array<string> | null;
  phrases_cut?: Array<number> | null;
  filter?: string | null;
  bm25_weights?: Record<string, number> | null;
  steps?: Steps | null;
  tags_ignored?: number | null;
}

/** A search. */
export interface SearchBody {
  phrases: Array<string>;
  top_n?: number | null;
  collections?: Array<string> | null;
  where?: string | null;
  min_relevance?: number | null;
  explain?: boolean;
  as?: PersonBody | null;
}

/** Outcome of a search for one document. */
export interface SearchOutcomeAnswer {
  outcome: string;
  rank: number | null;
  passage: PassageInSearch | null;
  shown_in_place: PassageInSearch | null;
  access: AccessAnswer;
}

/** A person, a document, and a search that does not show it. */
export interface SearchQuestionBody {
  user?: string | null;
  tags?: Array<string> | null;
  kid?: string | null;
  document: string;
  phrases: Array<string>;
  collections?: Array<string> | null;
  where?: string | null;
  top_n?: number | null;
  min_relevance?: number | null;
}

/** Passages as `search_result` blocks, best first. */
export interface SearchResultAnswer {
  content: Array<SearchResultBlock>;
  notice: string | null;
}

/** A passage as content of a tool result or a message of Anthropic's Messages API. */
export interface SearchResultBlock {
  type: "search_result";
  source: string;
  title: string;
  content: Array<TextBlock>;
  citations: Citations;
}

/** A passage; it has content if the key may search and its user may read the document. */
export interface SegmentRecord {
  ordinal: number;
  uid: string;
  page_first: number | null;
  page_last: number | null;
  pages: string | null;
  heading_path: Array<string>;
  headline: string | null;
  summary: string | null;
  keywords: Array<string>;
  language: string;
  characters: number;
  text: string | null;
  raw_values: Array<string>;
  windows: Array<string> | null;
  source_url: string | null;
}

/** A page session; its secret is in the cookie alone. */
export interface SignedIn {
  expires_at: string;
}

/** The end of a page session. */
export interface SignedOut {
  signed_out: boolean;
}

/** State of the service for this key. */
export interface Status {
  version: string;
  tenant: string;
  documents: Record<string, number> | null;
  visible_after_seconds: number;
}

/** Number of passages that the caller may read, after each step. */
export interface Steps {
  candidates: number;
  fused: number;
  admitted: number;
  distinct: number;
  reranked: number;
  answer: number;
}

export type TagOutcome = "kept" | "outside_key" | "no_tag" | "mapped_to_nothing";

/** Uses of a tag within the rights of the key. */
export interface TagRecord {
  tag: string;
  documents: number;
  collections: Array<string>;
  keys: number;
  max_tags: number;
  users: number | null;
  groups: number | null;
  sources: number | null;
  last_used: string | null;
  last_call?: string | null;
}

/** Tags in use, by name. */
export interface TagRecords {
  tags: Array<TagRecord>;
  complete: boolean;
  unrecognised_calls?: number;
}

/** Tags, or prefixes that end in `*`. */
export interface TagsToCheck {
  tags: Array<string>;
}

/** Text of a passage: a quotation, never an instruction. */
export interface TextBlock {
  type: "text";
  text: string;
}

/** User and tags that a token gives; the decision is that of a call. */
export interface TokenExplanation {
  admitted: boolean;
  reason: string;
  claim: ClaimProblem | null;
  tenant: string | null;
  user: string | null;
  kid: string | null;
  max_tags: Array<string>;
  scopes: Array<Scope>;
  tags: Array<string>;
  tags_ignored: number;
  groups: Array<GroupOutcome>;
}

/** An access token of the identity provider. */
export interface TokenText {
  token: string;
}

/** Users whose block ended. */
export interface UnblockedUsers {
  users: Array<string>;
}

/** A file to upload, with its readers. */
export interface UploadOrder {
  collection: string;
  file_name: string;
  size: number;
  sha256: string;
  policy: PolicyBody;
  new_tags?: boolean;
  policy_source?: "option" | "file" | "none";
  content_type?: string;
  doc_id?: string | null;
  metadata?: Record<string, boolean | number | string | Array<string> | Array<number>>;
  restore?: boolean;
  source_url?: string | null;
}

/** What uploads would do, file by file in their order. */
export interface UploadPlan {
  counts: Record<string, number>;
  files: Array<UploadPlanRecord>;
}

/** Files that might be uploaded. */
export interface UploadPlanBody {
  files: Array<UploadOrder>;
}

/** Plan of one file. */
export interface UploadPlanRecord {
  file_name: string;
  doc_id: string | null;
  plan: "new" | "changed" | "repolicied" | "updated" | "unchanged" | "held_back" | "refused";
  reason: string | null;
  readers_before: string | null;
  readers_after: string | null;
  adds_readers: boolean;
  removes_readers: boolean;
}

/** State of an upload. */
export interface UploadRecord {
  ticket: string;
  doc_id: string;
  state: "awaiting" | "queued" | "parsing" | "waiting" | "failed" | "indexed" | "refused" | "held_back";
  reason: string | null;
  waiting_for: string | null;
  visible_after_seconds: number;
}

/** A ticket for one `multipart/form-data` POST to `url`, with all `fields`, then `file`. */
export interface UploadTicket {
  ticket: string;
  doc_id: string;
  url: string;
  fields: Record<string, string>;
  expires_at: string;
}

/** Counts of the present audit log by month, the latest first. */
export interface UsageAnswer {
  months: Array<MonthRecord>;
  complete: boolean;
}

/** Users, as ids of one person or of several. */
export interface UserIds {
  users: Array<string>;
}

/** A page of the users with stored tags, by name. */
export interface UserList {
  users: Array<UserRecord>;
  next: string | null;
}

/** A user who can read the document. */
export interface UserReaderRecord {
  user: string;
  reason: string;
  blocked: boolean | null;
}

/** A user with the stored tags. */
export interface UserRecord {
  user: string;
  tags: Array<string>;
}

/** Tags to store for a user. */
export interface UserTags {
  tags: Array<string>;
  new_tags?: boolean;
}

/** Tags that a user gets, and tags that the user no longer has; all others stay. */
export interface UserTagsChange {
  add_tags?: Array<string>;
  remove_tags?: Array<string>;
  new_tags?: boolean;
}

/** Explanation of why the caller may read the document of a passage, as of `POST /v1/access/check`. */
export interface Visibility {
  reason: string;
  policy_reason: string;
  ceiling_reason: string | null;
  needed_tags: Array<string>;
  needs_user: boolean;
}

/** Explanation of the rank of a passage, among the passages that the caller may read. */
export interface Why {
  brought_by: string;
  excerpt: string | null;
  ranks: Ranks;
  rerank_score: number | null;
  phrases: Array<PhraseView>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`HTTP ${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** A delegated key acts for `user` with the session tags `tags`. */
export interface Options {
  user?: string;
  tags?: Array<string>;
}

/** Client of one server; `url` is its address without a path. */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string, options: Options = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = { authorization: `Bearer ${key}`, accept: "application/json" };
    if (options.user !== undefined) this.#headers["x-user-id"] = options.user;
    if (options.tags !== undefined) this.#headers["x-session-tags"] = JSON.stringify(options.tags);
  }

  async #send(method: string, path: string, query: Record<string, unknown>, body?: unknown): Promise<unknown> {
    const named = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) named.set(name, String(value));
    }
    const address = named.size > 0 ? `${this.#url}${path}?${named}` : `${this.#url}${path}`;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? this.#headers : { ...this.#headers, "content-type": "application/json" };
    const response = await fetch(address, { method, headers, ...content });
    const text = await response.text();
    let answer: unknown = text;
    try {
      answer = JSON.parse(text);
    } catch {
      // The text of an error that is no JSON is kept.
    }
    if (!response.ok) throw new ApiError(response.status, answer);
    return answer;
  }

  /** Show version, tenant, documents by state and the delay of the index. */
  async status(): Promise<Status> {
    return (await this.#send("GET", `/v1/status`, {})) as Status;
  }

  /** Check documents, keys and index of the tenant; for a key without bounds also sign-in and sources. */
  async doctor(): Promise<CheckList> {
    return (await this.#send("GET", `/v1/doctor`, {})) as CheckList;
  }

  /** Sign in to the page, for the user and tags of this call: set a cookie that /v1 accepts in place of the key. */
  async signIn(): Promise<SignedIn> {
    return (await this.#send("POST", `/v1/session`, {})) as SignedIn;
  }

  /** Sign out: end the session of this call's cookie. A call with a key changes nothing. */
  async signOut(): Promise<SignedOut> {
    return (await this.#send("DELETE", `/v1/session`, {})) as SignedOut;
  }

  /** Show who calls: tenant, key, user, scopes, bounds, and the tags that count. */
  async whoami(): Promise<Identity> {
    return (await this.#send("GET", `/v1/whoami`, {})) as Identity;
  }

  /** List the keys within the collections of this key, without secrets; revoked and expired keys are included. */
  async listKeys(query: { after?: string | null; limit?: number } = {}): Promise<KeyList> {
    return (await this.#send("GET", `/v1/keys`, query)) as KeyList;
  }

  /** Create a key; only this answer contains its secret. */
  async createKey(body: KeyOrder): Promise<IssuedKey> {
    return (await this.#send("POST", `/v1/keys`, {}, body)) as IssuedKey;
  }

  /** List the tags that policies use in the collections of this key, as proposals for `max_tags`. */
  async listPolicyTags(): Promise<PolicyTagList> {
    return (await this.#send("GET", `/v1/keys/policy-tags`, {})) as PolicyTagList;
  }

  /** Change a key that is in force, to one that you could create; the change holds from its next call on. */
  async changeKey(kid: string, body: KeyChangeOrder): Promise<KeyRecord> {
    return (await this.#send("PATCH", `/v1/keys/${encodeURIComponent(kid)}`, {}, body)) as KeyRecord;
  }

  /** Revoke a key; the server refuses its next call. You can repeat the call. */
  async revokeKey(kid: string): Promise<KeyRecord> {
    return (await this.#send("DELETE", `/v1/keys/${encodeURIComponent(kid)}`, {})) as KeyRecord;
  }

  /** Give a key a new secret; the old one works for `overlap_hours`. */
  async rotateKey(kid: string, body: Rotation): Promise<IssuedKey> {
    return (await this.#send("POST", `/v1/keys/${encodeURIComponent(kid)}/rotate`, {}, body)) as IssuedKey;
  }

  /** List the users with stored tags, by name; a page can have fewer users than `limit` and still a `next`. */
  async listUsers(query: { after?: string | null; limit?: number } = {}): Promise<UserList> {
    return (await this.#send("GET", `/v1/users`, query)) as UserList;
  }

  /** List the blocked users, the earliest block first. */
  async listBlockedUsers(query: { after?: string | null; limit?: number } = {}): Promise<BlockPage> {
    return (await this.#send("GET", `/v1/users/blocked`, query)) as BlockPage;
  }

  /** Block users: the server refuses their next call, whatever key or token names them. You can repeat the call. */
  async blockUsers(body: BlockOrder): Promise<BlockList> {
    return (await this.#send("POST", `/v1/users/block`, {}, body)) as BlockList;
  }

  /** End the blocks of users. Revoked keys stay revoked. */
  async unblockUsers(body: UserIds): Promise<UnblockedUsers> {
    return (await this.#send("POST", `/v1/users/unblock`, {}, body)) as UnblockedUsers;
  }

  /** Block all ids of a person, revoke the keys and remove the stored tags. You can repeat the call. */
  async offboardUser(body: OffboardingOrder): Promise<Receipt> {
    return (await this.#send("POST", `/v1/users/offboard`, {}, body)) as Receipt;
  }

  /** Replace the stored tags of a user. */
  async setUser(user: string, body: UserTags): Promise<UserRecord> {
    return (await this.#send("PUT", `/v1/users/${encodeURIComponent(user)}`, {}, body)) as UserRecord;
  }

  /** Add stored tags of a user and remove others; of two changes at once both count. */
  async changeUser(user: string, body: UserTagsChange): Promise<UserRecord> {
    return (await this.#send("PATCH", `/v1/users/${encodeURIComponent(user)}`, {}, body)) as UserRecord;
  }

  /** Delete the stored tags of a user; the next call has none. */
  async deleteUser(user: string): Promise<GoneUser> {
    return (await this.#send("DELETE", `/v1/users/${encodeURIComponent(user)}`, {})) as GoneUser;
  }

  /** List the tags that documents, keys, users, groups and MCP sources use, within the collections of this key. */
  async listTags(query: { last_calls?: boolean } = {}): Promise<TagRecords> {
    return (await this.#send("GET", `/v1/tags`, query)) as TagRecords;
  }

  /** Return those of the tags that nobody has within the rights of this key, and the tag that was probably meant. */
  async checkTags(body: TagsToCheck): Promise<NewTagList> {
    return (await this.#send("POST", `/v1/tags/check`, {}, body)) as NewTagList;
  }

  /** Rename a tag wherever the tenant uses it; repeat the call if it was interrupted. */
  async renameTag(body: RenameOrder): Promise<RenameResult> {
    return (await this.#send("POST", `/v1/tags/rename`, {}, body)) as RenameResult;
  }

  /** List the groups of the identity provider that the tenant maps to tags. */
  async listGroups(): Promise<GroupList> {
    return (await this.#send("GET", `/v1/groups`, {})) as GroupList;
  }

  /** Show which user and tags an access token of this tenant gives, and why; it counts as one call. */
  async explainToken(body: TokenText): Promise<TokenExplanation> {
    return (await this.#send("POST", `/v1/groups/explain-token`, {}, body)) as TokenExplanation;
  }

  /** Replace the tags of a group; they count from the next call on. */
  async setGroup(group: string, body: GroupEntry): Promise<GroupRecord> {
    return (await this.#send("PUT", `/v1/groups/${encodeURIComponent(group)}`, {}, body)) as GroupRecord;
  }

  /** Delete the mapping of a group; its own text is its tag again. */
  async deleteGroup(group: string): Promise<GoneGroup> {
    return (await this.#send("DELETE", `/v1/groups/${encodeURIComponent(group)}`, {})) as GoneGroup;
  }

  /** Return whether a person may read a document, why, and what would change it. */
  async checkAccess(body: AccessQuestion): Promise<AccessAnswer> {
    return (await this.#send("POST", `/v1/access/check`, {}, body)) as AccessAnswer;
  }

  /** List who can read a document: users, sets of tags, groups and keys within the bounds of this key. */
  async listReaders(body: ReadersQuestion): Promise<ReadersAnswer> {
    return (await this.#send("POST", `/v1/access/readers`, {}, body)) as ReadersAnswer;
  }

  /** List the documents that a person can read, among those that this key manages, by id. */
  async listReadable(body: DocumentsQuestion): Promise<DocumentsAnswer> {
    return (await this.#send("POST", `/v1/access/documents`, {}, body)) as DocumentsAnswer;
  }

  /** Return who would gain and lose what by a change; nothing is changed. */
  async simulateChange(body: ChangeQuestion): Promise<ReadersEffectAnswer | DocumentsEffectAnswer> {
    return (await this.#send("POST", `/v1/access/what-if`, {}, body)) as ReadersEffectAnswer | DocumentsEffectAnswer;
  }

  /** Return why a search of a person does not show a document: the step at which it fell away. */
  async explainSearch(body: SearchQuestionBody): Promise<SearchOutcomeAnswer> {
    return (await this.#send("POST", `/v1/access/why-not`, {}, body)) as SearchOutcomeAnswer;
  }

  /** List the lines of the audit log, the latest first; a part can be short or empty and still have a `next`. */
  async listAudit(query: { user?: string | null; document?: string | null; kid?: string | null; call?: string | null; outcome?: string | null; since?: string | null; until?: string | null; after?: string | null; limit?: number } = {}): Promise<AuditList> {
    return (await this.#send("GET", `/v1/audit`, query)) as AuditList;
  }

  /** Verify the chain of the audit log, part by part from its first line on. */
  async verifyAudit(query: { after?: string | null } = {}): Promise<AuditVerification> {
    return (await this.#send("GET", `/v1/audit/verify`, query)) as AuditVerification;
  }

  /** List who called lately, each user with the key and the tags of the calls. */
  async listCallers(query: { since?: string; after?: string | null } = {}): Promise<CallerList> {
    return (await this.#send("GET", `/v1/audit/callers`, query)) as CallerList;
  }

  /** Count the calls of the tenant by month. */
  async usage(): Promise<UsageAnswer> {
    return (await this.#send("GET", `/v1/usage`, {})) as UsageAnswer;
  }

  /** List the evaluations that `groundwire eval` stored, the latest first. */
  async listEvaluations(): Promise<EvaluationList> {
    return (await this.#send("GET", `/v1/evaluations`, {})) as EvaluationList;
  }

  /** Search judged questions, store the results as `groundwire eval` does, and return them. */
  async runEvaluation(body: EvaluationBody): Promise<NewEvaluation> {
    return (await this.#send("POST", `/v1/evaluations`, {}, body)) as NewEvaluation;
  }

  /** Show an evaluation with the results of its questions. */
  async showEvaluation(evaluation_id: string): Promise<EvaluationAnswer> {
    return (await this.#send("GET", `/v1/evaluations/${encodeURIComponent(evaluation_id)}`, {})) as EvaluationAnswer;
  }

  /** Delete an evaluation with its questions. */
  async deleteEvaluation(evaluation_id: string): Promise<DeletedEvaluation> {
    return (await this.#send("DELETE", `/v1/evaluations/${encodeURIComponent(evaluation_id)}`, {})) as DeletedEvaluation;
  }

  /** Compare an evaluation with an earlier one by question. */
  async compareEvaluations(evaluation_id: string, query: { earlier: string; max_loss?: number | null }): Promise<EvaluationComparison> {
    return (await this.#send("GET", `/v1/evaluations/${encodeURIComponent(evaluation_id)}/comparison`, query)) as EvaluationComparison;
  }

  /** List the collections of the key with the number of documents that it manages. */
  async listCollections(): Promise<CollectionList> {
    return (await this.#send("GET", `/v1/collections`, {})) as CollectionList;
  }

  /** Create or change a collection; a language counts for documents that are ingested later. */
  async setCollection(name: string, body: CollectionSettings): Promise<CollectionRecord> {
    return (await this.#send("PUT", `/v1/collections/${encodeURIComponent(name)}`, {}, body)) as CollectionRecord;
  }

  /** Delete a collection with its documents; no ingestion creates it again until a person does. */
  async deleteCollection(name: string, query: { reason?: string } = {}): Promise<GoneCollection> {
    return (await this.#send("DELETE", `/v1/collections/${encodeURIComponent(name)}`, query)) as GoneCollection;
  }

  /** Propose a description from the public documents of the collection; nothing is stored. */
  async proposeDescription(name: string): Promise<DescriptionProposal> {
    return (await this.#send("GET", `/v1/collections/${encodeURIComponent(name)}/proposal`, {})) as DescriptionProposal;
  }

  /** List the documents that the key manages, by id; a page can be short or empty and still have a `next`. */
  async listDocuments(query: { collection?: string | null; after?: string | null; limit?: number; ceilings?: boolean; policy_differs?: boolean } = {}): Promise<DocumentList> {
    return (await this.#send("GET", `/v1/documents`, query)) as DocumentList;
  }

  /** Show the record of a document. */
  async showDocument(doc_id: string, query: { segments?: boolean; from_passage?: number; max_passages?: number } = {}): Promise<DocumentWithPassages> {
    return (await this.#send("GET", `/v1/documents/${encodeURIComponent(doc_id)}`, query)) as DocumentWithPassages;
  }

  /** Delete a document; no answer contains it, and no ingestion brings it back until it is restored. */
  async deleteDocument(doc_id: string, query: { reason?: string } = {}): Promise<GoneDocument> {
    return (await this.#send("DELETE", `/v1/documents/${encodeURIComponent(doc_id)}`, query)) as GoneDocument;
  }

  /** Set the readers of a document from the next call on; beside declared readers, as a ceiling. */
  async setPolicy(doc_id: string, body: PolicyOrder, query: { reason?: string } = {}): Promise<DocumentRecord> {
    return (await this.#send("PUT", `/v1/documents/${encodeURIComponent(doc_id)}/policy`, query, body)) as DocumentRecord;
  }

  /** Close a document for everybody until its ceiling is lifted, whatever is ingested. */
  async closeDocument(doc_id: string, query: { reason?: string } = {}): Promise<DocumentRecord> {
    return (await this.#send("POST", `/v1/documents/${encodeURIComponent(doc_id)}/close`, query)) as DocumentRecord;
  }

  /** End the ceiling of a document: its readers are those of the declared policy again. */
  async liftCeiling(doc_id: string, query: { reason?: string } = {}): Promise<DocumentRecord> {
    return (await this.#send("POST", `/v1/documents/${encodeURIComponent(doc_id)}/lift`, query)) as DocumentRecord;
  }

  /** List the deleted documents about which the key decides, by id. */
  async listDeletions(query: { after?: string | null; limit?: number } = {}): Promise<DeletionList> {
    return (await this.#send("GET", `/v1/deletions`, query)) as DeletionList;
  }

  /** End the deletion of a document: the next ingestion of its file brings it back. */
  async restoreDocument(doc_id: string, query: { reason?: string } = {}): Promise<DeletionRecord> {
    return (await this.#send("POST", `/v1/deletions/${encodeURIComponent(doc_id)}/restore`, query)) as DeletionRecord;
  }

  /** Forget which file a deleted document had; then an ingestion can bring the file in as a new document. */
  async forgetDocument(doc_id: string, query: { reason?: string } = {}): Promise<DeletionRecord> {
    return (await this.#send("DELETE", `/v1/deletions/${encodeURIComponent(doc_id)}`, query)) as DeletionRecord;
  }

  /** Create a ticket for this one file; the upload must start within 5 minutes. */
  async openUpload(body: UploadOrder): Promise<UploadTicket> {
    return (await this.#send("POST", `/v1/uploads`, {}, body)) as UploadTicket;
  }

  /** Return what these uploads would do to documents and readers; nothing is changed. */
  async planUploads(body: UploadPlanBody): Promise<UploadPlan> {
    return (await this.#send("POST", `/v1/uploads/plan`, {}, body)) as UploadPlan;
  }

  /** Show the state of an upload. */
  async showUpload(ticket: string): Promise<UploadRecord> {
    return (await this.#send("GET", `/v1/uploads/${encodeURIComponent(ticket)}`, {})) as UploadRecord;
  }

  /** List the last runs of `groundwire ingest`, and count the documents that are not read yet. */
  async listIngestions(): Promise<IngestionList> {
    return (await this.#send("GET", `/v1/ingestions`, {})) as IngestionList;
  }

  /** Show a run with its progress. */
  async showIngestion(ingestion_id: string): Promise<IngestionRecord> {
    return (await this.#send("GET", `/v1/ingestions/${encodeURIComponent(ingestion_id)}`, {})) as IngestionRecord;
  }

  /** End a run after its present file; finished files stay, and the same command continues it. */
  async cancelIngestion(ingestion_id: string): Promise<IngestionRecord> {
    return (await this.#send("POST", `/v1/ingestions/${encodeURIComponent(ingestion_id)}/cancel`, {})) as IngestionRecord;
  }

  /** Search; the answer has only passages that the caller, or the person of `as`, can read now. */
  async search(body: SearchBody, query: { as?: "passages" | "search_result" } = {}): Promise<SearchAnswer | SearchResultAnswer> {
    return (await this.#send("POST", `/v1/search`, query, body)) as SearchAnswer | SearchResultAnswer;
  }

  /** Ask a question over a dialect, whose own handler answers by the rights of the caller. */
  async askDialect(body: DialectQuestion): Promise<DialectAnswer> {
    return (await this.#send("POST", `/v1/search/dialects`, {}, body)) as DialectAnswer;
  }
}
