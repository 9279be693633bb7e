// Who will call: the options of a key for each client, and the lines that connect it.

import { SERVER } from "./api.js";
import { quoted } from "./equivalents.js";

const READ = ["search", "verify"];
const json = (value) => JSON.stringify(value);
const header = (key) => `-H ${quoted(`Authorization: Bearer ${key}`)} -H 'Content-Type: application/json'`;

/** Return the call of a tool over MCP as a curl line. */
function toolCall(address, key, name, values, more = "") {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } };
  return `curl -s ${SERVER}${address} ${header(key)}${more} -d ${quoted(json(call))}`;
}

/**
 * Clients. `kind`: a personal key, or one whose calls name users. `settings`: options of the key. `lines`: name and
 * line to copy, made with the new key.
 */
export const CLIENTS = [
  { id: "mindset", title: "Mindset AI", kind: "act_as", hint: "Each call names its user and tags.",
    settings: { scopes: READ, toolset: "mindset", expires_in_days: 365, rate_per_minute: 3000, burst: 300 },
    lines: (key) => [["Address", `${SERVER}/mcp`], ["Key", key],
      ["Check", toolCall("/mcp", key, "rag_search", { search_phrases: ["annual leave"] },
        ` -H 'x-user-id: ana@example.com' -H ${quoted(`x-session-tags: ${json(["department:sales"])}`)}`)]] },
  { id: "claude", title: "Claude", kind: "personal", hint: "For one person, in Claude Code or the desktop app.",
    settings: { scopes: READ },
    lines: (key) => [["Claude Code", `claude mcp add --transport http groundwire ${SERVER}/mcp --header "Authorization: Bearer ${key}"`],
      ["Desktop", json({ mcpServers: { groundwire: { command: "npx", args: ["-y", "mcp-remote", `${SERVER}/mcp`, "--header", `Authorization: Bearer ${key}`] } } })]] },
  { id: "chatgpt", title: "ChatGPT", kind: "personal", hint: "The tools search and fetch. ChatGPT needs a public https address.",
    settings: { scopes: READ, toolset: "openai" },
    lines: (key) => [["Address", `${SERVER}/mcp`], ["Header", `Authorization: Bearer ${key}`]] },
  { id: "vscode", title: "VS Code", kind: "personal", hint: "For one person; the file .vscode/mcp.json.",
    settings: { scopes: READ },
    lines: (key) => [[".vscode/mcp.json", json({ servers: { groundwire: { type: "http", url: `${SERVER}/mcp`,
      headers: { Authorization: `Bearer ${key}` } } } })]] },
  { id: "azure", title: "Azure AI Search", kind: "personal", hint: "A client of knowledge bases.",
    settings: { scopes: READ, dialects: ["azure"] },
    lines: (key) => [["Check", `curl -s '${SERVER}/knowledgebases/COLLECTION/retrieve?api-version=2026-04-01' -H ${quoted(`api-key: ${key}`)} `
      + `-H 'Content-Type: application/json' -d ${quoted(json({ intents: [{ type: "semantic", search: "annual leave" }] }))}`]] },
  { id: "vertex", title: "Vertex AI", kind: "personal", hint: "A client of RAG Engine.",
    settings: { scopes: READ, dialects: ["vertex"] },
    lines: (key) => [["Check", `curl -s ${SERVER}/v1/projects/demo/locations/local:retrieveContexts -H ${quoted(`x-goog-api-key: ${key}`)} `
      + `-H 'Content-Type: application/json' -d ${quoted(json({ query: { text: "annual leave" } }))}`]] },
  { id: "opensearch", title: "OpenSearch", kind: "personal", hint: "A client of the engine or of its MCP server.",
    settings: { scopes: READ, dialects: ["opensearch"] },
    lines: (key) => [["Check", `curl -s ${SERVER}/opensearch/COLLECTION/_search -u ${quoted(`key:${key}`)} `
      + `-H 'Content-Type: application/json' -d ${quoted(json({ query: { match: { content: "annual leave" } }, size: 5 }))}`]] },
  { id: "agent", title: "My agent", kind: "act_as", hint: "Your own code, for many users.",
    settings: { scopes: READ },
    lines: (key) => [["Call", toolCall("/mcp", key, "rag_search", { search_phrases: ["annual leave"] },
      ` -H 'x-user-id: ana@example.com' -H ${quoted(`x-session-tags: ${json(["department:sales"])}`)}`)]] },
  { id: "code", title: "My code", kind: "personal", hint: "Your own code, for one user.",
    settings: { scopes: READ },
    lines: (key) => [["Call", `curl -s ${SERVER}/v1/search ${header(key)} -d ${quoted(json({ phrases: ["annual leave"] }))}`]] },
  { id: "person", title: "An administrator", kind: "personal", hint: "This page and the command line over --url.",
    settings: { scopes: ["admin", "search", "verify"], may_search_as: true },
    lines: (key) => [["Page", `${SERVER}/console`], ["Key", key]] },
];
