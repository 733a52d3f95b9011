// What there is to ask for, as the interface tells it: waves, locations and namespaces, and all questions by name. The
// answers of a question are fetched once they are wanted, and kept.
//
// A question is known by its key, "core.gender": the code with its namespace, which means one question everywhere.
import { ask } from "./api.js";

export const keyOf = (question) => `${question.namespace_code}.${question.code ?? question.question_code}`;

export async function loadCatalogue() {
  const [{ waves }, { locations }, { namespaces }, { questions }] = await Promise.all([
    ask("/v2/waves/filter", {}),
    ask("/v2/locations/filter", { include: { regions: true } }),
    ask("/v2/namespaces/filter", {}),
    ask("/v3/questions/filter", {}),
  ]);
  return new Catalogue(waves, locations, namespaces, questions);
}

export class Catalogue {
  #answers = new Map();

  constructor(waves, locations, namespaces, questions) {
    this.waves = waves.filter((wave) => wave.accessible);
    this.locations = locations.filter((location) => location.accessible);
    this.namespaces = namespaces;
    this.questions = questions;
    this.byKey = new Map(questions.map((question) => [keyOf(question), question]));
    this.names = new Map([...waves, ...locations].map(({ code, name }) => [code, name]));
    this.#answerable("waves", "Waves", this.waves);
    this.#answerable("locations", "Markets", this.locations);
  }

  get empty() {
    return this.questions.length === 0 || this.waves.length === 0;
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
        const one = together.then((found) => found.find((question) => keyOf(question) === key));
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
    return (await ask("/v3/questions/filter", { questions, include: { datapoints: true } })).questions;
  }

  // What a wave or a location is called.
  name(code) {
    return this.names.get(code) ?? code;
  }
}

// A namespace has no dot in its code; a question may.
function split(key) {
  const dot = key.indexOf(".");
  return dot < 0 ? [undefined, key] : [key.slice(0, dot), key.slice(dot + 1)];
}
