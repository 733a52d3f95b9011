// What a trend asks the interface, and what its answers say. A line is an answer given by an audience. Each audience is
// asked about in a request of its own, as the base that the waves cut, so that a point is its share of the audience.
import { ask } from "./api.js";
import { all, leaf } from "./expression.js";
import { measures, missing, scopeOf } from "./crossing.js";

// More lines than these can't be told apart.
export const mostLines = 8;

// The audiences that lines are of: those that the address names, or everyone alone.
export const audiencesOf = (state) => (state.audiences?.length ? state.audiences : [{ name: "Everyone" }]);

// The answers that lines are of: those that the address names, or as many of the first as there is room for.
export function answersOf(state, record) {
  const open = record.datapoints.filter(({ accessible }) => accessible);
  const room = Math.max(1, Math.floor(mostLines / audiencesOf(state).length));
  const chosen = open.filter(({ code }) => state.answers?.includes(code));
  return (chosen.length ? chosen : open.slice(0, audiencesOf(state).length > 1 ? 1 : 5)).slice(0, room);
}

// The waves of the question's namespace, oldest first, or those of them that the address names.
export function wavesOf(state, record, catalogue) {
  const { wave_codes: codes } = catalogue.namespaces.find(({ code }) => code === record.namespace_code);
  return catalogue.waves.filter(
    ({ code }) => codes.includes(code) && (!state.waves?.length || state.waves.includes(code)),
  );
}

export function trendRequest(state, { expression, name }, answers, waves) {
  const base = [state.base, expression].filter(Boolean);
  return {
    rows: answers.map(({ code, name }) => ({
      name,
      expression: leaf(state.trend, [code], state.part && [state.part]),
    })),
    columns: waves.map(({ code, name }) => ({ name, expression: { question: "waves", datapoints: [code] } })),
    ...scopeOf({ ...state, base: undefined }),
    ...(base.length && { base_audience: { ...(expression && { name }), expression: all(base) } }),
    waves: waves.map(({ code }) => code),
    ...(state.matched && { matched: true }),
    coverage: true,
    statistics: {
      compare: ["previous"],
      correction: "holm",
      ...(state.level && { level: Number(state.level) }),
    },
  };
}

// The lines: {name, points}, each point {value, low, high, sample, quality, change} or why there is none, "unmeasured"
// or "withheld"; and the locations of each wave that is covered.
export async function trended(state, record, catalogue, signal) {
  const [answers, waves] = [answersOf(state, record), wavesOf(state, record, catalogue)];
  const audiences = audiencesOf(state).slice(0, mostLines);
  const lines = await Promise.all(
    audiences.map(async (audience) => {
      const request = trendRequest(state, audience, answers, waves);
      const { data } = await ask("/v2/query/crosstab?stream=false", { ...request, echo: false }, { signal });
      return answers.map((answer, i) => ({
        name: named(answer, audience, answers, audiences),
        points: waves.map((_, j) => pointOf(data[i * waves.length + j], Number(state.level ?? 95))),
        covered: waves.map((_, j) => data[i * waves.length + j].coverage?.locations ?? []),
      }));
    }),
  );
  return { waves, lines: lines.flat() };
}

function named(answer, audience, answers, audiences) {
  if (audiences.length === 1) return answer.name;
  return answers.length === 1 ? audience.name : `${answer.name} · ${audience.name}`;
}

function pointOf(cell, level) {
  const why = missing(cell);
  // A wave of which nobody is in the audience has no share, which is not a share of 0.
  if (why || cell.audiences.column.sample === 0) return { missing: why ?? "unmeasured" };
  const interval = measures.column.interval(cell);
  const test = cell.statistics.previous;
  return {
    value: measures.column.of(cell),
    low: interval?.low,
    high: interval?.high,
    sample: cell.audiences.column.sample,
    quality: interval?.quality ?? "withhold",
    change:
      test && test.adjusted_p <= 1 - level / 100 && interval?.quality !== "withhold"
        ? Math.sign(test.difference)
        : 0,
  };
}

// Whether the waves that were measured cover different locations, so that a change may be one of locations alone.
export function differ(lines) {
  return lines.some(({ covered, points }) => {
    const places = covered.filter((_, j) => !points[j].missing).map((codes) => codes.toSorted().join());
    return new Set(places).size > 1;
  });
}
