// Start of the page: who is signed in, the screens that this person has, and the way between them.

import { ApiError, signOut, signedOut, whoAmI } from "./api.js";
import { button, problem } from "./controls.js";
import { element, heading, replace } from "./element.js";
import { Equivalents } from "./equivalents.js";
import { accessScreen } from "./screens/access.js";
import { auditScreen } from "./screens/audit.js";
import { documentsScreen } from "./screens/documents.js";
import { keysScreen } from "./screens/keys.js";
import { peopleScreen } from "./screens/people.js";
import { qualityScreen } from "./screens/quality.js";
import { routesScreen } from "./screens/routes.js";
import { statusScreen } from "./screens/status.js";
import { tryScreen } from "./screens/try.js";
import { failedSignIn, redeemTicket, signInForm } from "./sign_in.js";

const SCREENS = [tryScreen, documentsScreen, accessScreen, peopleScreen, keysScreen, auditScreen, qualityScreen, statusScreen, routesScreen];

const page = document.getElementById("page");
let context = null;

/** What a screen gets: who is signed in and what the scopes allow. The server decides all the same. */
function contextOf(who) {
  const scopes = new Set(who.scopes ?? []);
  return {
    who,
    tenant: who.tenant_name ?? who.tenant ?? "TENANT",
    isAdmin: scopes.has("admin"),
    can: (...needed) => needed.some((scope) => scopes.has(scope)) || scopes.has("admin"),
  };
}

function screensOf(current) {
  return SCREENS.filter((screen) => screen.scopes.length === 0 || current.can(...screen.scopes));
}

function shell(current) {
  const links = screensOf(current).map((screen) => element("a", { href: `#/${screen.id}`, "data-screen": screen.id },
    screen.title));
  const name = current.who.user ?? "no user";
  return [
    element("header", { class: "top" },
      element("a", { href: "#/try", class: "brand" }, "Groundwire"),
      element("nav", { "aria-label": "Screens" }, links),
      element("div", { class: "who" },
        element("span", { title: `Tenant ${current.tenant}` }, name),
        button("Sign out", leave, { kind: "small" }))),
    element("main", { id: "main", tabindex: "-1" }),
  ];
}

/** Return a part of the address as text; one that somebody mistyped stays as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function draw() {
  const [id, ...rest] = location.hash.replace(/^#\//, "").split("/").filter(Boolean).map(decoded);
  const screens = screensOf(context);
  const screen = screens.find((each) => each.id === id) ?? screens[0];
  const main = document.getElementById("main");
  if (screen === undefined) {
    replace(main, heading(1, "Nothing to see with this sign-in"),
      element("p", {}, "It has none of the scopes search, ingest and admin."));
    return;
  }
  for (const link of page.querySelectorAll("nav a")) {
    if (link.dataset.screen === screen.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${screen.title} · Groundwire`;
  const place = element("div", { class: `screen ${screen.id}` });
  const equivalents = new Equivalents();
  replace(main, place, equivalents.panel);
  screen.render(place, { ...context, equivalents }, rest);
}

async function enter() {
  const failure = failedSignIn();
  const who = await whoAmI();
  if (who === null) {
    askToSignIn(failure);
    return;
  }
  context = contextOf(who);
  replace(page, shell(context));
  draw();
}

function askToSignIn(message) {
  context = null;
  document.title = "Sign in · Groundwire";
  replace(page, signInForm(enter, { message }));
  page.querySelector("input").focus();
}

async function leave() {
  try {
    await signOut();
  } finally {
    history.replaceState(null, "", location.pathname);
    askToSignIn(null);
  }
}

async function start() {
  try {
    await redeemTicket();
    await enter();
  } catch (error) {
    askToSignIn(error instanceof ApiError ? problem(error) : null);
  }
}

signedOut.addEventListener("out", () => {
  if (context !== null) askToSignIn(element("p", { class: "notice" }, "The sign-in has ended. Sign in again."));
});
window.addEventListener("hashchange", () => {
  if (context === null || location.hash.startsWith("#ticket=")) start();
  else if (location.hash !== "#main") {
    draw();
    document.getElementById("main").focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
});
// The address of the skip link would be taken for the name of a screen.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main")?.focus();
});
start();
