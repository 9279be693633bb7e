// Server of `@modelcontextprotocol/server` 2, which serves both eras without sessions.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { called, listening, page } from "./source_tools.mjs";

function made() {
  const server = new Server({ name: "source", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async (request) => page(request.params?.cursor));
  server.setRequestHandler("tools/call", (request, context) => called(request.params, context.mcpReq.signal));
  return server;
}

const responseMode = process.argv.includes("events") ? "sse" : "json";
const server = createServer(toNodeHandler(createMcpHandler(made, { responseMode })));
server.listen(0, "127.0.0.1", () => listening(server));
