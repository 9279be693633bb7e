// Server of `@modelcontextprotocol/sdk` 1: sessions and a handshake.
import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import express from "express";

const GREETING = "Grüße, 日本 🎉: ";
const NAMES = ["echo", "fails", "slow", "spare_1", "spare_2"];
const PAGE = 2;
const report = (word) => process.stdout.write(`${word}\n`);
const transports = new Map();

function made() {
  const server = new Server({ name: "source", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async (request) => {
    const at = Number(request.params?.cursor ?? 0);
    const tools = NAMES.slice(at, at + PAGE).map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
    return at + PAGE < NAMES.length ? { tools, nextCursor: String(at + PAGE) } : { tools };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, { signal }) => {
    const { name, arguments: given } = request.params;
    if (name === "echo") return { content: [{ type: "text", text: GREETING + given.text }] };
    if (name === "fails") return { content: [{ type: "text", text: "fails failed: ü" }], isError: true };
    if (name !== "slow") throw new McpError(-32602, `${name} failed: ü`);
    report("slow started");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    report("slow cancelled");
    return { content: [] };
  });
  return server;
}

const app = express();
app.use(express.json());
app.all("/mcp", async (request, response) => {
  let transport = transports.get(request.headers["mcp-session-id"]);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: process.argv.includes("json"),
      onsessioninitialized: (id) => transports.set(id, transport),
      onsessionclosed: () => report("session deleted"),
    });
    await made().connect(transport);
  }
  await transport.handleRequest(request, response, request.body);
});
const listening = app.listen(0, "127.0.0.1", () => report(`port ${listening.address().port}`));
process.stdin.on("end", () => process.exit(0)).resume();
