// A question before each change: what it will do, and why the person decides so.

import { busy, button, field, input, problem } from "./controls.js";
import { element, replace } from "./element.js";

/**
 * Ask before a change, and carry it out.
 *
 * The dialog shows the effect first: `preview` gives elements, and no change can be confirmed before they are there.
 * Returns what `act` gives, or undefined where the person thinks better of it. `act` gets the reason.
 */
export function askBefore({ title, preview, action, act, asksReason = false, isDangerous = false }) {
  return new Promise((resolve) => {
    const effect = element("div", { class: "effect", "aria-live": "polite" }, busy("Looking at what it would do …"));
    const trouble = element("div", {});
    const reason = input({ maxlength: 200 });
    let done;
    const confirm = button(action, async () => {
      confirm.disabled = true;
      try {
        done = await act(reason.value.trim());
        dialog.close();
      } catch (error) {
        replace(trouble, problem(error));
        confirm.disabled = false;
      }
    }, { kind: isDangerous ? "danger" : "primary", disabled: true });
    const dialog = element("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(done); } },
      element("h2", {}, title), effect,
      asksReason ? field("Reason, for the record (optional)", reason) : null, trouble,
      element("div", { class: "actions" }, confirm, button("Cancel", () => dialog.close())));
    document.body.append(dialog);
    dialog.showModal();
    Promise.resolve(preview(effect)).then((shown) => {
      replace(effect, shown);
      confirm.disabled = false;
    }, (error) => replace(effect, problem(error)));
  });
}

/** Show something once, such as a new secret. */
export function showOnce(title, ...content) {
  return new Promise((resolve) => {
    const dialog = element("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(); } },
      element("h2", {}, title), content,
      element("div", { class: "actions" }, button("Done", () => dialog.close(), { kind: "primary" })));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Ask for values before the next step. Returns whether the person went on. */
export function askFor(title, action, ...content) {
  return new Promise((resolve) => {
    let isDone = false;
    const send = (event) => { event.preventDefault(); isDone = true; dialog.close(); };
    const dialog = element("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(isDone); } },
      element("h2", {}, title), element("form", { class: "rows", onsubmit: send }, content,
        element("div", { class: "actions" }, button(action, null, { kind: "primary", type: "submit" }),
          button("Cancel", () => dialog.close()))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
