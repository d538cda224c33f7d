import type { Context } from '../../../src/context.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { sendOffer } from '../../../src/upload/send/send.ts';
import type { referenceForTests } from '../../sandbox/search-world.ts';
import { standingClock } from '../../support/clock.ts';
import { controlOf } from '../../support/control.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { contextFor, intend, leaseOf } from '../../upload/upload-world.ts';

const NEVER = new AbortController().signal;

/** A login `main` with the feed `north` at a sandbox, whose uploads are proved; both clocks stand, and pauses let both go on. */
export async function findabilityWorld(
  reference: ReturnType<typeof referenceForTests>,
  {
    faults = [],
    findability = {},
    retries = 0,
  }: { faults?: FaultInput[]; findability?: object | 'off'; retries?: number } = {},
) {
  const sandbox = await reference.start({ control: true, faults });
  const opened = await contextFor(sandbox.url(), { service: { findability, retries } });
  const pauses: number[] = [];
  const wait = async (ms: number) => {
    pauses.push(ms);
    clock.time += ms;
    sandbox.clock.time += ms;
  };
  const clock = standingClock(Date.UTC(2026, 4, 4), { wait });
  const log = memoryLog();
  const ctx: Context = { ...opened, log: log.log, clock: clock.clock };
  const lease = await leaseOf(ctx);
  const { db } = ctx.ledger;
  return {
    ctx,
    clock,
    log,
    pauses,
    control: controlOf(sandbox.url()),
    /** Uploads rows of north: brand, number, name, tags. */
    upload: async (...rows: string[][]) => {
      const work = await intend(ctx, lease, rows);
      const sent = await sendOffer({ ...work, lease, signal: NEVER }, ctx);
      if (sent.type !== 'accepted') throw new Error(`not accepted: ${sent.type}`);
      const proved = { state: 'success', offer_id: '17', closed_at: clock.clock.now() } as const;
      await db.updateTable('uploads').set(proved).where('intent', '=', work.intent.id).execute();
      await db.updateTable('intents').set({ result: 'met' }).where('id', '=', work.intent.id).execute();
      await sandbox.finish();
      clock.time += 1000;
    },
    /** Decides to upload rows, and sends nothing yet. */
    intend: (...rows: string[][]) => intend(ctx, lease, rows),
  };
}
