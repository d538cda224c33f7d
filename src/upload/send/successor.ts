import type { Context } from '../../context.ts';
import { markOf } from '../../ledger/ids.ts';
import { noteTakenOver, takenOver } from '../../ledger/maintenance/restored.ts';
import type { Listed } from '../protocol/attempt.ts';
import { isOfSuccessor } from '../protocol/standing.ts';

/**
 * Refuses to go on where an installation that was restored from a backup of this one has uploaded: it has taken this one's place. Every process of this
 * ledger finds the note. Fails with `conflict`.
 */
export async function assertNoSuccessor(records: readonly Listed[], login: string, ctx: Context): Promise<void> {
  const mark = markOf(ctx.ledger.id);
  const record = records.find((one) => isOfSuccessor(one, login, mark));
  if (record === undefined) return;
  const said = `it has uploaded ${record.id} to ${login}`;
  await noteTakenOver(ctx.ledger.db, OF_A_BACKUP, said, ctx.clock.now());
  throw takenOver(OF_A_BACKUP, said);
}

const OF_A_BACKUP = 'of that backup';
