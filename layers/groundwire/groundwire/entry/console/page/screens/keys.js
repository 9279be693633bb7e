// Keys: who calls, with which rights, since when; a new one for each client, with the lines that connect it.

import { call, get, path, post } from "../api.js";
import { CLIENTS } from "../clients.js";
import { Chips, badge, button, busy, empty, field, fill, input, notice, select, table, tagList, time } from "../controls.js";
import { askBefore, askFor, showOnce } from "../dialog.js";
import { directory } from "../directory.js";
import { element, heading, replace } from "../element.js";
import { codeLine, commandLine, curlLine } from "../equivalents.js";
import { allKeys, auditParts } from "../listing.js";
import { effectView } from "../policy_form.js";
import { repeat } from "../polling.js";

const LOOK_MS = 2000;
const WEEK_MS = 7 * 24 * 3600 * 1000;

function stateOf(key) {
  if (key.revoked) return "revoked";
  if (key.expires_at === null) return "active";
  const left = new Date(key.expires_at) - Date.now();
  if (left <= 0) return "expired";
  return left < WEEK_MS ? "expiring" : "active";
}

function rightsOf(key) {
  return element("div", {}, tagList(key.scopes),
    element("div", { class: "quiet" }, key.kind === "personal" ? `as ${key.user}` : "names its users", key.tags.length ? [": ", key.tags.join(", ")] : "",
      key.kind !== "personal" ? `; tags ${key.max_tags.join(", ") || "none"}` : "",
      `; ${key.collections === "every" ? "every collection" : key.collections.join(", ")}`, key.toolset === "default" ? "" : `; toolset ${key.toolset}`));
}

/** Return the options of the command for a key. */
function keyOptions(order, tenant) {
  return { tenant, name: order.name, user: order.user, "act-as": order.kind === "act_as", tag: order.tags, "max-tag": order.max_tags,
    scope: order.scopes, collection: order.collections === "every" ? [] : order.collections, toolset: order.toolset,
    dialect: order.dialects, "may-search-as": order.may_search_as, rate: order.rate_per_minute, burst: order.burst,
    ...(order.expires_in_days === "never" ? { "never-expires": true } : { days: order.expires_in_days }) };
}

class KeyForm {
  constructor(screen, client, known) {
    Object.assign(this, { screen, client });
    this.name = input({ required: true, value: client.title, maxlength: 100 });
    this.user = input({ required: client.kind === "personal" });
    const tags = known.tags.map((each) => each.tag);
    this.tags = new Chips(client.kind === "personal" ? "Tags of the user" : "Tags that calls may send", [], tags,
      client.kind === "personal" ? "" : "Exact, or a beginning such as department:* ; * is every tag.");
    this.collections = new Chips("Collections", [], known.collections.map((each) => each.name), "Empty: every collection.");
    this.days = select([["30", "30 days"], ["90", "90 days"], ["365", "a year"], ["never", "never"]], String(client.settings.expires_in_days ?? 90));
    const send = (event) => { event.preventDefault(); this.ask(); };
    this.view = element("form", { class: "card", onsubmit: send }, element("h2", {}, client.title), element("p", { class: "quiet" }, client.hint),
      element("div", { class: "fields" }, field("Name of the key", this.name), client.kind === "personal" ? field("User", this.user) : null,
        this.tags.view, this.collections.view, field("Expires after", this.days)),
      element("div", { class: "actions" }, button("Continue", null, { kind: "primary", type: "submit" }),
        button("Another client", () => screen.choose())));
  }

  get order() {
    for (const chips of [this.tags, this.collections]) chips.add();
    const isPersonal = this.client.kind === "personal";
    return { ...this.client.settings, name: this.name.value.trim(), kind: this.client.kind,
      collections: this.collections.values.length > 0 ? this.collections.values : "every",
      ...(isPersonal ? { user: this.user.value.trim(), tags: this.tags.values } : { max_tags: this.tags.values }),
      expires_in_days: this.days.value === "never" ? "never" : Number(this.days.value), new_tags: true };
  }

