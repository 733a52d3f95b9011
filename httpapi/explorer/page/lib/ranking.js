// What a profile asks the interface, and what its answer says.
import { ask } from "./api.js";
import { keyOf } from "./catalogue.js";
import { scopeOf } from "./crossing.js";

// How many attributes are shown at first, and how many more each time.
export const step = 50;

export function profileRequest(state, questions) {
  return {
    audience: { ...(state.called && { name: state.called }), expression: state.audience },
    ...scopeOf(state),
    ...(questions?.length && { questions }),
    ...(state.rank && { order_by: state.rank }),
    ...(state.side && { direction: state.side }),
    ...(state.chance && { false_discovery: Number(state.chance) }),
    limit: Number(state.top ?? step),
  };
}

// The attributes with their names: {meta, entries}, where an entry has what it is called beside its figures.
export async function ranked(request, catalogue, signal) {
  const { meta, data } = await ask("/v2/query/profile", request, { signal });
  const questions = await catalogue.answered(data.map(questionOf));
  return { meta, entries: data.map((entry) => ({ ...entry, ...namesOf(entry, questions) })) };
}

const questionOf = ({ namespace, question }) => `${namespace}.${question}`;

function namesOf(entry, questions) {
  const key = questionOf(entry);
  const record = questions.get(key);
  const nameIn = (list, code) => list?.find((one) => one.code === String(code))?.name ?? String(code);
  const scale = entry.suffixes.map((code) => nameIn(record?.suffixes, code));
  return {
    key,
    title: record?.name ?? key,
    answer: [nameIn(record?.datapoints, entry.datapoint), ...scale].join(" · "),
  };
}

// The categories that a profile can be cut to, with the questions in and below each: {id, name, depth, questions}, as a
// tree is read from the top.
export async function categoriesOf(catalogue) {
  const categories = await catalogue.categories();
  const byId = new Map(categories.map((category) => [category.id, category]));
  const below = (category) => [
    ...category.child_questions.map(keyOf),
    ...category.child_categories.flatMap(({ id }) => (byId.has(id) ? below(byId.get(id)) : [])),
  ];
  const listed = (category, depth) => [
    { id: category.id, name: category.name, depth, questions: [...new Set(below(category))] },
    ...category.child_categories.flatMap(({ id }) => (byId.has(id) ? listed(byId.get(id), depth + 1) : [])),
  ];
  return categories.filter(({ lineage }) => lineage.length === 0).flatMap((root) => listed(root, 0));
}

// The scale that index bars are drawn on: an index of 50 is as far left of 100 as one of 200 is right. All of the bars
// and intervals fit, but for those beyond eight times as much or little.
export function scaleOf(entries) {
  const far = (value) => (value > 0 ? Math.abs(Math.log2(value / 100)) : 3);
  const ends = entries.flatMap(({ metrics, statistics, withheld }) =>
    withheld ? [] : [metrics.audience_index, statistics?.audience_index?.low, statistics?.audience_index?.high],
  );
  const most = Math.min(3, Math.max(0.5, ...ends.filter((end) => end !== undefined).map(far)));
  const place = (index) => {
    const from = index > 0 ? Math.log2(index / 100) : -most;
    return 50 + 50 * (Math.max(-most, Math.min(most, from)) / most);
  };
  return { place, marks: marksWithin(most) };
}

function marksWithin(most) {
  const marks = most > 1.2 ? [12.5, 25, 50, 100, 200, 400, 800] : [50, 67, 80, 100, 125, 150, 200];
  return marks.filter((mark) => Math.abs(Math.log2(mark / 100)) <= most * 0.97);
}
