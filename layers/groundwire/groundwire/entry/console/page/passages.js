// Passages as an agent gets them: a citation, the text, and why the person sees it.

import { SERVER } from "./api.js";
import { badge, button, table } from "./controls.js";
import { element, replace } from "./element.js";
import { whyVisible } from "./explanations.js";

const LONG = 420;
// As on the page that a link opens.
const MOST_PAGES = 3;
const NOUNS = [[/\.(pptx?|ppsx?|odp)$/i, "slide", "slides"], [/\.(xls[xm]?|ods)$/i, "sheet", "sheets"], [/$/, "p.", "pp."]];

/** Return the pages of a passage in words, as the program of its file names them; empty where there are none. */
function pagesOf({ page_first: first, page_last: last, source_file_name: file }) {
  if (first === null || first === undefined) return "";
  const [, one, several] = NOUNS.find(([form]) => form.test(file ?? ""));
  return last === null || last === first ? `${one} ${first}` : `${several} ${first}–${last}`;
}

/** Return the place of a passage in words, such as `Pricing › Floors · p. 4`. */
export function placeOf(passage) {
  const pages = pagesOf(passage);
  return [(passage.heading_path ?? []).join(" › "), pages].filter((part) => part !== "").join(" · ");
}

/** Return the address of the picture of a page with the passage marked; null where the link is not one of this server. */
function pictureAddress(passage, page) {
  const link = new URL(passage.source_url);
  const route = /\/(?:o|open)\/[^/]+$/.exec(link.pathname);
  // The public address may be another name of the server that serves this page.
  return route === null || !link.searchParams.has("p") ? null : `${SERVER}${route[0]}${link.search}&as=picture&page=${page}`;
}

/** Return a button that shows the pages of a passage of a PDF file; null where they have no pictures. */
export function pagesButton(passage) {
  if (!passage.source_url || passage.page_first === null || pictureAddress(passage, 1) === null) return null;
  const last = Math.min(passage.page_last ?? passage.page_first, passage.page_first + MOST_PAGES - 1);
  const numbers = Array.from({ length: last - passage.page_first + 1 }, (_, index) => passage.page_first + index);
  const place = element("div", {});
  const show = button(numbers.length === 1 ? "Show the page" : "Show the pages", () => {
    show.remove();
    replace(place, numbers.map((number) => pageFigure(passage, number)));
  }, { kind: "link" });
  return [show, place];
}

function pageFigure(passage, number) {
  const figure = element("figure", { class: "page-picture" }, element("img", {
    src: pictureAddress(passage, number),
    alt: `Page ${number} with the marked passage`,
    onerror: () => replace(figure, element("p", { class: "quiet" }, `There is no picture of page ${number}: the key or the collection withholds originals, or the page cannot be drawn.`)),
  }), element("figcaption", {}, `Page ${number}. The passage is marked where the page has its text.`));
  return figure;
}

/** Return the cells of a row as the reader of files writes them; null for a line that is no row. */
function cellsOf(line) {
  const cells = line.split(" |").map((cell) => cell.trim());
  return cells.length > 1 ? cells : null;
}

/** Return the parts of a text: texts as they are, and tables where rows of equal length follow each other. */
function partsOf(text) {
  const parts = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) {
    const width = cellsOf(lines[at])?.length ?? 0;
    let end = at;
    while (width > 0 && end < lines.length && cellsOf(lines[end])?.length === width) end += 1;
    // A single row is no table: a sentence may have such a character.
    if (end - at > 1) {
      parts.push({ rows: lines.slice(at, end).map(cellsOf) });
      at = end;
    } else {
      if (parts.at(-1)?.lines === undefined) parts.push({ lines: [] });
      parts.at(-1).lines.push(lines[at]);
      at += 1;
    }
  }
  return parts;
}

/** Return the text of a passage, with its tables drawn; of a long one its beginning, or the excerpt, until a button opens it. */
export function passageText(text, excerpt = null) {
  const whole = element("div", { class: "passage-text" }, partsOf(text).map(({ rows, lines }) => rows === undefined
    ? element("p", {}, lines.join("\n").replace(/^\n+|\n+$/g, "")) : table("Table of the passage", rows[0], rows.slice(1))));
  if (text.length <= LONG) return [whole];
  const short = excerpt === null ? null : element("div", { class: "passage-text excerpt" }, element("p", {}, excerpt));
  const more = button("Show all", () => {
    const isOpen = more.getAttribute("aria-expanded") === "false";
    more.textContent = isOpen ? "Show less" : "Show all";
    more.setAttribute("aria-expanded", String(isOpen));
    show(isOpen);
  }, { kind: "link", "aria-expanded": "false" });
  const show = (isOpen) => {
    whole.classList.toggle("clipped", short === null && !isOpen);
    whole.hidden = short !== null && !isOpen;
    if (short !== null) short.hidden = isOpen;
  };
  show(false);
  return [short, whole, more];
}

/** Return a passage of an answer. `onlyName` is the one person who sees its document. */
export function passageCard(passage, person, { onlyName = null, documentLink = false } = {}) {
  const file = passage.source_file_name;
  const chance = passage.relevance === null || passage.relevance === undefined ? null
    : element("span", { class: "quiet", title: "Probability that the passage answers the question" },
      `${Math.round(passage.relevance * 100)} %`);
  return element("article", { class: `passage ${onlyName === null ? "" : "only"}` },
    element("header", {},
      passage.source_url ? element("a", { href: passage.source_url, target: "_blank", rel: "noreferrer noopener", class: "file" }, file)
        : element("span", { class: "file" }, file),
      onlyName === null ? null : badge(`only ${onlyName}`, "accent"), chance),
    element("p", { class: "place" }, placeOf(passage)),
    passageText(passage.text, passage.why?.excerpt ?? null),
    passage.also_in_files?.length ? element("p", { class: "quiet" }, `Also in ${passage.also_in_files.join(", ")}`) : null,
    element("footer", {},
      passage.access ? element("span", { class: "because" }, whyVisible(passage.access, person)) : null,
      documentLink ? element("a", { href: `#/documents/${encodeURIComponent(passage.doc_id)}` }, "Document") : null));
}
