// An expression in words, by the names that its questions and answers have.
import { describe, questionsOf } from "../lib/expression.js";
import { useAnswer } from "./answer.js";

export function Words({ catalogue, expression }) {
  const keys = questionsOf(expression);
  const { data } = useAnswer(keys.length ? () => catalogue.answered(keys) : undefined, [keys.join()]);
  if (!expression) return "Everyone";
  return describe(expression, new Map([...catalogue.atHand(keys), ...(data ?? [])]), catalogue);
}

// Whether the names that an expression is told by have come, so that a view need not be drawn twice. Where they can't
// come it is told by codes.
export function useNames(catalogue, expression) {
  const keys = questionsOf(expression);
  const { data, refusal } = useAnswer(keys.length ? () => catalogue.answered(keys) : undefined, [keys.join()]);
  return keys.length === 0 || Boolean(data ?? refusal) || catalogue.atHand(keys).size === keys.length;
}
