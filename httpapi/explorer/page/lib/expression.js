// Expressions of the interface: who is meant. They are plain objects, as they are sent.

export const everyone = { question: "waves" };

export function leaf(question, datapoints, suffixes) {
  return { question, ...(datapoints?.length && { datapoints }), ...(suffixes?.length && { suffixes }) };
}

// Whoever gave any answer to a question, of those that the key grants. The record is the question's, with its answers.
export function anyAnswer(question, record) {
  const open = record.datapoints.filter(({ accessible }) => accessible).map(({ code }) => code);
  return leaf(question, open.length < record.datapoints.length ? open : []);
}

// All of these must hold.
export function all(expressions) {
  return expressions.length === 1 ? expressions[0] : { and: expressions };
}

// The questions that an expression names, by the codes that stand in it.
export function questionsOf(expression, found = new Set()) {
  if (expression?.question && !["waves", "locations"].includes(expression.question)) found.add(expression.question);
  for (const part of [...(expression?.and ?? []), ...(expression?.or ?? [])]) questionsOf(part, found);
  return [...found];
}

// An expression in words, by the names in a map of questions with their answers. What is not in it stands by its code.
export function describe(expression, questions, catalogue) {
  const parts = [];
  if (expression.question) parts.push(describeLeaf(expression, questions, catalogue));
  const inner = (list, word) =>
    list
      .map((one) =>
        one.and || one.or ? `(${describe(one, questions, catalogue)})` : describe(one, questions, catalogue),
      )
      .join(` ${word} `);
  if (expression.and?.length) parts.push(inner(expression.and, "and"));
  if (expression.or?.length) parts.push(inner(expression.or, "or"));
  const text = parts.join(" and ");
  return expression.not ? `not (${text})` : text;
}

// A band of numbers, as an answer of a derived question may be one.
function describeBand(from, to) {
  if (from !== undefined && to !== undefined) return `from ${from} to below ${to}`;
  return from !== undefined ? `${from} or more` : `below ${to}`;
}

function describeLeaf(given, questions, catalogue) {
  const { question, datapoints, options, suffixes, min_count: least, from, to } = given;
  const codes = datapoints ?? options ?? [];
  if (question === "waves" || question === "locations") {
    return codes.length ? codes.map((code) => catalogue.name(code)).join(" or ") : "everyone";
  }
  const record = questions.get(question);
  if (from !== undefined || to !== undefined) return `${record?.name ?? question}: ${describeBand(from, to)}`;
  const nameOf = (list, code) => list?.find((one) => one.code === String(code))?.name ?? String(code);
  const names = codes.map((code) => nameOf(record?.datapoints, code));
  const rates = (suffixes ?? []).map((code) => nameOf(record?.suffixes, code));
  const answers = names.length ? names.join(least > 1 ? ", " : " or ") : "any answer";
  const least_ = least > 1 ? `at least ${least} of ` : "";
  return `${record?.name ?? question}: ${least_}${answers}${rates.length ? ` (${rates.join(" or ")})` : ""}`;
}