  async ask() {
    const { order, client, screen } = this;
    screen.equivalents(commandLine(["key", "create"], keyOptions(order, screen.context.tenant)), "POST", "keys", { body: order });
    const issued = await askBefore({ title: `A key for ${client.title}`, action: "Create the key",
      preview: async () => [element("dl", {}, [["Rights", order.scopes.join(", ")], ["Collections", order.collections === "every" ? "every" : order.collections.join(", ")],
        ["Speaks for", order.user ?? "the users that its calls name"], ["Tags", (order.tags ?? order.max_tags).join(", ") || "none"]]
        .map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])), await this.reach(order)],
      act: () => post("keys", order) });
    if (issued) await screen.issued(issued, client);
  }

  /** Show what a personal key would read: the documents of its user with these tags. */
  async reach(order) {
    if (order.kind !== "personal") return notice("What it reads depends on the user and the tags of each call.");
    const answer = await post("access/documents", { user: order.user, tags: order.tags, limit: 200 });
    return notice(`Its user can read ${answer.documents.length}${answer.next ? " or more" : ""} documents.`);
  }
}

class Keys {
  constructor(place, context, known) {
    Object.assign(this, { context, known });
    this.maker = element("div", {});
    this.list = element("div", {}, busy());
    replace(place, heading(1, "Keys"), element("p", { class: "lead" }, "A key says who calls and how far it reaches. Its secret is shown once."), this.maker, this.list);
    this.choose();
    this.load();
  }

  equivalents(command, method, route, more) {
    this.context.equivalents.show([{ command, curl: curlLine(method, route, more) }]);
  }

  choose() {
    replace(this.maker, element("section", { class: "card" }, element("h2", {}, "A new key: who will call?"),
      element("div", { class: "choices" }, CLIENTS.map((client) => button(client.title, () => {
        const form = new KeyForm(this, client, this.known);
        replace(this.maker, form.view);
        form.name.focus();
      }, { title: client.hint })))));
  }

  load() {
    this.equivalents(commandLine(["key", "list"], { tenant: this.context.tenant }), "GET", "keys");
    const order = (key) => (stateOf(key) === "revoked" ? 2 : stateOf(key) === "expired" ? 1 : 0);
    return fill(this.list, allKeys, (keys) => keys.length === 0 ? empty("No keys", "Choose who will call.")
      : table("Keys", ["Key", "State", "Rights", "Last call", "Expires", "Actions"],
        [...keys].sort((first, second) => order(first) - order(second)).map((key) => this.row(key))));
  }

  row(key) {
    const name = key.name || key.kid;
    const act = (label, onclick) => button(label, onclick, { kind: "small", "aria-label": `${label} ${name}` });
    return [element("div", {}, element("strong", {}, name), element("div", { class: "quiet" }, key.kid)), badge(stateOf(key)), rightsOf(key),
      key.last_used === null ? element("span", { class: "quiet" }, "no call yet") : time(key.last_used), time(key.expires_at),
      key.revoked ? "" : element("div", { class: "chips still" }, act("Edit", () => this.edit(key)),
        key.kind === "oauth" ? null : act("Rotate", () => this.rotate(key)), act("Revoke", () => this.revoke(key)))];
  }

  async issued(key, client) {
    const light = element("p", { class: "notice", role: "status" }, badge("no call yet", "busy"), " Connect the client. Its first call shows here by itself.");
    const shown = showOnce(`The key ${key.name}`, notice("Copy it now: it is not shown again.", "bad"),
      key.key ? codeLine("Key", key.key) : null, (client?.lines(key.key) ?? []).filter(([name]) => name !== "Key").map(([name, line]) => codeLine(name, line)),
      // A rotated key may have calls with its former secret.
      key.last_used === null ? light : null);
    repeat(light, () => this.lit(light, key), LOOK_MS);
    await shown;
    this.choose();
    await this.load();
  }

