import type { Context } from '../context.ts';
import { recover } from '../ledger/incidents.ts';
import { hurryMails } from '../ledger/mails.ts';
import { closeRun } from '../ledger/runs.ts';
import type { RunRow } from '../ledger/schema.ts';
import { recordIncidents } from './run-incidents.ts';
import { reportInput, writeRunReports } from './run-report.ts';
import { sendMails } from './send-mails.ts';
import { tellIncidents, tellRun } from './tell.ts';

/**
 * Writes the reports of a decided run, records what went wrong or right with it, and tells the managers who want to know; then
 * the run is done. A mail that cannot be sent now is sent by a later sweep.
 */
export async function reportRun(run: RunRow, ctx: Context): Promise<void> {
  await writeRunReports(run, await reportInput(run, ctx), ctx);
  const { login, feed } = run;
  await recover(ctx.ledger.db, { kind: 'fault', login, feed, text: 'reports are written again' }, ctx.clock.now());
  await recordIncidents(run, ctx);
  await tellRun(run, ctx);
  await tellIncidents(ctx);
  await hurryMails(ctx.ledger.db, run.id);
  await sendMails(ctx);
  await closeRun(ctx.ledger.db, run);
}
