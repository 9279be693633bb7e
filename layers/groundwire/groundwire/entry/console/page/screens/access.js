// Access: who may read what, why, and what a change would do. Each part asks one route.

import { get, post } from "../api.js";
import { Chips, badge, button, busy, empty, field, fill, input, notice, proposals, select, table, tagList } from "../controls.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { decision, nameOf, readersOf, remedy, whyNot } from "../explanations.js";
import { PersonForm } from "../people_form.js";
import { effectView } from "../policy_form.js";
import { tabs } from "../tabs.js";

const PARTS = [["check", "May they read it?"], ["readers", "Who can read it?"], ["documents", "What can they read?"],
  ["why-not", "Why is it missing?"], ["what-if", "What if?"]];

/** Return a field for a document: its id, a passage, or one of the first documents by name. */
async function documentField() {
  const listed = await get("documents", { limit: 200 }).catch(() => ({ documents: [] }));
  const made = input({ required: true, placeholder: "choose, or paste an id" });
  const list = element("datalist", { id: "documents" },
    listed.documents.map((each) => element("option", { value: each.doc_id }, `${each.file} · ${each.title}`)));
  made.setAttribute("list", list.id);
  return { input: made, view: element("div", {}, field("Document", made, "Id of a document, or uid of a passage."), list) };
}

const written = (made) => made.value.trim();
const orExample = (made, example) => written(made) || example;

/** Return the fields of a person for the body of a call, or for a command; `of` returns the text of a field. */
const personOf = (fields, person, of) => ({ ...fields, user: of(person.user, "USER") || undefined });

/**
 * Return a form whose answer appears below it, and show the lines of its call with examples in the empty fields.
 * `ask` takes the function that returns the text of a field, and gives {route, body, command}; `draw` takes the answer.
 */
function question(context, fields, label, ask, draw) {
  const answer = element("div", { class: "rows", "aria-live": "polite" });
  const show = ({ route, body, command }) => context.equivalents.show([{ command, curl: curlLine("POST", route, { body }) }]);
  const send = (event) => {
    event.preventDefault();
    const asked = ask(written);
    show(asked);
    fill(answer, () => post(asked.route, asked.body), draw);
  };
  show(ask(orExample));
  return [element("form", { class: "card", onsubmit: send }, fields,
    element("div", { class: "actions" }, button(label, null, { kind: "primary", type: "submit" }))), answer];
}

function decisionView(access) {
  return element("div", { class: "card" },
    element("p", { class: "lead" }, badge(access.allowed ? "allowed" : "denied"), " ", decision(access)),
    remedy(access) === "" ? null : notice(remedy(access)),
    element("dl", {},
      element("dt", {}, "Person"), element("dd", {}, nameOf(access.person), " ", tagList(access.person.tags, "no tags")),
      element("dt", {}, "Document"), element("dd", {},
        element("a", { href: `#/documents/${encodeURIComponent(access.document.doc_id)}` }, access.document.file),
        ` in ${access.document.collection}`),
      element("dt", {}, "Readers"), element("dd", {}, access.readers),
      element("dt", {}, "Declared by"), element("dd", {}, access.policy_source),
      access.ceiling ? [element("dt", {}, "Limit"), element("dd", {}, `${readersOf(access.ceiling.policy)}, by ${access.ceiling.decided_by ?? "an operator"}`)] : null,
      access.person.tags_ignored > 0 ? [element("dt", {}, "Tags without effect"), element("dd", {}, access.person.tags_ignored)] : null));
}

export function readersView(answer) {
  const users = answer.users ?? answer.named_users.map((user) => ({ user, reason: "named_user", blocked: false }));
  return element("div", { class: "card" },
    answer.everyone ? notice("Every user of the tenant can read it.") : null,
    element("h3", {}, "Users"),
    users.length === 0 ? element("p", { class: "quiet" }, "Nobody by name or by stored tags.")
      : element("ul", {}, users.map((each) => element("li", {}, each.user, " ",
        element("span", { class: "quiet" }, each.reason === "named_user" ? "by name" : "by stored tags"), " ", each.blocked ? badge("blocked") : null))),
    element("h3", {}, "Tags that suffice"), tagList(answer.tag_sets.map((set) => set.join(" and ")), "none"),
    answer.groups?.length ? [element("h3", {}, "Groups"), tagList(answer.groups)] : null,
    element("h3", {}, "Keys in force"),
    answer.keys.length === 0 ? element("p", { class: "quiet" }, "No key reaches it.")
      : element("ul", {}, answer.keys.map((each) => element("li", {}, each.name || each.kid, " ",
        element("span", { class: "quiet" }, each.user ?? "names users and tags in its calls")))),
    answer.complete ? null : notice("A limit ended the search: there can be more."));
}

