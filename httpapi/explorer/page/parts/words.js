// An expression in words, by the names that its questions and answers have.
import { describe, questionsOf } from "../lib/expression.js";
import { useAnswer } from "./answer.js";

export function Words({ catalogue, expression }) {
  const keys = questionsOf(expression);
  const { data } = useAnswer(keys.length ? () => catalogue.answered(keys) : undefined, [keys.join()]);
  if (!expression) return "Everyone";
  return describe(expression, data ?? new Map(), catalogue);
}
