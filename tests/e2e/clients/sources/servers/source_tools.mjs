// What every server in Node offers.
const GREETING = "Grüße, 日本 🎉: ";
const NAMES = ["echo", "fails", "slow", "spare_1", "spare_2"];
const PAGE = 2;

export const report = (word) => process.stdout.write(`${word}\n`);

export function page(cursor) {
  const at = Number(cursor ?? 0);
  const tools = NAMES.slice(at, at + PAGE).map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
  return at + PAGE < NAMES.length ? { tools, nextCursor: String(at + PAGE) } : { tools };
}

export async function called({ name, arguments: given }, signal) {
  if (name === "echo") return { content: [{ type: "text", text: GREETING + given.text }] };
  if (name !== "slow") return { content: [{ type: "text", text: `${name} failed: ü` }], isError: true };
  report("slow started");
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  report("slow cancelled");
  return { content: [] };
}

export function listening(server) {
  report(`port ${server.address().port}`);
  process.stdin.on("end", () => process.exit(0)).resume();
}