  /** Show the first call of a key as soon as there is one; true then. */
  async lit(light, key) {
    try {
      const keys = await allKeys();
      const used = keys.find((each) => each.kid === key.kid)?.last_used ?? null;
      if (used === null) return false;
      let first;
      // Another administrator's key may read no log: the light then has the time alone.
      await auditParts({ kid: key.kid }, (rows) => { first = rows.findLast((row) => row.call !== null) ?? first; return false; }).catch(() => null);
      replace(light, badge("first call", "good"), " ", time(first?.time ?? used), first ? [" with ", element("code", {}, first.call), first.user ? ` as ${first.user}` : ""] : null);
      light.classList.add("good");
    } catch (error) {
      replace(light, error.message);
    }
    return true;
  }

  async rotate(key) {
    const hours = select([["0", "ends at once"], ["1", "works for an hour"], ["24", "works for a day"], ["168", "works for a week"]], "24");
    if (!await askFor(`Rotate ${key.name || key.kid}`, "Continue", field("The old secret", hours))) return;
    const body = { overlap_hours: Number(hours.value) };
    const route = path`keys/${key.kid}/rotate`;
    this.equivalents(commandLine(["key", "rotate", key.kid], { "overlap-hours": body.overlap_hours, tenant: this.context.tenant }), "POST", route, { body });
    const issued = await askBefore({ title: `Rotate ${key.name || key.kid}`, action: "Rotate",
      preview: () => element("p", {}, `The key gets a new secret. The old one works for ${body.overlap_hours} h.`), act: () => post(route, body) });
    if (issued) await this.issued(issued, null);
  }

  async revoke(key) {
    const route = path`keys/${key.kid}`;
    this.equivalents(commandLine(["key", "revoke", key.kid], { tenant: this.context.tenant }), "DELETE", route);
    const gone = await askBefore({ title: `Revoke ${key.name || key.kid}`, action: "Revoke", isDangerous: true,
      preview: async () => [element("p", {}, "The server refuses its next call. A revoked key never works again."), element("p", {}, "Last call: ", time(key.last_used)),
        key.kind === "personal" ? null : effectView(await post("access/what-if", { change: "max_tags", kid: key.kid, max_tags: [] }))],
      act: () => call("DELETE", route) });
    if (gone) await this.load();
  }

  async edit(key) {
    const name = input({ value: key.name, required: true });
    const tags = new Chips(key.kind === "personal" ? "Tags of the user" : "Tags that calls may send", key.kind === "personal" ? key.tags : key.max_tags,
      this.known.tags.map((each) => each.tag));
    const rate = input({ type: "number", min: 1, value: key.rate_per_minute });
    const days = select([["", "as it is"], ["30", "30 days from now"], ["90", "90 days from now"], ["365", "a year from now"], ["never", "never"]]);
    if (!await askFor(`Edit ${key.name || key.kid}`, "Show the effect", field("Name", name), tags.view, field("Calls per minute", rate),
      field("Expires", days))) return;
    tags.add();
    const list = key.kind === "personal" ? "tags" : "max_tags";
    const wanted = { name: name.value.trim(), [list]: tags.values, rate_per_minute: Number(rate.value) };
    const changes = Object.fromEntries(Object.entries(wanted).filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(key[member])));
    if (days.value !== "") changes.expires_in_days = days.value === "never" ? "never" : Number(days.value);
    if (Object.keys(changes).length === 0) return;
    const body = { ...changes, new_tags: true };
    const route = path`keys/${key.kid}`;
    this.equivalents(commandLine(["key", "edit", key.kid], { name: changes.name, tag: changes.tags, "max-tag": changes.max_tags,
      rate: changes.rate_per_minute, tenant: this.context.tenant }), "PATCH", route, { body });
    const done = await askBefore({ title: `Edit ${key.name || key.kid}`, action: "Change the key",
      preview: async () => [element("ul", {}, Object.entries(changes).map(([member, value]) => element("li", {}, `${member.replaceAll("_", " ")}: ${[value].flat().join(", ") || "none"}`))),
        list === "max_tags" && changes.max_tags ? effectView(await post("access/what-if", { change: "max_tags", kid: key.kid, max_tags: changes.max_tags })) : null],
      act: () => call("PATCH", route, { body }) });
    if (done) await this.load();
  }
}

export const keysScreen = {
  id: "keys",
  title: "Keys",
  scopes: ["admin"],
  async render(place, context) {
    replace(place, busy());
    new Keys(place, context, await directory(context));
  },
};
