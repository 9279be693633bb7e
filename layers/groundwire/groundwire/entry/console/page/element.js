// The only module that makes elements. Every text is a text node, so no document, user, tag or key can be markup.

const SVG = "http://www.w3.org/2000/svg";
const REFUSED = new Set(["style", "srcdoc"]);

/** Return an address that a click may follow: of this page, http or https; anything else leads nowhere. */
function safeAddress(value) {
  const text = String(value);
  if (text.startsWith("#")) return text;
  try {
    const address = new URL(text, location.href);
    return ["http:", "https:", "blob:"].includes(address.protocol) ? address.href : "#";
  } catch {
    return "#";
  }
}

/** Return a new element. A property that begins with `on` is a listener, every other one is an attribute. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined || REFUSED.has(name)) continue;
    if (name.startsWith("on")) {
      if (typeof value === "function") made.addEventListener(name.slice(2), value);
    } else if (name === "value") {
      made.value = value;
    } else if (name === "href") {
      made.setAttribute(name, safeAddress(value));
    } else {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(made, children);
  return made;
}

/** Return a new element of a drawing: a shape or a text, with attributes alone. */
export function shape(tag, properties = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on") || name === "href" || REFUSED.has(name)) continue;
    made.setAttribute(name, String(value));
  }
  append(made, children);
  return made;
}

/** Replace the content of an element. */
export function replace(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
  return parent;
}

function append(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Return a heading with an id, so that a region can be named by it. */
export function heading(level, text, id) {
  return element(`h${level}`, { id }, text);
}
