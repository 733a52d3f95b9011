// What a component shows of an answer: the last one stays until the next has come, so that nothing jumps.
import { useEffect, useState } from "../lib/html.js";

// Asks by a function of a signal whenever what it depends on changes; a question that is overtaken is given up. Gives
// {data, refusal, busy, again}. Nothing is asked while the function is undefined.
export function useAnswer(asks, dependencies) {
  const [answer, setAnswer] = useState({ busy: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!asks) {
      setAnswer(({ data }) => ({ data, busy: false }));
      return undefined;
    }
    const giveUp = new AbortController();
    setAnswer(({ data }) => ({ data, busy: true }));
    asks(giveUp.signal).then(
      (data) => !giveUp.signal.aborted && setAnswer({ data, busy: false }),
      (refusal) => !giveUp.signal.aborted && setAnswer({ refusal, busy: false }),
    );
    return () => giveUp.abort();
  }, [...dependencies, turn]);
  return { ...answer, again: () => setTurn((n) => n + 1) };
}

// A value once it has stood still for a moment, as what is typed has.
export function useSettled(value, milliseconds = 120) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
