import type { Context } from '../../context.ts';
import { markOf } from '../../ledger/ids.ts';
import { noteTakenOver, successorOf, takenOver } from '../../ledger/maintenance/restored.ts';
import type { Listed } from '../protocol/attempt.ts';
import { termOfSuccessor } from '../protocol/standing.ts';

/**
 * Refuses to go on where another installation has uploaded that was restored from a backup of this one, or of one in whose place this one goes on, and was chosen
 * later. Every process of this ledger finds the note. Fails with `conflict`.
 */
export async function assertNoSuccessor(records: readonly Listed[], login: string, ctx: Context): Promise<void> {
  const { db, id } = ctx.ledger;
  const ofThis = records.find((one) => termOfSuccessor(one, login, markOf(id)) !== null);
  if (ofThis !== undefined) return stop(OF_A_BACKUP, `it has uploaded ${ofThis.id} to ${login}`, ctx);
  const restored = await successorOf(db);
  if (restored === null) return;
  const mark = markOf(restored.originals[0]!);
  const later = records.find((one) => (termOfSuccessor(one, login, mark) ?? '') > restored.term);
  if (later === undefined) return;
  await stop(OF_THE_SAME, `it was chosen later, and has uploaded ${later.id} to ${login}`, ctx);
}

async function stop(by: string, said: string, { ledger, clock }: Context): Promise<never> {
  await noteTakenOver(ledger.db, by, said, clock.now());
  throw takenOver(by, said);
}

const OF_A_BACKUP = 'of that backup';
const OF_THE_SAME = 'of another restore';
