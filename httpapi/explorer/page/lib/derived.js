// Derived questions: questions that nobody was asked, and whose answers are expressions, as a net is one. A user has
// those that they defined, and those that others share.
//
// A draft is one that is being written: {code, name, description, shared, answers}, each answer {code, name,
// expression}; codes that are missing are made of the names. The draft of a question that is there has its version,
// too, which is its entity tag.
import { ask, send } from "./api.js";
import { leaf } from "./expression.js";

export const derivedPath = "/v2/questions/derived";
const page = 1000;

// The longest that a name may be.
export const longest = 255;

export const pathOf = (code) => `${derivedPath}/${encodeURIComponent(code)}`;

// All that the user may see, by code, those that can't be used any more among them.
export async function derivedQuestions(signal) {
  const questions = [];
  for (let total = 1; questions.length < total;) {
    const { data, meta } = await ask(`${derivedPath}?limit=${page}&offset=${questions.length}`, undefined, {
      signal,
    });
    questions.push(...data);
    total = data.length ? meta.total : 0;
  }
  return questions;
}

// A derived question with the entity tag of its version: {question, version}.
export async function readDerived(code, signal) {
  return versioned(await send(pathOf(code), undefined, { signal }));
}

// Defines the question of a draft, or changes it if nobody else has since the draft was made.
export async function saveDraft(draft, catalogue) {
  const { method, path, record } = savingOf(draft, catalogue);
  return versioned(await send(path, record, { method, match: draft.version }));
}

export async function deleteDerived(code, version) {
  await send(pathOf(code), undefined, { method: "DELETE", match: version });
}

async function versioned(response) {
  return { question: await response.json(), version: response.headers.get("ETag") };
}

// The draft of a question that is there, to change it.
export function draftOf({ code, name, description, shared, datapoints }, version) {
  return { code, name, description, shared, answers: datapoints.map((answer) => ({ ...answer })), version };
}

// The draft of a new question out of the answers of one: the nets, which are lists of codes, and each answer that
// stands in none of them, which is marked as left alone.
export function draftOfNets(key, record, nets, suffixes) {
  const netted = nets.map((codes) => {
    const expression = leaf(key, codes, suffixes);
    return { name: namesIn(expression, record), expression };
  });
  const alone = record.datapoints
    .filter(({ accessible, code }) => accessible && !nets.some((codes) => codes.includes(code)))
    .map(({ code, name }) => ({ code, name, expression: leaf(key, [code], suffixes), alone: true }));
  return { name: `${record.name} in nets`, description: "", shared: false, answers: [...netted, ...alone] };
}

// The answers that a leaf names, which is what an answer made of it is called at first.
export function namesIn({ datapoints = [], suffixes = [] }, record) {
  const nameIn = (list, code) => list.find((one) => one.code === String(code))?.name ?? String(code);
  const names = datapoints.map((code) => nameIn(record.datapoints, code)).join(" or ") || "Any answer";
  const scale = suffixes.map((code) => nameIn(record.suffixes, code)).join(" or ");
  return (scale ? `${names} (${scale})` : names).slice(0, longest);
}

// Everybody who gives none of some answers.
export const noneOf = (answers) => ({ or: answers.map(({ expression }) => expression), not: true });

// What is sent of a draft, and where: {method, path, record}.
export function savingOf({ code, name, description, shared, answers, version }, catalogue) {
  const taken = new Set(answers.map((answer) => answer.code).filter(Boolean));
  const datapoints = answers.map((answer) => {
    const own = answer.code ?? free(answer.name, "answer", taken);
    taken.add(own);
    return { code: own, name: answer.name.trim(), expression: answer.expression };
  });
  const record = { name: name.trim(), description: description.trim(), shared, datapoints };
  if (version) return { method: "PATCH", path: pathOf(code), record };
  return { method: "POST", path: derivedPath, record: { code: code || codeFor(name, catalogue), ...record } };
}

// The code that a new question has unless another one is given: made of its name, and unlike that of any other.
export function codeFor(name, catalogue) {
  return free(name, "question", new Set(catalogue.questions.map(({ code }) => code)));
}

// A code made of a name that is not taken: letters and digits, as codes of derived questions are.
function free(name, otherwise, taken) {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const code =
    letters
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^_|_$/g, "")
      .slice(0, 56) || otherwise;
  for (let i = 1; ; i++) {
    const tried = i === 1 ? code : `${code}_${i}`;
    if (!taken.has(tried)) return tried;
  }
}

// Why a question could not be defined, changed or deleted, and what to do about it.
export function derivingFailed({ message, type }, defining) {
  const advice = {
    quota_exceeded: "Or ask who runs the server for more room.",
    precondition_failed: "Somebody has changed it since you opened it: read it again to see how it is now.",
    conflict: defining && "Give it another code.",
    not_found: "It was deleted meanwhile.",
    storage_full: "The server has no room left. What is there can still be used.",
  };
  const said = message.replace(/[.:;]?$/, ".");
  return [said[0].toUpperCase() + said.slice(1), advice[type]].filter(Boolean).join(" ");
}
