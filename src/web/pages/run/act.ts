import { OfferlineError } from '../../../errors.ts';
import type { AskedColumn } from '../../../jobs/decisions/choose-columns.ts';
import { RERUN_STAGES } from '../../../jobs/decisions/rerun-stages.ts';
import { namedRun } from '../../named.ts';
import { assertConfirmed } from '../../parts/decision.ts';
import { decidedAt, doneAt } from '../../parts/done.ts';
import type { Answer } from '../../route.ts';
import { tokenOf, type Visit } from '../../visit.ts';

/** Releases a held run, or asks for a second person. */
export async function approveRun(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  const reason = visit.form.get('reason') ?? '';
  const decided = await visit.call('approve', { run: id, ...tokenOf(visit.visitor), reason });
  return decidedAt(`/runs/${id}`, 'approve', decided);
}

/** Drops a run for good, which the visitor has confirmed. */
export async function rejectRun(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  assertConfirmed(visit);
  const { woken } = await visit.call('reject', { run: id, reason: visit.form.get('reason') ?? '' });
  return doneAt(`/runs/${id}`, 'reject', woken);
}

/** Takes the columns that were chosen. */
export async function takeColumns(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  const columns: AskedColumn[] = [...visit.form].flatMap(([name, value]) => {
    const key = /^column-(.+)$/u.exec(name)?.[1];
    return key === undefined || value === '' ? [] : [{ key, column: value }];
  });
  if (columns.length === 0) throw new OfferlineError('usage', 'No column was chosen, so nothing was done.');
  const { woken } = await visit.call('takeColumns', { run: id, columns, reason: visit.form.get('reason') ?? '' });
  return doneAt(`/runs/${id}`, 'columns', woken);
}

/** Takes the reading that was chosen. */
export async function takeReading(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  const reading = Number(visit.form.get('reading') ?? '');
  if (!Number.isInteger(reading) || reading < 1)
    throw new OfferlineError('usage', 'No reading was chosen, so nothing was done.');
  const { woken } = await visit.call('takeReading', { run: id, reading, reason: visit.form.get('reason') ?? '' });
  return doneAt(`/runs/${id}`, 'reading', woken);
}

/** Takes accepted columns back. */
export async function revokeColumns(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  const { woken } = await visit.call('revokeColumns', { run: id, reason: visit.form.get('reason') ?? '' });
  return doneAt(`/runs/${id}`, 'revoke', woken);
}

/** Runs it again from the stage that was chosen; leads to the new run. */
export async function rerunRun(visit: Visit): Promise<Answer> {
  const { id } = await namedRun(visit);
  const from = RERUN_STAGES.find((stage) => stage === visit.form.get('from'));
  if (from === undefined) throw new OfferlineError('usage', `Choose a stage: ${RERUN_STAGES.join(', ')}.`);
  const { run, woken } = await visit.call('rerunRun', { run: id, from });
  return doneAt(`/runs/${run}`, 'rerun', woken);
}
