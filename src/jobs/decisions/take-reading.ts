import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { lockFeed } from '../../ledger/runs/feeds.ts';
import { addEvent, lockRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { SampleReading } from '../../model.ts';
import { readingName } from '../../wording/files/side-by-side.ts';
import { noteReadingTaken } from '../alerts/run-incidents.ts';
import { readAgain } from './read-again.ts';
import { assertArchived } from './rerun.ts';
import { assertNewest, assertUnmoved, heldRun, type Decision } from './review.ts';

/**
 * Takes one of the readings of a run whose file can be read in several ways, for this file only, and has the run read it again in
 * that way; guards look at it then. `reading`: from 1, in the order in which the run's answer has them. Fails with `conflict` when
 * the run does not wait for this, when its delivery is gone, when its feed has moved to another login, or when a newer one of the feed is live or waiting; with `usage` when
 * there is no such reading.
 */
export async function takeReading(
  id: string,
  reading: number,
  decision: Decision,
  ctx: Context,
): Promise<SampleReading> {
  const held = await unsureRun(ctx.ledger.db, id);
  await assertArchived(held, held.delivery_sha, 'delivery', ctx);
  return ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    const run = await unsureRun(trx, id);
    assertUnmoved(run, ctx.config);
    await lockFeed(trx, run.feed, run.login);
    await assertNewest(trx, run);
    const taken = chosen(run, reading);
    const at = ctx.clock.now();
    const name = readingName(taken);
    await recordDecision(trx, { at, action: 'take-reading', subject: id, ...decision });
    const message = `reading taken by ${decision.who}: ${name}: ${decision.reason}; the file is read again`;
    await addEvent(trx, id, { at, stage: 'read', message });
    const { charset, delimiter } = taken;
    await noteReadingTaken(trx, run, { charset, delimiter, ...decision }, at);
    await readAgain(trx, run, { ...run.options, ...withReading(run, taken), remapped: true, wait: true });
    return taken;
  });
}

/** The readings of a run with one more: of its file, or of one that is joined to it. */
function withReading(
  { options, detection }: RunRow,
  { charset, delimiter }: ReturnType<typeof chosen>,
): Pick<RunOptions, 'reading' | 'partnerReadings'> {
  const partner = detection?.partner;
  if (partner === undefined) return { reading: { charset, delimiter } };
  const others = (options.partnerReadings ?? []).filter((one) => one.partner !== partner);
  return { partnerReadings: [...others, { partner, charset, delimiter }] };
}

/** A held run whose file has several readings to choose from; fails as `takeReading` does when it has none. */
export async function unsureRun(db: Db, id: string): Promise<RunRow> {
  const run = await heldRun(db, id);
  if (hasReadings(run)) return run;
  const why = `The file of run ${id} has no readings to choose from`;
  const way =
    run.options.cause === 'unsure' ? `: ${run.reason ?? ''}` : `; it is held for another reason: ${run.reason ?? ''}`;
  throw new OfferlineError('conflict', why + way);
}

/** Whether a run is held because its file can be read in several ways that can be shown. */
export function hasReadings({ outcome, options, detection }: RunRow): boolean {
  return outcome === 'held' && options.cause === 'unsure' && (detection?.readings ?? []).length > 1;
}

function chosen({ id, detection }: RunRow, reading: number): SampleReading & { delimiter: string } {
  const readings = detection?.readings ?? [];
  const taken = readings[reading - 1];
  if (taken === undefined) {
    const names = readings.map((one, at) => `${at + 1} (${readingName(one)})`);
    throw new OfferlineError(
      'usage',
      `The file of run ${id} has no reading ${reading}. Choose one of ${names.join(', ')}.`,
    );
  }
  const { delimiter } = taken;
  if (delimiter !== null) return { ...taken, delimiter };
  const why = `Reading ${reading} of run ${id} has one column only, which is no offer file`;
  throw new OfferlineError('usage', `${why}. Choose another, or reject the run.`);
}
