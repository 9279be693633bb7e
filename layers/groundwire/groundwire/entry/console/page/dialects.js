// The same question over a dialect: what its clients send, and what they get.

import { SERVER, post } from "./api.js";
import { badge, busy, button, field, freshId, problem, select } from "./controls.js";
import { element, replace } from "./element.js";
import { codeLine, commandLine, curlLine, quoted } from "./equivalents.js";
import { collectionField } from "./policy_form.js";

const DIALECTS = [["default", "MCP: rag_search"], ["openai", "ChatGPT"], ["mindset", "Mindset AI"], ["azure", "Azure AI Search"],
  ["foundry", "Foundry Local"], ["opensearch", "OpenSearch"], ["vertex", "Vertex AI"]];
const ROUTE = "search/dialects";

/** Return the JSON on lines, for people. */
export function jsonView(name, value) {
  const id = freshId("json");
  return element("section", { class: "card", "aria-labelledby": id }, element("h3", { id }, name),
    element("pre", { class: "json", tabindex: "0", role: "group", "aria-label": name }, element("code", {}, JSON.stringify(value, null, 2))));
}

/** Return the curl line of a client of the dialect. */
function clientLine({ method, path, body }) {
  // A client of MCP names the revision of the protocol and both forms of an answer.
  const mcp = "jsonrpc" in body ? "-H 'accept: application/json, text/event-stream' " : "";
  return `curl -s -X ${method} ${quoted(`${SERVER}${path}`)} -H "Authorization: Bearer $KEY" ${mcp}-H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

/** Return the part of a screen that asks a dialect; `question` returns the text of the question. */
export function dialectPart(context, known, question) {
  const dialect = select(DIALECTS, "opensearch");
  const collection = collectionField(known);
  collection.input.value = known.collections.find((each) => each.documents > 0)?.name ?? "default";
  const answer = element("div", { class: "rows", "aria-live": "polite" });
  const ask = async () => {
    const body = { dialect: dialect.value, question: question(), collection: collection.input.value.trim() };
    if (body.question === "") return;
    context.equivalents.show([{ command: commandLine(["replay", body.question], { tenant: context.tenant, collection: body.collection,
      user: context.who.user, tag: context.who.tags }), curl: curlLine("POST", ROUTE, { body }) }]);
    replace(answer, busy("Asking …"));
    try {
      const shown = await post(ROUTE, body);
      replace(answer, element("div", { class: "pair" },
        jsonView(`Request: ${shown.request.method} ${shown.request.path}`, shown.request.body),
        jsonView(`Answer: status ${shown.status}`, shown.answer)),
      codeLine("curl", clientLine(shown.request)));
    } catch (error) {
      replace(answer, problem(error));
    }
  };
  return element("details", { class: "dialects" }, element("summary", {}, "The same question over a dialect, such as OpenSearch"),
    element("p", {}, badge("as yourself", "accent"), ` A client of the dialect gets this with a key of ${context.who.user ?? "nobody by name"}.`),
    element("div", { class: "fields" }, field("Dialect", dialect), collection.view, element("div", { class: "field" }, button("Ask over it", ask))), answer);
}
