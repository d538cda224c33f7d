import { printable } from '../wording/printable.ts';
import type { Content } from './content.ts';

/** What mail programs show of a subject in a list, and what one line of a mail's header holds. */
const LENGTH = 78;
/** A subject that ends after a whole clause is better than a full one, unless it says next to nothing. */
const LEAST = 30;

/** JSON, markup, settings and hashes: they are for the body or for a terminal. */
const MACHINE = /[{}[\]<>`\\]|\b(?:alarm|feeds|guard|keep|logins|mail|merge|service)\.[a-z]|\b[0-9a-f]{32,}\b/i;

/**
 * The sentence of a mail as its subject, on one line: at most 78 UTF-16 units with the stamp of the sandbox, cut after a whole
 * clause where there is one and before the first clause that holds JSON, a setting or a hash. A cut subject ends with `…`. The
 * headline stands in where nothing of the reason would be left.
 */
export function subjectLine({
  sandbox,
  sentence,
  headline,
}: Pick<Content, 'sandbox' | 'sentence' | 'headline'>): string {
  const stamp = sandbox ? '[SANDBOX] ' : '';
  const [first = '', ...clauses] = printable(sentence.replaceAll(/\s+/g, ' ')).split(/(?<=[,;:]) | (?=[—(])/);
  const room = LENGTH - stamp.length;
  if (first.length > room) return `${stamp}${cutAtWord(first, room)}`;
  let shown = first;
  for (const clause of clauses) {
    if (MACHINE.test(clause)) {
      if (headline !== null && !shown.includes('—'))
        return subjectLine({ sandbox, sentence: headline, headline: null });
      return `${stamp}${cutAtClause(shown, room)}`;
    }
    const longer = `${shown} ${clause}`;
    if (longer.length > room) {
      return `${stamp}${shown.length < LEAST ? cutAtWord(longer, room) : cutAtClause(shown, room)}`;
    }
    shown = longer;
  }
  return `${stamp}${shown}`;
}

function cutAtClause(text: string, room: number): string {
  const whole = text.lastIndexOf('(') > text.lastIndexOf(')') ? text.slice(0, text.lastIndexOf('(')) : text;
  const ended = whole.replace(/[\s,;:—(]+$/, '');
  return ended.length < room ? `${ended}…` : cutAtWord(ended, room);
}

/** Numbers are words: none loses its last digits. */
function cutAtWord(text: string, room: number): string {
  const cut = text.slice(0, room - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > 0 ? cut.slice(0, space) : cut).replace(/[\s,;:—(]+$/, '')}…`;
}
