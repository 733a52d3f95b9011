// The key that the user signs in with. It is kept for this tab alone, never in an address that could be copied, and
// sent to no one but the server that the page comes from.

const kept = "crosswave-key";

// Takes the key of a link that signs in, /#key=…, out of the address before anything else looks at it, and out of the
// history. What stands behind it, as in #key=…&/table?rows=…, is where the link leads.
export function takeKey() {
  const found = /^#key=([^&]*)&?(.*)$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search + (found[2] ? `#${found[2]}` : ""));
  keep(decodeURIComponent(found[1]));
}

export function key() {
  try {
    return sessionStorage.getItem(kept) ?? "";
  } catch {
    return held;
  }
}

// A browser that keeps nothing has the key for as long as the page is open.
let held = "";

export function keep(secret) {
  held = secret.trim();
  try {
    sessionStorage.setItem(kept, held);
  } catch {
    // It is held above.
  }
}

export function forget() {
  held = "";
  try {
    sessionStorage.removeItem(kept);
  } catch {
    // There is nothing to forget.
  }
}
