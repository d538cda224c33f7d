import { createHash, randomBytes } from 'node:crypto';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random letters and digits without look-alikes, 5 bits each. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte & 31]).join('');
}

/** An id that people can read and sort: `20261121-100812-k3f9x` (UTC). Holds no colon, because job ids may not. */
export function timeId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomCode(5)}`;
}

/** Letters and digits of a mark. */
const MARK = 6;

/** What stands for a ledger where its id is too long: six letters and digits. */
export function markOf(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  return Array.from(hash.subarray(0, MARK), (byte) => LETTERS[byte & 31]).join('');
}

/** Letters of a term: a moment to the millisecond, and what tells two of one moment apart. */
const MOMENT = 9;
const CHANCE = 3;

/**
 * What says which of the installations that were restored from one backup goes on: the greatest term, in the order of texts. It is greater than those
 * that were seen, whatever the clocks say.
 */
export function termAfter(seen: readonly string[], now: number): string {
  const latest = Math.max(now, ...seen.map((term) => momentOf(term) + 1));
  let moment = '';
  for (let left = latest, at = 0; at < MOMENT; at += 1) {
    moment = LETTERS.charAt(left % LETTERS.length) + moment;
    left = Math.floor(left / LETTERS.length);
  }
  return moment + randomCode(CHANCE);
}

function momentOf(term: string): number {
  return Array.from(term.slice(0, MOMENT)).reduce((sum, letter) => sum * LETTERS.length + LETTERS.indexOf(letter), 0);
}
