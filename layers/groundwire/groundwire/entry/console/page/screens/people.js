// People: stored tags of users, the directory of tags, groups, blocks, and what happens when a person leaves.

import { call, get, path, post } from "../api.js";
import { Chips, badge, button, busy, checkbox, empty, field, fill, input, notice, plural, table, tagList, time } from "../controls.js";
import { askBefore, askFor } from "../dialog.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { effectView, newTags } from "../policy_form.js";
import { offboardingPart } from "./offboarding.js";
import { tabs } from "../tabs.js";

const PARTS = [["users", "Users"], ["tags", "Tags"], ["groups", "Groups"], ["blocks", "Blocks"], ["leaving", "Leaving"]];

/** Show what other tags of a user or a group would do, then store them. */
function storeTags(context, { kind, name, tags, redraw }) {
  const route = kind === "user" ? path`users/${name}` : path`groups/${name}`;
  const body = { tags, new_tags: true };
  context.equivalents.show([{ command: commandLine([kind, "set", name], { tag: tags, tenant: context.tenant }),
    curl: curlLine("PUT", route, { body }) }]);
  return askBefore({
    title: `Tags of ${name}`,
    preview: async () => {
      const change = kind === "user" ? { change: "tags", user: name, tags } : { change: "group", group: name, tags };
      const [unknown, effect] = await Promise.all([newTags(tags), post("access/what-if", change)]);
      return [element("p", {}, "Afterwards: ", tagList(tags, "no tags")), unknown.notices, effectView(effect)];
    },
    action: "Store the tags",
    act: async () => {
      await call("PUT", route, { body });
      redraw();
    },
  });
}

function removeTags(context, { kind, name, redraw }) {
  const route = kind === "user" ? path`users/${name}` : path`groups/${name}`;
  context.equivalents.show([{ command: commandLine([kind, "delete", name], { tenant: context.tenant }),
    curl: curlLine("DELETE", route) }]);
  return askBefore({
    title: `Remove the tags of ${name}`, isDangerous: true, action: "Remove",
    preview: async () => kind === "user" ? effectView(await post("access/what-if", { change: "tags", user: name, tags: [] }))
      : element("p", {}, "Then the text of the group is its tag again."),
    act: async () => { await call("DELETE", route); redraw(); },
  });
}

/** Draw users or groups with their tags, and a form for another one. */
function taggedPart(kind, label, teach) {
  return (body, context, known, redraw) => {
    const name = input({ required: true });
    const tags = new Chips("Tags", [], known.tags.map((each) => each.tag));
    const send = (event) => {
      event.preventDefault();
      tags.add();
      storeTags(context, { kind, name: name.value.trim(), tags: tags.values, redraw });
    };
    const list = element("div", {});
    replace(body, list, element("form", { class: "card", onsubmit: send },
      element("h2", {}, `Set the tags of a ${kind}`),
      element("div", { class: "fields" }, field(label, name), tags.view),
      element("div", { class: "actions" }, button("Show the effect", null, { kind: "primary", type: "submit" }))));
    const edit = (row) => { name.value = row[kind]; tags.values = [...row.tags]; tags.draw(); tags.input.focus(); };
    fill(list, () => get(`${kind}s`), (answer) => answer[`${kind}s`].length === 0 ? empty(`No ${kind}s yet`, teach)
      : table(label, [label, "Tags", "Actions"], answer[`${kind}s`].map((row) => [row[kind], tagList(row.tags, "none"),
        element("div", { class: "chips still" },
          button("Edit", () => edit(row), { kind: "small", "aria-label": `Edit ${row[kind]}` }),
          button("Remove", () => removeTags(context, { kind, name: row[kind], redraw }), { kind: "small", "aria-label": `Remove ${row[kind]}` }))])));
    context.equivalents.show([{ command: commandLine([kind, "list"], { tenant: context.tenant }), curl: curlLine("GET", `${kind}s`) }]);
  };
}

