// What there is to ask for, as the interface tells it: waves, locations, namespaces and categories, and all questions
// by name. The answers of a question are fetched once they are wanted, and kept.
//
// A question is known by its key, "core.gender": the code with its namespace, which means one question everywhere.
import { ask } from "./api.js";

export const keyOf = (question) => `${question.namespace_code}.${question.code ?? question.question_code}`;

// The catalogue that is on its way before anybody waits for it.
let begun;

export function beginCatalogue() {
  begun = asked();
  begun.catch(() => (begun = undefined)); // who waits for it is told, and the next asks anew
}

// The catalogue as it is now, or for who comes first, the one that was begun.
export function loadCatalogue() {
  const catalogue = begun ?? asked();
  begun = undefined;
  return catalogue;
}

async function asked() {
  const asking = Promise.all([
    ask("/v2/waves/filter", {}),
    ask("/v2/locations/filter", { include: { regions: true } }),
    ask("/v2/namespaces/filter", {}),
    ask("/v3/questions/filter", {}),
  ]);
  const categories = askCategories();
  categories.catch(() => {}); // who waits for them is told
  const [{ waves }, { locations }, { namespaces }, { questions }] = await asking;
  return new Catalogue(waves, locations, namespaces, questions, categories);
}

const askCategories = async () => (await ask("/v2/categories/filter", {})).categories;

export class Catalogue {
  revision = 0; // which is another once the questions were read again
  #answers = new Map();
  #categories;
  #come = new Map(); // the records with their answers that have come, by key

  constructor(waves, locations, namespaces, questions, categories) {
    this.#categories = categories;
    this.waves = waves.filter((wave) => wave.accessible);
    this.locations = locations.filter((location) => location.accessible);
    this.namespaces = namespaces;
    this.names = new Map([...waves, ...locations].map(({ code, name }) => [code, name]));
    this.#list(questions);
  }

  // Reads the questions again, after one was defined, changed or deleted, which is no new version of the survey. What
  // is shown of them is to be asked for again wherever the revision is another.
  async refresh() {
    const { questions } = await ask("/v3/questions/filter", {});
    this.revision++;
    this.#list(questions);
  }

  #list(questions) {
    this.questions = questions;
    this.byKey = new Map(questions.map((question) => [keyOf(question), question]));
    this.#answers.clear();
    this.#come.clear();
    this.#answerable("waves", "Waves", this.waves);
    this.#answerable("locations", "Markets", this.locations);
  }

  get empty() {
    return this.questions.length === 0 || this.waves.length === 0;
  }

  // The categories, which come later than the rest, as they have much in them.
  async categories() {
    this.#categories ??= askCategories();
    try {
      return await this.#categories;
    } catch (error) {
      this.#categories = undefined; // so that they are asked for again
      throw error;
    }
  }

  // Waves and locations can be asked for like the answers of a question, whose key has no namespace.
  #answerable(key, name, list) {
    const datapoints = list.map(({ code, name }) => ({ code, name, accessible: true }));
    const record = { code: key, name, datapoints, suffixes: [] };
    this.byKey.set(key, record);
    this.#answers.set(key, Promise.resolve(record));
  }

  // The record of a question with its answers; undefined where there is none of that key.
  async question(key) {
    if (!this.#answers.has(key))
      this.#answers.set(
        key,
        this.#fetch([key]).then(([found]) => found),
      );
    try {
      return await this.#answers.get(key);
    } catch (error) {
      this.#answers.delete(key); // so that it is asked for again
      throw error;
    }
  }

  // Those of several, by key; what does not exist is left out. They are asked for together.
  async answered(keys) {
    const wanted = [...new Set(keys)].filter((key) => !this.#answers.has(key));
    if (wanted.length) {
      const together = this.#fetch(wanted);
      for (const key of wanted) {
        const one = together.then((found) => found.find((question) => known(question, key)));
        one.catch(() => this.#answers.delete(key));
        this.#answers.set(key, one);
      }
    }
    const found = await Promise.all([...new Set(keys)].map(async (key) => [key, await this.#answers.get(key)]));
    return new Map(found.filter(([, question]) => question));
  }

  async #fetch(keys) {
    const questions = keys.map((key) => {
      const [namespace_code, question] = split(key);
      return namespace_code === undefined ? { question } : { namespace_code, question };
    });
    const { questions: found } = await ask("/v3/questions/filter", { questions, include: { datapoints: true } });
    for (const record of found) this.#come.set(keyOf(record), record);
    return found;
  }

  // Those of several whose answers have come already, by key.
  atHand(keys) {
    return new Map(keys.filter((key) => this.#come.has(key)).map((key) => [key, this.#come.get(key)]));
  }

  // What a wave or a location is called.
  name(code) {
    return this.names.get(code) ?? code;
  }
}

// Whether a question is meant by a key, or by its code alone, which may stand in expressions that were written
// elsewhere.
const known = (question, key) => keyOf(question) === key || question.code === key;

// A namespace has no dot in its code; a question may.
function split(key) {
  const dot = key.indexOf(".");
  return dot < 0 ? [undefined, key] : [key.slice(0, dot), key.slice(dot + 1)];
}
