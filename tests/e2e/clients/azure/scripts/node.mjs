// `@azure/search-documents`: 12.3 and 13.0 differ in the name of a method and in where headers go.
import { stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";
import { AzureKeyCredential, KnowledgeRetrievalClient, SearchIndexClient } from "@azure/search-documents";

const { callers, ...task } = JSON.parse(await text(stdin));
const insecure = { allowInsecureConnection: true };
const plans = "retrieveKnowledge" in KnowledgeRetrievalClient.prototype;
const method = plans ? "retrieveKnowledge" : "retrieve";
const intents = (...texts) => texts.map((search) => ({ type: "semantic", search }));

const outcome = async (call) => {
  try {
    await call();
    return "";
  } catch (error) {
    return `${error.name} ${error.statusCode} ${error.message}`;
  }
};

const answer = ({ response, references = [], activity = [] }) => ({
  texts: JSON.parse(response[0].content[0].text).map((each) => each.content),
  keys: references.map((each) => each.docKey),
  kinds: [...new Set(references.map((each) => each.type))],
  data: references.filter((each) => each.sourceData).map((each) => each.sourceData.content),
  scores: references.map((each) => each.rerankerScore),
  activity: [...new Set(activity.map((each) => each.type))],
  searches: activity.filter((each) => each.searchIndexArguments).map((each) => each.searchIndexArguments.search),
  errors: activity.filter((each) => each.error).map((each) => each.error.message),
});

const retriever = (key, headers) => async (name, request, source) => {
  const client = new KnowledgeRetrievalClient(task.url, name, new AzureKeyCredential(key), insecure);
  const parameters = { kind: "searchIndex", knowledgeSourceName: name, ...source };
  const asked = { ...request, ...(source && { knowledgeSourceParams: [parameters] }) };
  return client[method](asked, { requestOptions: plans ? { customHeaders: headers } : { headers } });
};

const visit = async (caller) => {
  const retrieve = retriever(caller.key, caller.identity);
  const question = { intents: intents(task.question), includeActivity: true };
  const found = async (source) => answer(await retrieve(task.collection, question, source));
  const told = {
    question: await found({}),
    "question again": answer(await retrieve(task.collection, question)),
    filter: await found({ filterAddOn: `source_file_name eq '${caller.document}'` }),
    "filter of others": await found({ filterAddOn: `source_file_name eq '${caller.others}'` }),
    data: await found({ includeReferenceSourceData: true }),
    "threshold 0": await found({ rerankerThreshold: 0 }),
    "threshold 4": await found({ rerankerThreshold: 4 }),
    intents: answer(await retrieve(task.collection, { intents: intents(task.question, task.second) }, {})),
    errors: {
      missing: await outcome(() => retrieve(task.missing, question, {})),
      closed: await outcome(() => retrieve(task.closed, question, {})),
      filter: await outcome(() => found({ filterAddOn: "source_file_name = 'x'" })),
      key: await outcome(() => retriever("wrong", caller.identity)(task.collection, question, {})),
      question: await outcome(() => retrieve(task.collection, { intents: intents(" ") }, {})),
    },
  };
  if (plans) {
    const messages = task.conversation.map(([role, each]) => ({ role, content: [{ type: "text", text: each }] }));
    told.messages = answer(await retrieve(task.collection, { messages, retrievalReasoningEffort: { kind: "low" } }));
  }
  return told;
};

// Operations of a client on one kind of definition.
const kindOf = (key, what, make) => {
  const client = new SearchIndexClient(task.url, new AzureKeyCredential(key), insecure);
  return {
    make,
    create: (each) => client[`create${what}`](each),
    // 13.0 takes the name of a source from the source.
    put: (each, options) =>
      client[`createOrUpdate${what}`](...(plans || what === "KnowledgeBase" ? [each.name, each] : [each]), options),
    get: (name) => client[`get${what}`](name),
    list: async () => {
      const names = [];
      for await (const each of client[`list${what}s`]()) names.push(each.name);
      return names;
    },
    delete: (each, options) => client[`delete${what}`](each, options),
  };
};

const etagOf = (each) => each.etag ?? each.eTag;
// For sources 13.0 reads `etag` and writes `eTag`, so that it never sends the condition by itself.
const unchanged = (each) =>
  each.etag ? { onlyIfUnchanged: true } : { requestOptions: { headers: { "If-Match": each.eTag } } };

const walk = async (kind, name, reader) => {
  const created = await kind.create(kind.make(name, "First."));
  const read = await kind.get(name);
  const came = {
    create: etagOf(created) && etagOf(created) === etagOf(read) ? "" : `${etagOf(created)} is not ${etagOf(read)}`,
    read: read.name === name && read.description === "First." ? "" : JSON.stringify(read),
    list: (await kind.list()).includes(name) ? "" : "not listed",
    "create again": await outcome(() => kind.create(kind.make(name, "Again."))),
  };
  const changed = await kind.put({ ...read, description: "Second." }, unchanged(read));
  came.change = changed.description === "Second." && etagOf(changed) !== etagOf(read) ? "" : JSON.stringify(changed);
  came["change stale"] = await outcome(() => kind.put(read, unchanged(read)));
  came["delete stale"] = await outcome(() => kind.delete(read, unchanged(read)));
  came["change without rights"] = await outcome(() => reader.put(kind.make(name, "Other.")));
  came["delete without rights"] = await outcome(() => reader.delete(name));
  const seen = await reader.get(name);
  came["read without rights"] = seen.description === "Second." ? "" : JSON.stringify(seen);
  came.delete = await outcome(() => kind.delete(changed, unchanged(changed)));
  came["read deleted"] = await outcome(() => kind.get(name));
  came["delete deleted"] = await outcome(() => kind.delete(name));
  return came;
};

const administer = async () => {
  const [base, kept, gone] = ["base", "kept", "gone"].map((each) => `${task.names}-${each}`);
  const makeBase = (name, description, sources = [task.collection]) => ({
    name,
    description,
    knowledgeSources: sources.map((each) => ({ name: each })),
  });
  const makeSource = (name, description) => ({
    name,
    description,
    kind: "searchIndex",
    searchIndexParameters: { searchIndexName: task.collection, sourceDataFields: [{ name: "title" }, { name: "content" }] },
  });
  const both = (what, make) => [task.administrator, task.reader].map((key) => kindOf(key, what, make));
  const [bases, readBases] = both("KnowledgeBase", makeBase);
  const [sources, readSources] = both("KnowledgeSource", makeSource);
  const told = { definitions: await walk(bases, base, readBases), sources: await walk(sources, kept, readSources) };
  await sources.put(makeSource(kept, "Kept."));
  await sources.put(makeSource(gone, "To be deleted."));
  await bases.put(makeBase(base, "Of two.", [kept, gone]));
  const retrieve = retriever(task.administrator, {});
  const question = { intents: intents(task.question) };
  told.defined = answer(await retrieve(base, question));
  const client = new SearchIndexClient(task.url, new AzureKeyCredential(task.administrator), insecure);
  told.status = (await client.getKnowledgeSourceStatus(kept)).synchronizationStatus;
  await sources.delete(gone);
  told.partial = answer(await retrieve(base, question));
  await bases.delete(base);
  await sources.delete(kept);
  return told;
};

for (const caller of callers) stdout.write(`${JSON.stringify(await visit(caller))}\n`);
stdout.write(`${JSON.stringify(await administer())}\n`);
