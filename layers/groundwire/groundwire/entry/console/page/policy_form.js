// Fields of a policy, and its effect in words before anybody confirms it.

import { post } from "./api.js";
import { Chips, badge, checkbox, field, input, notice, plural, proposals, tagList } from "./controls.js";
import { element } from "./element.js";

/** Fields that name the readers of a document. */
export class PolicyForm {
  constructor(policy, known) {
    const tags = known.tags.map((each) => each.tag);
    this.everyone = checkbox("Every user of the tenant", policy.public);
    this.users = new Chips("Users by name", policy.users, known.users.map((each) => each.user));
    this.anyTags = new Chips("Holders of one of these tags", policy.any_tags, tags);
    this.allTags = new Chips("… and of all of these", policy.all_tags, tags);
    this.view = element("div", { class: "rows" }, this.everyone.view, this.users.view, this.anyTags.view, this.allTags.view);
  }

  get chips() {
    return [this.users, this.anyTags, this.allTags];
  }

  get policy() {
    for (const chips of this.chips) chips.add();
    return { public: this.everyone.box.checked, users: this.users.values, any_tags: this.anyTags.values,
      all_tags: this.allTags.values };
  }
}

/** Return warnings of tags that nobody has, and whether one of them looks like a slip, as the command finds them. */
export async function newTags(tags) {
  if (tags.length === 0) return { notices: [], hasSlip: false };
  const { new: found } = await post("tags/check", { tags });
  return { hasSlip: found.some((each) => each.meant !== null),
    notices: found.map((each) => notice(each.meant ? `Nobody has ${each.tag}. Did you mean ${each.meant}?`
      : `Nobody has ${each.tag} yet.`, each.meant ? "bad" : "")) };
}

/** Return the options of the command for a policy. */
export function policyOptions(policy) {
  const isNobody = !policy.public && [policy.users, policy.any_tags, policy.all_tags].every((each) => each.length === 0);
  return { public: policy.public, user: policy.users, "any-tag": policy.any_tags, "all-tag": policy.all_tags,
    nobody: isNobody };
}

/** Return the effect of a change on readers or on documents, of an answer of `access/what-if`. */
export function effectView(answer) {
  if ("everyone_before" in answer) return readersEffect(answer);
  return [effectSide("Opens", answer.added), effectSide("Closes", answer.removed),
    answer.complete ? null : notice("There are more than this looks at: the counts are a part.")];
}

function effectSide(verb, side) {
  return element("section", {}, element("h3", {}, `${verb} ${plural(side.count, "document")}`),
    side.documents.length === 0 ? null : element("ul", {}, side.documents.map((each) =>
      element("li", {}, element("a", { href: `#/documents/${encodeURIComponent(each.doc_id)}` }, each.file), ` in ${each.collection}`))),
    side.count > side.documents.length ? element("p", { class: "quiet" }, "… and more") : null);
}

function readersEffect(answer) {
  const words = { true: "every user of the tenant", false: "not everybody" };
  return [
    answer.everyone_before === answer.everyone_after ? null
      : notice(`Before: ${words[answer.everyone_before]}. After: ${words[answer.everyone_after]}.`, answer.everyone_after ? "bad" : ""),
    readersSide("Can read it then", answer.added, "good"),
    readersSide("Can no longer read it", answer.removed, "bad"),
  ];
}

/** Return the title of a list that may be cut, with the number of all where it is. */
function counted(title, side, name) {
  const all = side.counts[name];
  return all > (side[name]?.length ?? 0) ? `${title} (${all} in all)` : title;
}

function readersSide(title, side, kind) {
  const rows = [
    [counted("Users", side, "users"), [...new Set([...side.named_users, ...(side.users ?? [])])]],
    ["Tags", side.tag_sets.map((tags) => tags.join(" and "))],
    [counted("Groups", side, "groups"), side.groups ?? []],
    [counted("Keys", side, "keys"), side.keys],
  ].filter(([, values]) => values.length > 0);
  return element("section", {}, element("h3", {}, title, " ", rows.length === 0 ? badge("nobody") : badge("changed", kind)),
    rows.length === 0 ? null : element("dl", {}, rows.map(([name, values]) => [element("dt", {}, name),
      element("dd", {}, tagList(values))])));
}

/** Return a field for one collection, with proposals. */
export function collectionField(known, label = "Collection") {
  const list = proposals(known.collections.map((each) => each.name));
  const made = input({ list: list.id, placeholder: "all" });
  return { input: made, view: element("div", {}, field(label, made), list) };
}
