"use strict";
// Gives each endpoint of the page a form that sends its example, or what is made of it, with a key of one's own. The key
// is kept for this tab alone. Without scripts the page has its commands.
(() => {
  const most = 200000; // characters of an answer that are shown
  const base = document.body.dataset.base;

  const element = (name, members, ...children) => {
    const e = Object.assign(document.createElement(name), members);
    e.append(...children);
    return e;
  };

  const key = document.getElementById("key");
  const kept = "crosswave-key";
  try {
    key.value = sessionStorage.getItem(kept) ?? "";
    key.addEventListener("input", () => sessionStorage.setItem(kept, key.value));
  } catch {
    // The browser keeps nothing; the key stays where it is typed.
  }
  document.getElementById("try").hidden = false;

  // The text of an answer, as far as it is shown. What is left of a long one is not fetched.
  const read = async (response) => {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), whole: true };
      text += decoder.decode(value, { stream: true });
      if (text.length > most) {
        await reader.cancel();
        return { text: text.slice(0, most), whole: false };
      }
    }
  };

  // One document is indented; a stream is shown line by line, as it comes.
  const shown = ({ text, whole }) => {
    if (!whole) return text + "\n… (the answer is longer; the command has all of it)";
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  const send = async (section, path, body, status, answer, signal) => {
    const headers = {};
    if (key.value.trim() !== "") headers["Authorization"] = key.value.trim();
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const began = performance.now();
    status.textContent = "Waiting for the answer …";
    answer.textContent = "";
    answer.hidden = true;
    try {
      const response = await fetch(base + path, { method: section.dataset.method, headers, body, signal, cache: "no-store" });
      const got = response.body === null ? { text: "", whole: true } : await read(response);
      const type = response.headers.get("Content-Type") ?? "no content";
      status.textContent = `${response.status}, ${type}, ${Math.round(performance.now() - began)} ms`;
      answer.textContent = shown(got);
      answer.hidden = got.text === "";
    } catch (error) {
      status.textContent = signal.aborted ? "Stopped." : `There is no answer: ${error.message}. Is the service running?`;
    }
  };

  const form = (section) => {
    const path = element("input", { value: section.dataset.path, spellcheck: false, autocomplete: "off" });
    const example = section.dataset.body;
    const body = element("textarea", { value: example ?? "", spellcheck: false, rows: 12 });
    const go = element("button", { type: "submit", textContent: "Send" });
    const stop = element("button", { type: "button", textContent: "Stop", disabled: true });
    const status = element("p", { className: "status" });
    status.setAttribute("role", "status");
    const answer = element("pre", { className: "answer", hidden: true, tabIndex: 0 });
    const parts = [element("label", {}, `${section.dataset.method} ${base}`, path)];
    if (example !== undefined) parts.push(element("label", {}, "Body", body));
    parts.push(element("div", {}, go, stop), status, answer);
    const f = element("form", { className: "try" }, ...parts);
    let running;
    stop.addEventListener("click", () => running?.abort());
    f.addEventListener("submit", async (event) => {
      event.preventDefault();
      running?.abort();
      const mine = (running = new AbortController());
      stop.disabled = false;
      await send(section, path.value, example === undefined ? undefined : body.value, status, answer, mine.signal);
      if (mine === running) stop.disabled = true;
    });
    return f;
  };

  for (const section of document.querySelectorAll("section.operation")) {
    const button = element("button", { type: "button", className: "open", textContent: "Try it" });
    button.setAttribute("aria-label", `Try it: ${section.querySelector("h3").textContent}`);
    button.addEventListener("click", () => {
      const f = form(section);
      button.replaceWith(f);
      f.querySelector("input").focus();
    });
    section.querySelector("pre.curl").after(button);
  }
})();
