// Server of `@modelcontextprotocol/sdk` 1: sessions and a handshake.
import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import express from "express";
import { called, listening, page } from "./source_tools.mjs";

const transports = new Map();

function made() {
  const server = new Server({ name: "source", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async (request) => page(request.params?.cursor));
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => called(request.params, signal));
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
    });
    await made().connect(transport);
  }
  await transport.handleRequest(request, response, request.body);
});
const server = app.listen(0, "127.0.0.1", () => listening(server));