function renameTag(context, tag, redraw) {
  const target = input({ required: true, value: tag });
  const merge = checkbox("Make the two one, if the new tag is in use");
  const show = () => {
    const order = { tag, new_tag: target.value.trim(), merge: merge.box.checked };
    context.equivalents.show([{ command: commandLine(["tags", "rename", tag, order.new_tag], { tenant: context.tenant, merge: order.merge }),
      curl: curlLine("POST", "tags/rename", { body: order }) }]);
    return askBefore({
      title: `Rename ${tag} to ${order.new_tag}`, action: "Rename",
      preview: async () => {
        const plan = await post("tags/rename", { ...order, plan: true });
        return [element("dl", {}, ["documents", "users", "keys", "max_tags", "groups", "sources"].map((name) =>
          [element("dt", {}, name.replace("_", " ")), element("dd", {}, plan[name])])),
        plan.from_policy_files > 0 ? notice(`Policy files name it for ${plural(plan.from_policy_files, "document")}: change the files, too.`) : null,
        plan.new_tag_in_use ? notice("The new tag is in use: its holders get these rights, too.", "bad") : null];
      },
      act: async () => { await post("tags/rename", order); redraw(); },
    });
  };
  askFor(`Rename ${tag}`, "Show the effect", field("New tag", target), merge.view).then((isDone) => {
    if (isDone && target.value.trim() !== "" && target.value.trim() !== tag) show();
  });
}

function tagsPart(body, context, known, redraw) {
  context.equivalents.show([{ command: commandLine(["tags", "list"], { tenant: context.tenant }), curl: curlLine("GET", "tags") }]);
  const count = (value) => value === null ? "–" : value;
  replace(body, known.tags.length === 0 ? empty("No tags yet", "A tag is in use when a document, key, user or group has it.")
    : table("Tags", ["Tag", "Documents", "Keys", "Users", "Groups", "Last used", "Actions"], known.tags.map((row) => [
      row.tag, row.documents, row.keys + row.max_tags, count(row.users), count(row.groups), time(row.last_used),
      button("Rename", () => renameTag(context, row.tag, redraw), { kind: "small", "aria-label": `Rename ${row.tag}` })])));
}

function blocksPart(body, context, known, redraw) {
  const user = input({ required: true });
  const block = (event) => {
    event.preventDefault();
    const name = user.value.trim();
    context.equivalents.show([{ command: commandLine(["user", "block", name], { tenant: context.tenant }),
      curl: curlLine("POST", "users/block", { body: { users: [name] } }) }]);
    askBefore({ title: `Block ${name}`, isDangerous: true, asksReason: true, action: "Block",
      preview: async () => [element("p", {}, "The server refuses the next call, whatever key or token names the user."),
        effectView(await post("access/what-if", { change: "block", user: name }))],
      act: async (reason) => { await post("users/block", { users: [name], decision_reason: reason }); redraw(); } });
  };
  const unblock = (name) => askBefore({ title: `Unblock ${name}`, action: "Unblock",
    preview: () => element("p", {}, "Calls may name the user again. Revoked keys stay revoked."),
    act: async () => { await post("users/unblock", { users: [name] }); redraw(); } });
  const list = element("div", {});
  replace(body, list, element("form", { class: "card", onsubmit: block }, element("h2", {}, "Block a user"), field("User", user),
    element("div", { class: "actions" }, button("Show the effect", null, { kind: "primary", type: "submit" }))));
  fill(list, () => get("users/blocked"), ({ users }) => users.length === 0 ? empty("Nobody is blocked", "Block a user at once when a laptop is lost; unblock later.")
    : table("Blocked users", ["User", "Since", "By", "Reason", "Actions"], users.map((row) => [element("span", {}, row.user, " ", badge("blocked")),
      time(row.decided_at), row.decided_by ?? "an operator", row.decision_reason ?? "",
      button("Unblock", () => unblock(row.user), { kind: "small", "aria-label": `Unblock ${row.user}` })])));
  context.equivalents.show([{ command: commandLine(["user", "list"], { tenant: context.tenant, blocked: true }), curl: curlLine("GET", "users/blocked") }]);
}

const DRAW = {
  users: taggedPart("user", "User", "Users are stored only for agents that send a user and no tags. Store tags for one below."),
  tags: tagsPart,
  groups: taggedPart("group", "Group", "A group of your identity provider is its own tag, unless it is mapped to others below."),
  blocks: blocksPart,
  leaving: offboardingPart,
};

export const peopleScreen = {
  id: "people",
  title: "People",
  scopes: ["admin"],
  async render(place, context, [part = "users"]) {
    const current = DRAW[part] ? part : "users";
    const body = element("div", { class: "rows" }, busy());
    replace(place, heading(1, "People and tags"),
      element("p", { class: "lead" }, "Tags decide what a person reads. Every change shows first what it opens and closes."),
      tabs("people", PARTS, current, "Parts"), body);
    const redraw = async () => DRAW[current](body, context, await directory(context), redraw);
    await redraw();
  },
};