const DRAW = {
  async check(context, known) {
    const person = new PersonForm(known);
    const document = await documentField();
    return question(context, [document.view, person.view], "Check", (of) => ({ route: "access/check",
      body: { ...personOf(person.person, person, of), document: of(document.input, "DOCUMENT") },
      command: commandLine(["access", "check", of(document.input, "DOCUMENT")], { ...personOf(person.options, person, of), tenant: context.tenant }) }),
    decisionView);
  },
  async readers(context) {
    const document = await documentField();
    return question(context, [document.view], "List the readers", (of) => ({ route: "access/readers",
      body: { document: of(document.input, "DOCUMENT") },
      command: commandLine(["access", "readers", of(document.input, "DOCUMENT")], { tenant: context.tenant }) }), readersView);
  },
  documents(context, known) {
    const person = new PersonForm(known);
    return question(context, [person.view], "List the documents", (of) => ({ route: "access/documents",
      body: { ...personOf(person.person, person, of), limit: 200 },
      command: commandLine(["access", "documents"], { ...personOf(person.options, person, of), tenant: context.tenant }) }),
    (answer) => [answer.person.refused ? notice(`Every call of this person is refused: ${answer.person.refused}.`, "bad") : null,
      answer.documents.length === 0 ? empty("Nothing", `${nameOf(answer.person)} can read no document that this key manages.`)
        : table("Documents", ["Document", "Collection", "Why"], answer.documents.map((each) => [
          element("a", { href: `#/documents/${encodeURIComponent(each.doc_id)}` }, each.file), each.collection,
          each.reason.replaceAll("_", " ")])),
      answer.next ? notice("There are more: the list is of the first 200.") : null]);
  },
  async "why-not"(context, known) {
    const person = new PersonForm(known);
    const document = await documentField();
    const asked = input({ required: true, maxlength: 2000 });
    return question(context, [document.view, field("Question", asked), person.view], "Ask why", (of) => ({
      route: "access/why-not",
      body: { ...personOf(person.person, person, of), document: of(document.input, "DOCUMENT"), phrases: [of(asked, "QUESTION")] },
      command: commandLine(["access", "why-not", of(document.input, "DOCUMENT"), of(asked, "QUESTION")],
        { ...personOf(person.options, person, of), tenant: context.tenant }) }),
    (answer) => [element("div", { class: "card" }, element("p", {}, badge(answer.outcome.replaceAll("_", " "),
      answer.outcome === "shown" ? "good" : "bad"), " ", whyNot(answer))), decisionView(answer.access)]);
  },
  "what-if"(context, known) {
    const users = proposals(known.users.map((each) => each.user));
    const subject = input({ required: true });
    const tags = new Chips("Tags afterwards", [], known.tags.map((each) => each.tag));
    const subjects = { tags: ["User", "user", "tags"], group: ["Group", "group", "tags"], max_tags: ["Key id", "kid", "max_tags"],
      block: ["User", "user", null] };
    const change = select([["tags", "A user gets other stored tags"], ["group", "A group is mapped to other tags"],
      ["max_tags", "A key may send other tags"], ["block", "A user is blocked"]], "tags");
    const subjectField = field("User", subject);
    change.addEventListener("change", () => {
      subjectField.querySelector("label").textContent = subjects[change.value][0];
      tags.view.hidden = change.value === "block";
      subject.setAttribute("list", change.value === "tags" || change.value === "block" ? users.id : "");
    });
    subject.setAttribute("list", users.id);
    return [element("p", { class: "quiet" }, "To try other readers of a document, open the document."),
      ...question(context, [field("Change", change), subjectField, users, tags.view], "Show the effect", (of) => {
        tags.add();
        const [, name, list] = subjects[change.value];
        const body = { change: change.value, [name]: of(subject, "USER"), ...(list ? { [list]: tags.values } : {}) };
        return { route: "access/what-if", body, command: commandLine(
          ["access", "what-if", change.value.replace("_", "-"), of(subject, "USER")],
          { ...(list ? { tag: tags.values } : {}), tenant: context.tenant }) };
      }, (answer) => element("div", { class: "card" }, effectView(answer)))];
  },
};

export const accessScreen = {
  id: "access",
  title: "Access",
  scopes: ["admin"],
  async render(place, context, [part = "check"]) {
    const current = DRAW[part] ? part : "check";
    const body = element("div", { class: "rows" }, busy());
    replace(place, heading(1, "Access"),
      element("p", { class: "lead" }, "Each answer comes from the rule that decides in a search. Nothing here changes anything."),
      tabs("access", PARTS, current, "Questions"), body);
    const known = await directory(context);
    replace(body, await DRAW[current](context, known));
  },
};
