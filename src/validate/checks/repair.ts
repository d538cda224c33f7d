import type { Repair } from '../../config/schema/schema.ts';
import { shortened, UNSEEN } from '../../wording/printable.ts';

/** Longer texts are cut in messages; the issue has the cell itself. */
const SHOWN = 80;

/** What was done, or could be done, about a damaged cell: the end of the message of its issue. */
export function remedy(repair: Repair, allowed: boolean, before: string, after: string | null): string {
  if (after === null) return 'Ask the supplier for a correct export.';
  if (allowed) return `It was repaired (repair: [${repair}]): ${quoted(before)} became ${quoted(after)}.`;
  return proposal(repair, after);
}

/** Which setting would help, and what the cell would be then. */
export function proposal(repair: Repair, after: string): string {
  return `With feeds.NAME.repair: [${repair}] it would become ${quoted(after)}.`;
}

/** A cell for a message: in quotes, cut, with its invisible characters written out. */
export function quoted(text: string): string {
  const visible = shortened(text, SHOWN).replaceAll(
    UNSEEN,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${visible}"`;
}
