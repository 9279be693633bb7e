// `@modelcontextprotocol/sdk` 1: the handshake versions.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { run, visited } from "./visit.mjs";

await run(async (task) => {
  const transport = new StreamableHTTPClientTransport(new URL(task.url), { requestInit: { headers: task.headers } });
  const client = new Client({ name: "ts-sdk", version: "1.0.0" });
  await client.connect(transport);
  const told = await visited(client, task, transport.protocolVersion ?? null);
  await client.close();
  return told;
});
