// `@google-cloud/aiplatform` over REST: both versions of the API.
import { stdin, stdout } from "node:process";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const require = createRequire(import.meta.url);
const { v1, v1beta1 } = require("@google-cloud/aiplatform");
const { Status } = require("google-gax");
const { OAuth2Client } = require("google-auth-library");

const { callers, ...task } = JSON.parse(await text(stdin));
for (const caller of callers) {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: caller.key });
  const { hostname, port } = new URL(task.url);
  const options = { fallback: "rest", apiEndpoint: hostname, port: Number(port), protocol: "http", authClient };
  const told = { texts: [], scores: [], sources: [] };
  for (const { VertexRagServiceClient } of [v1, v1beta1]) {
    const client = new VertexRagServiceClient(options);
    const retrieve = async (ragCorpus, ragRetrievalConfig) => {
      const request = {
        parent: task.parent,
        query: { text: task.question, ragRetrievalConfig },
        vertexRagStore: { ragResources: [{ ragCorpus }] },
      };
      const [found] = await client.retrieveContexts(request, { otherArgs: { headers: caller.identity } });
      return found.contexts?.contexts ?? [];
    };
    for (const each of await retrieve(task.corpus, { topK: 5 })) {
      told.texts.push(each.text);
      told.scores.push(each.score);
      told.sources.push(each.sourceDisplayName);
    }
    told.nothing = (await retrieve(task.corpus, { filter: { vectorDistanceThreshold: 0 } })).length;
    // The message names the code in old versions only.
    const named = (error) => `${Status[error.code]}: ${error.message}`;
    told.error = await retrieve(task.missing, {}).then(() => "", named);
  }
  stdout.write(`${JSON.stringify(told)}\n`);
}
