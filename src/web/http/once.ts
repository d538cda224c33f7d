import type { Answer } from '../route.ts';

/** So many forms are remembered; each for so many milliseconds. */
const MOST = 1000;
const FOR = 10 * 60_000;

const done = new Map<string, { at: number; answer: Promise<Answer>; signal: AbortSignal }>();

/**
 * Carries a form out once, however often it is sent: a second press of its button, or the page loaded again, is answered as the first
 * was. `key` is what the form was given when it was made, `whose` who sent it and where to. The signal says that its sender has gone.
 */
export function once(
  key: string | null,
  whose: string,
  carryOut: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  if (key === null || key === '') return carryOut();
  const name = JSON.stringify([whose, key.slice(0, 64)]);
  const now = performance.now();
  for (const [old, { at }] of done) {
    if (done.size < MOST && now - at < FOR) break;
    done.delete(old);
  }
  const known = done.get(name);
  if (known !== undefined) {
    return known.answer.catch((error: unknown) => {
      // At a second press a browser leaves the first request, and what that was doing ends with it.
      if (known.signal.aborted) return once(key, whose, carryOut, signal);
      throw error;
    });
  }
  const answer = carryOut();
  done.set(name, { at: now, answer, signal });
  // What failed was not done, and may be tried again with the same form.
  answer.catch(() => done.delete(name));
  return answer;
}
