// A person leaves: all ids blocked, keys revoked, stored tags removed, with a receipt to keep.

import { post } from "../api.js";
import { Chips, badge, button, checkbox, empty, input, notice, plural, field } from "../controls.js";
import { askBefore } from "../dialog.js";
import { element, replace } from "../element.js";
import { commandLine, curlLine } from "../equivalents.js";
import { effectView } from "../policy_form.js";

export function offboardingPart(body, context, known) {
  const ids = new Chips("Ids of the person", [], known.users.map((each) => each.user), "All of them: mail address, id of the identity provider.");
  const created = checkbox("Revoke the keys that the person created, too");
  const reason = input({ maxlength: 200, value: "left the company" });
  const receipt = element("div", { "aria-live": "polite" });
  const orderFor = (users) => ({ users, decision_reason: reason.value.trim(), revoke_created: created.box.checked });
  const show = (order) => context.equivalents.show([{ command: commandLine(["user", "offboard", ...order.users],
    { tenant: context.tenant, reason: order.decision_reason, "revoke-created": order.revoke_created }),
  curl: curlLine("POST", "users/offboard", { body: order }) }]);
  const send = (event) => {
    event.preventDefault();
    ids.add();
    if (ids.values.length === 0) return;
    const order = orderFor(ids.values);
    show(order);
    askBefore({ title: `Offboard ${order.users.join(", ")}`, isDangerous: true, action: "Offboard",
      preview: async () => [
        element("p", {}, "Every id is blocked, its keys are revoked, and its stored tags are removed. Documents that name it are listed."),
        await Promise.all(order.users.map(async (user) => element("section", {}, element("h3", {}, user),
          effectView(await post("access/what-if", { change: "block", user })))))],
      act: async () => replace(receipt, receiptView(await post("users/offboard", order))) });
  };
  replace(body, element("form", { class: "card", onsubmit: send }, element("h2", {}, "A person leaves"), ids.view,
    field("Reason, for the record", reason), created.view,
    element("div", { class: "actions" }, button("Show the effect", null, { kind: "primary", type: "submit" }))), receipt);
  show(orderFor(["USER"]));
  replace(receipt, empty("No receipt yet", "It lists what ended, and what a person must still look at."));
}

function section(title, rows, none = "none") {
  return [element("h3", {}, title), rows.length === 0 ? element("p", { class: "quiet" }, none)
    : element("ul", {}, rows.map((row) => element("li", {}, row)))];
}

function keyLine(key) {
  return [`${key.name || key.kid} `, key.revoked ? badge("revoked") : badge("in force", "busy")];
}

function receiptView(answer) {
  const text = JSON.stringify(answer, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  return element("div", { class: "card" }, element("h2", {}, "Receipt"),
    section("Blocked", answer.users.map((each) => each.user)),
    section("Keys of the person", answer.revoked_keys.map(keyLine)),
    section("Keys that the person created", answer.created_keys.map(keyLine)),
    section("Stored tags that were removed", answer.removed_tags.map((each) => `${each.user}: ${each.tags.join(", ")}`)),
    section("Documents that name the person", answer.documents.map((each) =>
      element("a", { href: `#/documents/${encodeURIComponent(each.doc_id)}` }, each.file))),
    section("MCP sources that name the person", answer.sources.map((each) => each.name)),
    answer.keys_without_user.length === 0 ? null : notice(`${plural(answer.keys_without_user.length, "agent key")} may send tags alone: no block recognises these calls.`, "bad"),
    element("div", { class: "actions" }, element("a", { href: address, download: "receipt.json" }, "Download the receipt")));
}
