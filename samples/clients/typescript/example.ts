// Ask a question, and show the passages with their sources to a person (Node.js 22.18 or newer):
//
//     URL=http://127.0.0.1:8080 KEY=… node example.ts "How many days of annual leave do I get?" USER TAG…
//
// Without USER, the key is a personal one.
import { Client, type PassageRecord } from "./groundwire_client.ts";

declare const process: { argv: Array<string>; env: Record<string, string | undefined> };

/** Return the lines for a person: each passage, and the address at which it opens. */
function shown(passages: Array<PassageRecord>): Array<string> {
  return passages.flatMap((passage, index) => {
    const page = passage.page_first === null ? "" : `, page ${passage.page_first}`;
    return [
      `[${index + 1}] ${passage.heading_path.join(" > ")}`,
      passage.text,
      `Source: ${passage.source_file_name}${page}`,
      `Open: ${passage.source_url}`,
      "",
    ];
  });
}

const [question = "", user, ...tags] = process.argv.slice(2);
const options = user === undefined ? {} : { user, tags };
const client = new Client(process.env["URL"] ?? "", process.env["KEY"] ?? "", options);
const answer = await client.search({ phrases: [question] });
if ("passages" in answer) {
  console.log(shown(answer.passages).join("\n"));
  if (answer.notice !== null) console.log(answer.notice);
}
