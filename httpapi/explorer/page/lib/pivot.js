// A grid that stands alone in the rows is laid out as it was asked: a row for each statement, a column for each point
// of the scale, before which stands any of it. The interface is asked for each pair as a row of its own.
import { opened } from "./axis.js";
import { leaf } from "./expression.js";

// The members to ask for, and the scale that they are laid out by; undefined where a table is none of one grid.
export function pivotOf(items, questions) {
  if (items.rows.length !== 1 || items.columns.length) return undefined;
  const { question, datapoints, suffixes, nets } = opened(items.rows[0]);
  const record = questions.get(question);
  if (!record?.suffixes.length || suffixes || nets) return undefined;
  const answers = record.datapoints.filter(
    ({ accessible, code }) => accessible && (!datapoints || datapoints.includes(code)),
  );
  const scale = [{ name: "Any" }, ...record.suffixes.map(({ code, name }) => ({ code, name, group: record.name }))];
  const rows = answers.flatMap((answer) =>
    scale.map(({ code, name }) => ({
      name: `${answer.name}: ${name}`,
      expression: leaf(question, [answer.code], code && [code]),
    })),
  );
  return { rows, scale, statements: answers.map(({ name }) => ({ name, group: record.name, item: 0 })) };
}

// What was counted, as it is laid out. Every figure is a share of all.
export function pivoted({ cells, bases, sure }, { scale, statements }) {
  const wide = scale.length;
  return {
    rows: statements,
    columns: scale,
    cells: statements.map((_, i) => cells.slice(i * wide, (i + 1) * wide).map(([cell]) => cell)),
    bases: scale.map(() => bases[0]),
    sure,
  };
}
