import { identKey } from '../reference/keys.ts';
import type { Reference } from '../reference/open.ts';

/** The vehicles of a VIN or Frame number, in whatever case and with whatever separators: ids in the reference. */
export function vehiclesOfIdent(reference: Reference, ident: string): number[] {
  const found = reference.db().prepare('SELECT id FROM vehicles WHERE ident_key = ? ORDER BY id').all(identKey(ident));
  return found.map(({ id }) => Number(id));
}

const VIN = /^(?=.*\d)[A-HJ-NPR-Z\d]{17}$/;

/** Whether a key has the form of a VIN: 17 letters and digits without I, O and Q. A Frame number has no form of its own. */
export function looksLikeVin(key: string): boolean {
  return VIN.test(key);
}
