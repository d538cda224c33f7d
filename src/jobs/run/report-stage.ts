import type { Context } from '../../context.ts';
import { recover } from '../../ledger/alerts/incidents.ts';
import { hurryMails } from '../../ledger/alerts/mails.ts';
import { closeRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { recordIncidents } from '../alerts/run-incidents.ts';
import { reportInput, writeRunReports } from '../queries/run-report.ts';
import { sendMails } from '../alerts/send-mails.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import { notifyOfIncidents, notifyOfRun } from '../alerts/notify.ts';
import { putResults, wantResultOf } from './put-results.ts';
import { offersRead } from '../../wording/words.ts';

/**
 * Writes the reports of a decided run, records what went wrong or right with it, and notifies the managers who want to know; then
 * the run is done. A mail that cannot be sent now is sent by a later sweep.
 */
export async function reportRun(run: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  await writeRunReports(run, await reportInput(run, ctx), ctx);
  const { login, feed } = run;
  await recover(ctx.ledger.db, { kind: 'fault', login, feed, text: 'reports are written again' }, ctx.clock.now());
  await recordIncidents(run, ctx);
  await notifyOfRun(run, ctx);
  await notifyOfIncidents(ctx);
  await hurryMails(ctx.ledger.db, run.id);
  await sendMails(ctx);
  if (await wantResultOf(run, ctx)) await putResults(run, ctx, signal);
  await closeRun(ctx.ledger.db, run);
  if (run.reports === null) logEnd(run, ctx);
}

/** A run that is amended later ends only once. */
function logEnd(run: RunRow, { clock, log }: Context): void {
  const { id, feed, login, outcome, account, created_at } = run;
  const seconds = Math.round((clock.now() - created_at) / 100) / 10;
  const rows = account === null ? null : { read: offersRead(account), live: account.live };
  log.info({ run: id, feed, login, outcome, rows, seconds, reason: shownReason(reasonOfRun(run)) }, 'run ended');
}
