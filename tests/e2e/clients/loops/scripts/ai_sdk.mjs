// Vercel's AI SDK, with the tools of its own MCP client.
import { readFileSync } from "node:fs";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, streamText } from "ai";

const MOST_STEPS = 5;

const ask = async (one) => {
  const client = await createMCPClient({ transport: { type: "http", url: one.url, headers: one.headers } });
  try {
    const api = createOpenAI({ baseURL: `${one.model_url}/v1`, apiKey: "none" });
    const model = one.mode === "chat" ? api.chat("gpt-5") : api.responses("gpt-5");
    const asked = { model, tools: await client.tools(), stopWhen: isStepCount(MOST_STEPS), prompt: one.question, maxRetries: 0 };
    if (one.mode === "chat") return (await generateText(asked)).text;
    let failed;
    const streamed = streamText({ ...asked, onError: ({ error }) => (failed = error) });
    await streamed.consumeStream();
    if (failed) throw failed;
    return await streamed.text;
  } finally {
    await client.close();
  }
};

for (const one of JSON.parse(readFileSync(0, "utf8"))) {
  const told = { name: one.name, said: "", raised: "" };
  try {
    told.said = await ask(one);
  } catch (error) {
    told.raised = String(error);
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
