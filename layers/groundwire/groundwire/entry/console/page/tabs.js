// Parts of a screen, each with an address of its own.

import { element } from "./element.js";

/** Return the links to the parts; `parts` has pairs of id and title. */
export function tabs(screen, parts, current, label) {
  return element("nav", { class: "tabs", "aria-label": label }, parts.map(([id, title]) =>
    element("a", { href: `#/${screen}/${id}`, "aria-current": id === current ? "page" : null }, title)));
}
