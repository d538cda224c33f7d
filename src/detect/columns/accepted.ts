import { foldExactName } from '../../config/schema/match-names.ts';
import { cryptography } from '../../io/cryptography.ts';
import type { AcceptedColumns } from '../../model.ts';

/** What identifies the columns of a table: its header cells (empty when there is none), and the width of most rows. */
type Header = { header: string[]; width: number };

/**
 * Names the header of a table: the same for the same column names in the same order, however they are spaced and capitalised,
 * and for the same width where there is no header. Pure.
 */
export function headerFingerprint({ header, width }: Header): string {
  const names = header.map(foldExactName);
  const named = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  return cryptography().hash('sha256', JSON.stringify(named.length === 0 ? width : named));
}

/** What was accepted for the header of this table, if anything was. Pure. */
export function acceptedFor(accepted: AcceptedColumns[], table: Header): AcceptedColumns | undefined {
  if (accepted.length === 0) return undefined;
  const fingerprint = headerFingerprint(table);
  return accepted.find((one) => one.fingerprint === fingerprint);
}
