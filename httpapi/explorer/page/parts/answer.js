// What a component shows of an answer: the last one stays until the next has come, so that nothing jumps.
import { passing } from "../lib/api.js";
import { useEffect, useRef, useState } from "../lib/html.js";

// Asks by a function of a signal whenever what it depends on changes; a question that is overtaken is given up. Gives
// {data, refusal, busy, again}. Nothing is asked while the function is undefined. A server that is away or busy is
// asked again by and by, so that the page goes on when it is back; the refusal stays until then.
export function useAnswer(asks, dependencies) {
  const [answer, setAnswer] = useState({ busy: true });
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((n) => n + 1);
  const of = [...dependencies, turn];
  const failures = useRef(0);
  useEffect(() => {
    const { refusal, busy } = answer;
    if (!passing.has(refusal?.kind) || busy) return undefined;
    const seconds = Math.max(refusal.wait, Math.min(15, 2 ** failures.current));
    const timer = setTimeout(again, 1000 * seconds);
    return () => clearTimeout(timer);
  }, [answer]);
  useEffect(() => {
    if (!asks) {
      setAnswer(({ data }) => ({ of, data, busy: false }));
      return undefined;
    }
    const giveUp = new AbortController();
    setAnswer(({ data, refusal }) => ({
      of,
      data,
      refusal: passing.has(refusal?.kind) ? refusal : undefined,
      busy: true,
    }));
    asks(giveUp.signal).then(
      (data) => {
        if (giveUp.signal.aborted) return;
        failures.current = 0;
        setAnswer({ of, data, busy: false });
      },
      (refusal) => {
        if (giveUp.signal.aborted) return;
        failures.current += 1;
        setAnswer({ of, refusal, busy: false });
      },
    );
    return () => giveUp.abort();
  }, of);
  // The effect runs once what was there before is painted anew: until then it is an answer to something else.
  const current = answer.of?.length === of.length && of.every((value, i) => Object.is(value, answer.of[i]));
  return { ...answer, busy: answer.busy || !current, again };
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
