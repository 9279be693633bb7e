// A call of a route in place: its fields, what it will send, and the answer.

import { call } from "./api.js";
import { busy, button, field, freshId, input, notice, problem } from "./controls.js";
import { jsonView } from "./dialects.js";
import { askBefore } from "./dialog.js";
import { element, replace } from "./element.js";
import { curlLine } from "./equivalents.js";

const PARAMETER = /\{(\w+)\}/g;

/** Return the fields of a route by name: parts of its path, and parameters after the question mark. */
function fieldsOf(route) {
  const names = [...route.path.matchAll(PARAMETER)].map(([, name]) => name);
  const parts = new Map(names.map((name) => [name, input({ required: true })]));
  const query = new Map(route.query.map(({ name, schema }) => [name, input({ placeholder: schema?.default ?? "" })]));
  return { parts, query };
}

/** Return the part of a route's view that calls the route as the person who is signed in. */
export function routeTrial(route, context) {
  const { parts, query } = fieldsOf(route);
  const body = route.body === undefined ? null
    : element("textarea", { id: freshId("body"), rows: "8", spellcheck: "false", class: "code-field", value: JSON.stringify(route.body, null, 2) });
  const answer = element("div", { class: "rows", "aria-live": "polite" });

  const carryOut = async (target, sent) => {
    replace(answer, busy("Calling …"));
    context.equivalents.show([{ curl: curlLine(route.method, target, sent) }]);
    try {
      const found = await call(route.method, target, sent);
      replace(answer, found === null ? notice("The server carried it out, and has no more to say.", "good") : jsonView("Answer", found));
    } catch (error) {
      replace(answer, problem(error));
    }
  };

  const send = async (event) => {
    event.preventDefault();
    const target = route.path.replace(/^\/v1\//, "").replaceAll(PARAMETER, (_, name) => encodeURIComponent(parts.get(name).value.trim()));
    const sent = { values: Object.fromEntries([...query].map(([name, control]) => [name, control.value.trim()])) };
    if (body !== null) {
      try {
        sent.body = JSON.parse(body.value);
      } catch (error) {
        replace(answer, notice(`The body is no JSON. ${error.message}`, "bad"));
        return;
      }
    }
    if (route.method === "GET") {
      await carryOut(target, sent);
      return;
    }
    await askBefore({ title: `${route.method} /v1/${target}`, action: "Send", isDangerous: route.method === "DELETE",
      preview: async () => [element("p", {}, route.text), element("p", {}, `The server carries it out at once, by the rights of ${context.who.user ?? "this key"}.`),
        body === null ? null : jsonView("Body", sent.body)],
      act: () => carryOut(target, sent) });
  };

  const named = (fields) => [...fields].map(([name, control]) => field(name, control));
  return element("form", { class: "rows", onsubmit: send },
    parts.size + query.size > 0 ? element("div", { class: "fields" }, named(parts), named(query)) : null,
    body === null ? null : field("Body", body),
    element("div", { class: "actions" }, button(route.method === "GET" ? "Call it" : "Call it …", null, { type: "submit" })), answer);
}
