import type { Db } from '../../ledger/ledger.ts';
import { openOfKinds, raise, recover } from '../../ledger/alerts/incidents.ts';
import type { FindabilityLook } from '../../model.ts';

/** Examples in the reason. */
const EXAMPLES = 3;

/**
 * Opens the incident of parts that are live and that the search does not find, or ends it. What was missing is looked for again as long as it is live,
 * so that a whole look in which nothing is missing ends it; one that was cut short never does.
 */
export async function tellOfMissing(
  db: Db,
  { login, feed, at, parts, answers, note }: FindabilityLook,
  upload: string | null,
): Promise<void> {
  const missing = answers.filter(({ found }) => found === 'missing');
  if (missing.length === 0) {
    if (note !== null) return;
    const found = `the search finds every part that was looked for (${answers.length})`;
    await recover(
      db,
      { kind: 'not-found', login, feed, text: parts === 0 ? 'nothing of it is live any more' : found },
      at,
    );
    return;
  }
  const reason = {
    code: 'parts-not-found',
    missing: missing.length,
    asked: answers.length,
    upload,
    examples: missing.slice(0, EXAMPLES).map(({ brand, oem }) => `${brand} ${oem}`),
  } as const;
  await raise(
    db,
    { kind: 'not-found', login, feed, reason, numbers: { missing: missing.length, asked: answers.length } },
    at,
  );
}

/** Ends the incidents of parts that are not found where nobody looks any more. */
export async function endMissing(db: Db, at: number): Promise<void> {
  const text = 'the search is not asked for live parts any more';
  for (const { login, feed } of await openOfKinds(db, ['not-found']))
    await recover(db, { kind: 'not-found', login, feed, text }, at);
}
