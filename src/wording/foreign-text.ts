import { redact, redactForeign } from './redact.ts';
import { shortened } from './printable.ts';

/** Characters of a text from outside that are kept and shown. */
const LONGEST = 2000;
/** A credential may begin before the cut and end behind it. */
const MARGIN = 1000;

/** A text that a server wrote, as it may be kept and shown: one line, of bounded length, without our credentials. */
export function foreignText(text: string, longest = LONGEST): string {
  return oneLine(text, longest, redactForeign);
}

/** A name or code of a server, such as a state, that is compared with others: a credential that is a word stays. */
export function foreignName(text: string, longest = LONGEST): string {
  return oneLine(text, longest, redact);
}

function oneLine(text: string, longest: number, hide: (text: string) => string): string {
  const line = hide(text.slice(0, 2 * longest + MARGIN))
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return shortened(line, longest);
}
