// The rows and the columns of a table. What stands on an axis are items, as the address has them:
//
//   "core.gender"                               a question: each of its answers; of a grid, each statement × scale
//   {question, datapoints, suffixes, nets}      the same with fewer answers; of a grid, with these of the scale as one;
//                                               and with nets, lists of answers of which any one counts
//   {name, expression}                          an audience
//
// An item becomes members, each of which is a row or a column.
import { leaf } from "./expression.js";

export const questionOf = (item) => (typeof item === "string" ? item : item.question);

// The keys of the questions whose answers the items need.
export const questionsOn = (items) => items.map(questionOf).filter(Boolean);

// An item as an object, whose members can be changed.
export const opened = (item) => (typeof item === "string" ? { question: item } : { ...item });

// An item as briefly as it can be written.
export function closed({ question, datapoints, suffixes, nets, ...more }) {
  const item = {
    ...more,
    ...(question && { question }),
    ...(datapoints?.length && { datapoints }),
    ...(suffixes?.length && { suffixes }),
    ...(nets?.length && { nets }),
  };
  return Object.keys(item).length === 1 && question ? question : item;
}

// The members of an axis: {name, group, item, expression, net}. Questions are the records of those that the items name;
// an item of a question that is not among them has no members.
export function membersOf(items, questions) {
  return items.flatMap((item, i) => {
    const { question, name, expression, ...parts } = opened(item);
    if (expression) return [{ name, group: "Audiences", item: i, expression }];
    const record = questions.get(question);
    return record ? ofQuestion(question, record, parts).map((member) => ({ ...member, item: i })) : [];
  });
}

function ofQuestion(key, record, { datapoints, suffixes, nets = [] }) {
  const open = record.datapoints.filter(({ accessible }) => accessible);
  const answers = datapoints?.length ? open.filter(({ code }) => datapoints.includes(code)) : open;
  const netted = nets.map((codes) => {
    const names = record.datapoints.filter(({ code }) => codes.includes(code)).map(({ name }) => name);
    return {
      name: `Net: ${names.join(" or ")}`,
      group: record.name,
      expression: leaf(key, codes, suffixes),
      net: true,
    };
  });
  if (record.suffixes.length && !suffixes?.length) {
    const pairs = answers.flatMap((answer) =>
      record.suffixes.map((suffix) => ({
        name: suffix.name,
        group: `${record.name} · ${answer.name}`,
        expression: leaf(key, [answer.code], [suffix.code]),
      })),
    );
    return [...pairs, ...netted];
  }
  const scale = record.suffixes.filter(({ code }) => suffixes?.includes(code)).map(({ name }) => name);
  const group = scale.length ? `${record.name} · ${scale.join(" or ")}` : record.name;
  const single = answers.map(({ code, name }) => ({ name, group, expression: leaf(key, [code], suffixes) }));
  return [...single, ...netted.map((net) => ({ ...net, group }))];
}

// The letter that a column is called by in the letters of others: A … Z, AA, AB …
export function letter(i) {
  return (i >= 26 ? letter(Math.floor(i / 26) - 1) : "") + String.fromCharCode(65 + (i % 26));
}
