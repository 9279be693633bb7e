// Looking again at what the server does meanwhile, for as long as the person sees it.

const PAUSE_MS = 700;

export const pause = (milliseconds = PAUSE_MS) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Look again after each pause until `look` returns true or the place is gone; a hidden page costs no calls. */
export async function repeat(place, look, milliseconds) {
  for (;;) {
    await pause(milliseconds);
    if (!place.isConnected) return;
    if (!document.hidden && await look()) return;
  }
}
