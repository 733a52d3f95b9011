// How an expression is built, piece by piece. A piece is a leaf, which names a question, or a group, which is a list of
// pieces under "and" or "or"; either may be turned around by "not". A path tells where a piece stands: the places to go
// down, from the whole. Nothing is changed in place.
import { all } from "./expression.js";

export const isGroup = (piece) => !piece.question;

export const piecesOf = (group) => group.and ?? group.or ?? [];

export const wordOf = (group) => (group.or ? "or" : "and");

// An expression in pieces, whatever stands on one node: all of that must hold, so it becomes a group. A member that the
// interface does not know stays where it is, for the server to say so.
export function tidy({ and, or, ...rest }) {
  const lists = [and?.length && { and: and.map(tidy) }, or?.length && { or: or.map(tidy) }].filter(Boolean);
  if (rest.options && !rest.datapoints) {
    const { options, ...others } = rest;
    rest = { ...others, datapoints: options };
  }
  if (!rest.question) {
    if (lists.length === 0) return { ...rest, and: [] };
    return lists.length === 1 ? { ...rest, ...lists[0] } : { ...rest, and: lists };
  }
  if (lists.length === 0) return rest;
  const { not, ...piece } = rest;
  return {
    and: [piece, ...(and?.length ? lists[0].and : []), ...(or?.length ? [lists.at(-1)] : [])],
    ...(not && { not }),
  };
}

// What of an expression says something: groups of nothing are left out. Undefined where nothing is left.
export function said(expression) {
  if (!expression) return undefined;
  if (!isGroup(expression)) return expression;
  const { and, or, ...rest } = expression;
  const pieces = (and ?? or ?? []).map(said).filter(Boolean);
  return pieces.length ? { ...rest, [or ? "or" : "and"]: pieces } : undefined;
}

// With another piece in the place of the one at a path; without it where the other is undefined.
export function put(expression, [first, ...deeper], piece) {
  if (first === undefined) return piece;
  const pieces = piecesOf(expression).flatMap((one, i) => {
    const next = i === first ? put(one, deeper, piece) : one;
    return next ? [next] : [];
  });
  return { ...expression, [wordOf(expression)]: pieces };
}

// With one more piece at the end of the whole, which becomes a group where it was a leaf or is turned around.
export function append(expression, piece) {
  if (!expression) return piece;
  if (!isGroup(expression) || expression.not) return all([expression, piece]);
  return { ...expression, [wordOf(expression)]: [...piecesOf(expression), piece] };
}

// An expression as it is read in a text of JSON; an Error tells what is wrong with it.
export function parsed(text) {
  const value = JSON.parse(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error('An expression is an object, as in {"question": "core.age", "datapoints": ["age_1"]}.');
  }
  return tidy(value);
}
