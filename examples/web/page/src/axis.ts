import type { Audience, Client, Location, Question, Wave } from "../../dist/index.js";

/** What may stand in the rows or the columns: a name and an audience for each line. */
export interface Axis {
  id: string;
  name: string;
  group: string;
  audiences: Audience[];
}

/** All that a key may ask for, as one version of the survey has it. */
export interface Catalogue {
  axes: Axis[];
  waves: Wave[];
  locations: Location[];
  version: number | undefined;
}

/** Everyone, for a column to hold the others against. */
export const everyone: Audience = { id: "everyone", name: "Everyone", expression: { question: "waves" } };

/** Reads the catalogue. */
export async function read(client: Client): Promise<Catalogue> {
  const questions = await client.questions({ include: { datapoints: true } });
  const version = client.seenVersion;
  const options = version === undefined ? {} : { dataVersion: version };
  const [namespaces, waves, locations] = await Promise.all([
    client.namespaces({}, options),
    client.waves({}, options),
    client.locations({}, options),
  ]);
  const usable = { waves: waves.filter((w) => w.accessible), locations: locations.filter((l) => l.accessible) };
  const names = new Map(namespaces.map((n) => [n.code, n.name]));
  const axes = questions
    .filter((q) => q.accessible)
    .map((q) => ofQuestion(q, names.get(q.namespace_code) ?? q.namespace_code))
    .concat(ofFieldwork("waves", "Waves", usable.waves), ofFieldwork("locations", "Locations", usable.locations))
    .filter((axis) => axis.audiences.length > 0);
  return { axes, ...usable, version };
}

/** An audience for each answer; of a grid for each answer on each of its rows. */
function ofQuestion(question: Question, group: string): Axis {
  const code = `${question.namespace_code}.${question.code}`;
  const audiences: Audience[] = [];
  for (const d of question.datapoints ?? []) {
    if (!d.accessible) continue;
    const expression = { question: code, datapoints: [d.code] };
    if (!question.suffixes?.length) audiences.push({ id: d.code, name: d.name, expression });
    for (const s of question.suffixes ?? []) {
      const suffixed = { ...expression, suffixes: [s.code] };
      audiences.push({ id: `${d.code}/${s.code}`, name: `${d.name}: ${s.name}`, expression: suffixed });
    }
  }
  return { id: code, name: question.name, group, audiences };
}

function ofFieldwork(question: string, name: string, records: { code: string; name: string }[]): Axis {
  const audiences = records.map(({ code, name }) => {
    return { id: code, name, expression: { question, datapoints: [code] } };
  });
  return { id: question, name, group: "Fieldwork", audiences };
}
