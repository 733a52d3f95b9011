// What is on screen is told by the fragment of the address, #/table?rows=core.gender&columns=core.age, so that a link
// opens the same view for a colleague, "back" undoes a step, and nothing of it reaches a server's log.
//
// Parameters are words, but for lists (of codes, or of objects) and objects, which are written as JSON.

const lists = new Set(["answers", "audiences", "columns", "locations", "measures", "rows", "segments", "waves"]);

// The view and its parameters that an address names; the first view if it names none.
export function read(hash) {
  const [, view = "", query = ""] = /^#\/([a-z]*)\??(.*)$/.exec(hash) ?? [];
  const state = {};
  for (const pair of query.split("&").filter(Boolean)) {
    const [name, text = ""] = pair.split("=");
    try {
      state[name] = lists.has(name) ? text.split(",").filter(Boolean).map(parse) : parse(text);
    } catch {
      // A parameter that was cut off on its way is left out; the rest of the link still opens.
    }
  }
  return { view, state };
}

export function write(view, state) {
  const pairs = Object.entries(state)
    .filter(([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(print).join(",") : print(value)}`);
  return `#/${view}${pairs.length ? "?" : ""}${pairs.join("&")}`;
}

function parse(text) {
  const plain = decodeURIComponent(text);
  return plain.startsWith("{") ? JSON.parse(plain) : plain;
}

function print(value) {
  return encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : String(value));
}
