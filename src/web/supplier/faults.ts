import type { Context } from '../../context.ts';
import { reportInput } from '../../jobs/queries/run-report.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Detection } from '../../model.ts';
import { collectFaults, type Faults } from '../../report/marked/faults.ts';
import type { Language } from '../../wording/language/language.ts';
import { inTurn } from './turns.ts';

/** Rows with mistakes that are kept for the page of a delivery. */
const MOST_ROWS = 500;
/** So many deliveries are remembered: what is wrong with a file does not change, and reading it again takes long where it is much. */
const MOST = 300;

const known = new Map<string, Promise<Faults>>();

/** What is wrong with a delivery, as its supplier is told, read once. */
export function faultsOf(run: RunRow, detection: Detection, language: Language, ctx: Context): Promise<Faults> {
  const key = JSON.stringify([run.id, run.issues_sha, run.rejections_sha, run.outcome, language.name]);
  const found = known.get(key) ?? collect();
  known.delete(key);
  known.set(key, found);
  found.catch(() => known.delete(key));
  if (known.size > MOST) known.delete(known.keys().next().value ?? key);
  return found;

  // Whoever asked first may be gone, others not.
  function collect(): Promise<Faults> {
    return inTurn(run.feed, async () =>
      collectFaults(await reportInput(run, ctx, language.name), detection, language, MOST_ROWS),
    );
  }
}
