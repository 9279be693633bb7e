// `mcp-remote`: desktop applications that know only local servers start it, and speak through its pipes.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run, visited } from "./visit.mjs";

const PROXY = fileURLToPath(new URL("node_modules/mcp-remote/dist/proxy.js", import.meta.url));

await run(async (task) => {
  // As its users do it: some systems split an argument at its spaces, so values come from variables.
  const headers = Object.keys(task.headers).flatMap((name, place) => ["--header", `${name}:\${HEADER_${place}}`]);
  const values = Object.values(task.headers).map((value, place) => [`HEADER_${place}`, value]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROXY, task.url, "--allow-http", "--transport", "http-only", "--silent", ...headers],
    env: { ...process.env, ...Object.fromEntries(values) },
    stderr: "ignore",
  });
  const client = new Client({ name: "behind-mcp-remote", version: "1.0.0" }, { versionNegotiation: { mode: task.mode } });
  await client.connect(transport);
  const told = await visited(client, task, client.getNegotiatedProtocolVersion?.() ?? null);
  await client.close();
  return told;
});
