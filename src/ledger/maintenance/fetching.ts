import { own } from '../../io/dictionary.ts';
import { readNote } from '../alerts/notes.ts';
import type { Db } from '../ledger.ts';
import { listPauses } from '../runs/pauses.ts';

/**
 * What a login waits for after a restore: what was delivered since the backup, without which a dataset would take what is live back to older rows. `open`: runs
 * are under way. `missing`: the place of a feed could not be reached, or what lies there is held or cannot be used; a decision about it, a later run that brings
 * rows, and a pause of the feed end the wait. Null when it waits for nothing.
 */
export async function fetchingOf(db: Db, login: string): Promise<'open' | 'missing' | null> {
  const ids = own((await readNote(db, 'restored'))?.fetching ?? {}, login) ?? [];
  if (ids.length === 0) return null;
  const begun = await db
    .selectFrom('runs')
    .select(['id', 'feed', 'stage', 'created_at'])
    .where('id', 'in', ids)
    .execute();
  if (begun.some(({ stage }) => stage === 'pull' || stage === 'read')) return 'open';
  const paused = new Set((await listPauses(db)).map(({ kind, name }) => `${kind} ${name}`));
  for (const run of begun) if (!paused.has(`feed ${run.feed}`) && !(await hasArrived(db, run))) return 'missing';
  return null;
}

/** Whether a run or a later one of its feed has brought rows, was decided about, or has found that there is nothing. */
async function hasArrived(db: Db, first: { id: string; feed: string; created_at: number }): Promise<boolean> {
  const runs = db
    .selectFrom('runs')
    .where('feed', '=', first.feed)
    .where((eb) => eb.or([eb('id', '=', first.id), eb('created_at', '>', first.created_at)]))
    .where('stage', 'not in', ['pull', 'read']);
  const waiting = db.selectFrom('feeds').select('candidate').where('feed', '=', first.feed);
  const isHere = ['live', 'partial', 'unchanged'] as const;
  const brought = runs
    .select('id')
    .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', 'in', isHere), eb('id', 'in', waiting)]));
  if ((await brought.limit(1).executeTakeFirst()) !== undefined) return true;
  const ended = await runs.select(['outcome', 'options']).execute();
  if (ended.some(({ options }) => options.cause === 'turned-down')) return true;
  // An empty place does not make up for a file that was taken from it before.
  return ended.some(({ outcome }) => outcome === 'nothing') && !ended.some(({ outcome }) => isKept(outcome));
}

/** A file came, and nothing of it may go live as it is. */
function isKept(outcome: string | null): boolean {
  return outcome === 'held' || outcome === 'rejected';
}
