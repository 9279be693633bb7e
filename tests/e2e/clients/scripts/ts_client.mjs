// `@modelcontextprotocol/client` 2: both eras; it opens with the handshake unless it is told to find out.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { run, visited } from "./visit.mjs";

await run(async (task) => {
  const transport = new StreamableHTTPClientTransport(new URL(task.url), { requestInit: { headers: task.headers } });
  const options = task.mode === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
  const client = new Client({ name: "ts-client", version: "1.0.0" }, options);
  await client.connect(transport);
  const told = await visited(client, task, client.getNegotiatedProtocolVersion?.() ?? null);
  await client.close();
  return told;
});
