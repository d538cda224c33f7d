import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { RunAnswer } from '../../model.ts';

/**
 * Writes the reports of a run that has ended into this home where another machine wrote them, or newer ones, so that the paths of
 * its answer can be opened here. A home that may not be written does without.
 */
export async function bringReports(answer: RunAnswer, ctx: Context): Promise<void> {
  if (answer.reports === null || answer.stage !== 'done') return;
  const { isReportedHere } = await import('../../jobs/queries/reports-here.ts');
  if (await isReportedHere(answer, ctx)) return;
  const [{ getRun }, { reportInput, writeRunReports }] = await Promise.all([
    import('../../ledger/runs/runs.ts'),
    import('../../jobs/queries/run-report.ts'),
  ]);
  try {
    const run = await getRun(ctx.ledger.db, answer.run);
    await writeRunReports(run, await reportInput(run, ctx), ctx);
  } catch (error) {
    ctx.log.debug({ run: answer.run, reason: messageOf(error) }, 'reports were not written here');
  }
}
