import type { Language } from '../wording/language/language.ts';
import type { Explanation, Kind } from './explanation.ts';

/** Messages that say what a code means to people who do not run offerline, and what to do; the code follows. */
const MESSAGES: Partial<Record<Kind, readonly string[]>> = {
  issue: ['cause.', 'remedy.'],
  cause: ['run.headline.', 'run.meaning.'],
  incident: ['incident.meaning.'],
};

/** What is known of a message only when it is said. */
const FACTS = { column: '…', message: '…' };

/** What a code means, in sentences of another language than English; empty where only English has words for it. */
export function meaningIn(
  { kind, code }: Pick<Explanation, 'kind' | 'code'>,
  { name, say, knows }: Language,
): string[] {
  if (name === 'en') return [];
  return (MESSAGES[kind] ?? []).flatMap((beginning) => {
    const key = `${beginning}${code}`;
    return knows(key) ? say(key, FACTS) : [];
  });
}
