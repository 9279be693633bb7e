// One visit over a TypeScript client, whichever package it is from; the shape of what it tells is that of client_run.py.
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
    blocks: result.content.map((block) => block.type),
    refusal: await failing(client.callTool({ name: task.tool, arguments: task.impossible })),
    structured: result.structuredContent ?? null,
    pictures: task.pictures ? await pictures(client, ...task.pictures) : [],
    ...(task.has_library ? await read(client, task) : { resources: [], resource: "" }),
    ...(task.has_library ? await fill(client, task) : { prompts: [], prompt: "" }),
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

const pictures = async (client, name, values) => {
  const { content } = await client.callTool({ name, arguments: values });
  return content.map((block) => [block.type, block.data ?? ""]);
};

const read = async (client, task) => {
  const { resources } = await client.listResources();
  const { uri } = resources.find((resource) => resource.name === task.document);
  const { contents } = await client.readResource({ uri });
  return { resources: resources.map((resource) => resource.name), resource: textOf(contents) };
};

const fill = async (client, task) => {
  const { prompts } = await client.listPrompts();
  const [name, values] = task.prompt;
  const filled = await client.getPrompt({ name, arguments: values });
  return { prompts: prompts.map((prompt) => prompt.name), prompt: textOf(filled.messages.map((message) => message.content)) };
};

export const run = async (visit) => {
  const { callers, ...task } = JSON.parse(readFileSync(0, "utf8"));
  for (const caller of callers) {
    process.stdout.write(`${JSON.stringify(await visit({ ...task, ...caller }))}\n`);
  }
};
