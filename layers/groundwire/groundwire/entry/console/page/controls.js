// Small parts of screens: buttons, fields, chips, tables, badges and notices.

import { element, replace } from "./element.js";

let lastId = 0;

/** Return an id that no other element of the page has. */
export function freshId(name) {
  lastId += 1;
  return `${name}-${lastId}`;
}

export function button(label, onclick, { kind = "", ...properties } = {}) {
  return element("button", { type: "button", class: kind, onclick, ...properties }, label);
}

/** Return a label with its control, and a hint that is read with it. */
export function field(label, control, hint = "") {
  control.id ||= freshId("field");
  const note = hint === "" ? null : element("small", { id: `${control.id}-hint` }, hint);
  if (note !== null) control.setAttribute("aria-describedby", note.id);
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control, note);
}

export function input(properties = {}) {
  return element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...properties });
}

export function select(options, chosen = "", properties = {}) {
  const made = element("select", properties, options.map(([value, label]) => element("option", { value }, label)));
  made.value = chosen;
  return made;
}

/** Return a checkbox within its label. */
export function checkbox(label, checked = false) {
  const box = element("input", { type: "checkbox", checked });
  return { box, view: element("label", { class: "check" }, box, label) };
}

/** Return an input's list of proposals. */
export function proposals(values) {
  return element("datalist", { id: freshId("proposals") }, values.map((value) => element("option", { value })));
}

/** A set of tags: Enter or a comma adds one, Backspace in the empty field removes the last. */
export class Chips {
  constructor(label, values, known = [], hint = "") {
    this.values = [...values];
    this.changed = () => {};
    this.row = element("div", { class: "chips" });
    const list = proposals(known);
    this.input = input({ placeholder: "add, then Enter", list: list.id, onkeydown: (event) => this.pressed(event),
      onchange: () => this.add() });
    this.view = element("div", {}, field(label, this.input, hint), list, this.row);
    this.draw();
  }

  pressed(event) {
    if (event.key === "Enter" || event.key === ",") {
      // Enter with an empty field sends the form.
      if (this.input.value.trim() === "" && event.key === "Enter") return;
      event.preventDefault();
      this.add();
    } else if (event.key === "Backspace" && this.input.value === "" && this.values.length > 0) {
      this.remove(this.values.at(-1));
    }
  }

  add() {
    const value = this.input.value.trim();
    this.input.value = "";
    if (value === "" || this.values.includes(value)) return;
    this.values.push(value);
    this.draw();
    this.changed();
  }

  remove(value) {
    this.values = this.values.filter((each) => each !== value);
    this.draw();
    this.input.focus();
    this.changed();
  }

  draw() {
    replace(this.row, this.values.map((value) => element("span", { class: "chip" }, value,
      button("×", () => this.remove(value), { kind: "chip-remove", "aria-label": `Remove ${value}` }))));
  }
}

const KINDS = {
  indexed: "good", done: "good", active: "good", allowed: "good", answered: "good",
  running: "busy", queued: "busy", parsing: "busy", waiting: "busy", awaiting: "busy", expiring: "busy",
  failed: "bad", killed: "bad", refused: "bad", revoked: "bad", denied: "bad", expired: "bad", blocked: "bad",
};

/** Return a word with a colour that repeats what it says. */
export function badge(text, kind = KINDS[text] ?? "") {
  return element("span", { class: `badge ${kind}` }, text);
}

/** Return tags as they are, in a row. */
export function tagList(values, none = "") {
  return values.length === 0 ? element("span", { class: "quiet" }, none)
    : element("span", { class: "chips still" }, values.map((value) => element("span", { class: "chip" }, value)));
}

/** Return a table that becomes a list of cards on a narrow screen. */
export function table(caption, columns, rows) {
  return element("table", {},
    element("caption", { class: "unseen" }, caption),
    element("thead", {}, element("tr", {}, columns.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.map((cells) => element("tr", {},
      cells.map((cell, index) => element("td", { "data-name": columns[index] }, cell))))));
}

/** Return a picture of nothing yet, which says what to do. */
export function empty(title, ...lines) {
  return element("div", { class: "empty" }, element("strong", {}, title), lines.map((line) => element("p", {}, line)));
}

export function notice(text, kind = "") {
  return element("p", { class: `notice ${kind}` }, text);
}

/** Return what went wrong, with the remedy that the server names. */
export function problem(error) {
  const wait = error.retryAfter ? ` Try again in ${error.retryAfter} s.` : "";
  return element("p", { class: "notice bad", role: "alert" }, `${error.message}${wait}`);
}

export function busy(text = "One moment …") {
  return element("p", { class: "busy-line" }, text);
}

export function copyButton(text, name) {
  const made = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      made.textContent = "Copied";
    } catch {
      made.textContent = "Select it";
    }
  }, { kind: "small", "aria-label": `Copy: ${name}` });
  return made;
}

/** Fill a place with what a call gives; errors are shown in it. Returns the value, or undefined. */
export async function fill(place, load, draw) {
  replace(place, busy());
  place.setAttribute("aria-busy", "true");
  try {
    const value = await load();
    replace(place, draw(value));
    return value;
  } catch (error) {
    replace(place, problem(error));
    return undefined;
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Return a time for people, with the exact one as its title. */
export function time(value) {
  if (value === null || value === undefined) return element("span", { class: "quiet" }, "never");
  const moment = new Date(value);
  const shown = moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element("time", { datetime: value, title: value }, shown);
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
