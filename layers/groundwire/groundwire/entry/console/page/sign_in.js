// Signing in: by a one-time address, or by a key that only the form's field holds while it is typed.

import { signIn, signInWithTicket } from "./api.js";
import { Chips, button, field, input, problem } from "./controls.js";
import { element, replace } from "./element.js";

/** Take the ticket out of the address bar at once, and sign in with it; false where the address has none. */
export async function redeemTicket() {
  const found = /^#ticket=(.+)$/.exec(location.hash);
  if (found === null) return false;
  history.replaceState(null, "", location.pathname);
  await signInWithTicket(decodeURIComponent(found[1]));
  return true;
}

const FAILURES = {
  not_started: "The sign-in took too long, or it began in another window or browser. Start again.",
  refused: "Your company's sign-in did not admit you, or you cancelled it.",
  not_admitted: "This server does not admit your account. Ask your administrator.",
  over_limit: "Too many calls at this moment. Wait a minute, then start again.",
  unavailable: "Your company's sign-in does not answer. Wait a few seconds, then start again.",
  other_address: "A sign-in with your company's account works at the public address of this server alone. Start again here.",
};

/** Return the sentence about a failed sign-in that the address names, and take it out of the address bar; else null. */
export function failedSignIn() {
  const found = /^#sign-in=([a-z_]+)$/.exec(location.hash);
  if (found === null) return null;
  history.replaceState(null, "", location.pathname);
  const text = Object.hasOwn(FAILURES, found[1]) ? FAILURES[found[1]] : FAILURES.refused;
  return element("p", { class: "notice", role: "alert" }, text);
}

/** Return the link to the identity provider; null where the server has none. A policy forbids forms, so it is a link. */
function providerLink() {
  const start = document.getElementById("page").dataset.signIn;
  if (start === "") return null;
  const screen = /^#\/(.+)$/.exec(location.hash);
  return element("div", { class: "card provider" },
    element("a", { href: screen === null ? start : `${start}?screen=${encodeURIComponent(screen[1])}` },
      "Sign in with your company's account"));
}

/** Return the form. `entered` runs after the server has set the cookie. */
export function signInForm(entered, { message = null } = {}) {
  const key = input({ type: "password", name: "key", required: true, autocomplete: "current-password" });
  const user = input({ name: "user" });
  const tags = new Chips("Tags (optional)", [], [], "For a key of an agent: the tags that its calls send.");
  const trouble = element("div", {});
  const submit = button("Sign in", null, { kind: "primary", type: "submit" });
  const send = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    tags.add();
    const typed = key.value.trim();
    key.value = "";
    try {
      await signIn(typed, user.value.trim(), tags.values);
      await entered();
    } catch (error) {
      replace(trouble, problem(error));
      submit.disabled = false;
      key.focus();
    }
  };
  return element("main", { id: "main", class: "lone", tabindex: "-1" },
    element("h1", {}, "Groundwire"),
    element("p", { class: "lead" }, "The same question, asked by two people, has two answers."),
    message, providerLink(),
    element("form", { onsubmit: send, class: "card" },
      field("Key", key, "It starts with gw_. The page sends it once and keeps it nowhere."),
      element("details", {}, element("summary", {}, "Sign in as a user of an agent"),
        field("User (optional)", user, "For a key of an agent: the user that its calls name."), tags.view),
      trouble, element("div", { class: "actions" }, submit)),
    element("p", { class: "quiet" },
      "No key yet? On the machine of the server: ",
      element("code", {}, "groundwire console --tenant TENANT")));
}
