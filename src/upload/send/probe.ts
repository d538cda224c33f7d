import type { Offers } from '../../service/offers/offers.ts';
import type { OfferRecord } from '../../service/offers/schemas.ts';
import type { Listed } from '../protocol/attempt.ts';

const PAGE = 100;
/** 90 days of uploads fit many times over; a list that never ends is followed no further. */
const MAX_PAGES = 1000;

/**
 * The login's uploads, newest first, paged until one is met that was there at the intent's first probe (its ids need not
 * ascend, so nothing is concluded from their order), or to the end when there is none.
 */
export async function listUntilKnown(
  offers: Offers,
  known: readonly string[] | null,
  signal: AbortSignal,
): Promise<Listed[]> {
  const knownIds = new Set(known ?? []);
  const found = new Map<string, Listed>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const records = await offers.list(page, PAGE, signal);
    const before = found.size;
    for (const record of records) found.set(record.id, toListed(record));
    const metKnown = records.some((record) => knownIds.has(record.id));
    if (metKnown || records.length === 0 || found.size === before) return [...found.values()];
  }
  return [...found.values()];
}

/** An offer record as the protocol reads it. */
export function toListed(record: OfferRecord): Listed {
  return {
    id: record.id,
    state: record.state,
    sourceFile: record.sourceFile ?? null,
    linesProcessed: record.linesProcessed,
    lastModified: record.lastModifiedTime,
    error: record.error ?? null,
    errorFileExists: record.errorFileExists,
  };
}
