// One visit over a TypeScript client, whichever package it is from; the shape of what it tells is that of visit.py.
import { readFileSync } from "node:fs";

const UNKNOWN_TOOL = "no_such_tool";

const textOf = (blocks) => blocks.map((block) => block.text ?? "").join("\n");

export const visited = async (client, task, version) => {
  const { tools } = await client.listTools();
  const error = await failing(client.callTool({ name: UNKNOWN_TOOL, arguments: {} }));
  const result = await client.callTool({ name: task.tool, arguments: task.arguments });
  return {
    version,
    tools: tools.map((tool) => tool.name),
    error,
    answer: textOf(result.content),
    structured: result.structuredContent ?? null,
    ...(task.features.includes("resources") ? await read(client) : {}),
    ...(task.features.includes("prompts") ? await fill(client, task) : {}),
  };
};

const failing = async (call) => {
  try {
    const result = await call;
    return result.isError ? `result: ${textOf(result.content)}` : "";
  } catch (fault) {
    if (typeof fault.code !== "number") throw fault;
    return `${fault.constructor.name}: ${fault.message}`;
  }
};

const read = async (client) => {
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0].uri });
  return { resources: resources.map((resource) => resource.uri), resource: textOf(contents) };
};

const fill = async (client, task) => {
  const { prompts } = await client.listPrompts();
  const required = (prompts[0].arguments ?? []).filter((argument) => argument.required);
  const chosen = Object.fromEntries(required.map(({ name }) => [name, task.prompt_arguments[name]]));
  const filled = await client.getPrompt({ name: prompts[0].name, arguments: chosen });
  return { prompts: prompts.map((prompt) => prompt.name), prompt: textOf(filled.messages.map((message) => message.content)) };
};

export const run = async (visit) => {
  const { callers, ...task } = JSON.parse(readFileSync(0, "utf8"));
  for (const headers of callers) {
    process.stdout.write(`${JSON.stringify(await visit({ ...task, headers }))}\n`);
  }
};
