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
