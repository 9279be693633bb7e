// The panel that shows the command and the curl line for what the screen did last.

import { SERVER } from "./api.js";
import { copyButton } from "./controls.js";
import { element, replace } from "./element.js";

/** Return a value as one word of a POSIX shell. */
export function quoted(value) {
  const text = String(value);
  // Some shells expand a word that begins with an equals sign.
  return /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Return a `groundwire` command line: words as they are, options as names with their values. */
export function commandLine(words, options = {}) {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false || value === "") return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((each) => `--${name} ${quoted(each)}`);
  });
  // Somebody may have chosen a name that reads like an option: nothing after `--` is one.
  const from = words.findIndex((word) => String(word).startsWith("-"));
  const [plain, dashed] = from < 0 ? [words, []] : [words.slice(0, from), ["--", ...words.slice(from)]];
  return ["groundwire", ...plain.map(quoted), ...given, ...dashed.map(quoted)].join(" ");
}

/** Return the curl line of a call. */
export function curlLine(method, route, { body, values } = {}) {
  const kept = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const address = `${SERVER}/v1/${route}${kept.length ? `?${new URLSearchParams(kept)}` : ""}`;
  const parts = ["curl -s"];
  if (method !== "GET" && !(method === "POST" && body !== undefined)) parts.push(`-X ${method}`);
  parts.push(quoted(address), '-H "Authorization: Bearer $KEY"');
  if (body !== undefined) parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" ");
}

/** A panel; `show` takes lines such as {title, command, curl}. */
export class Equivalents {
  constructor() {
    this.list = element("div", {});
    this.panel = element("details", { class: "equivalents" },
      element("summary", {}, "The same as a command and with curl"), this.list);
    this.panel.hidden = true;
  }

  show(lines) {
    this.panel.hidden = lines.length === 0;
    replace(this.list, lines.map(({ title, command, curl }) => [
      title ? element("h3", {}, title) : null,
      command ? codeLine("Command", command) : null,
      curl ? codeLine("curl", curl) : null,
    ]));
  }
}

/** Return a line to copy, with its name. */
export function codeLine(name, line) {
  return element("div", { class: "code-line" },
    element("span", { class: "code-name" }, name),
    element("pre", { tabindex: "0", role: "group", "aria-label": name }, element("code", {}, line)),
    copyButton(line, name));
}
