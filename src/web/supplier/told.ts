import type { SupplierDelivery } from '../../ledger/lists/supplier-deliveries.ts';
import type { RowCounts } from '../../model.ts';
import { html, type Html } from '../../wording/html.ts';
import type { Language } from '../../wording/language/language.ts';

/** What a supplier calls a delivery: the file that it sent. */
export function nameOf({ delivery_name: name, entry, id }: Pick<SupplierDelivery, 'delivery_name' | 'entry' | 'id'>) {
  return name ?? entry ?? id;
}

/** Rows that were read of a file, and those of them that are not taken as they are; null where none were read. */
export function rowsOf({ counts, account }: Pick<SupplierDelivery, 'counts' | 'account'>): {
  read: number | null;
  wrong: number | null;
} {
  const known: Partial<RowCounts> | null = account ?? counts;
  if (known?.read === undefined) return { read: null, wrong: null };
  const { read, rejectedLocally = 0, rejectedRemotely = 0 } = known;
  return { read, wrong: Math.min(read, rejectedLocally + rejectedRemotely) };
}

/** What became of a delivery, in a few words for the one who sent it: why is for those who decide. */
export function outcomeOf({ outcome }: Pick<SupplierDelivery, 'outcome'>, { say }: Language): Html {
  const told = outcome === null ? 'open' : outcome === 'nothing' ? 'replaced' : outcome;
  return html`<span class="badge ${outcome ?? 'running'}">${say(`supplier.page.outcome.${told}`)}</span>`;
}
