import { dictionary, own } from '../../io/dictionary.ts';
import { leaveNote, readNote } from '../alerts/notes.ts';
import type { Db } from '../ledger.ts';
import { listPauses } from '../runs/pauses.ts';

/** The feeds of a configuration, as far as it matters here. */
type Feeds = Readonly<Record<string, { login: string; source: { type: string } }>>;

/** What a login waits for. `open`: runs are under way. `missing`: rows of a feed that nobody has yet. */
type Awaited = 'open' | 'missing' | null;

/**
 * What a login waits for after a restore: what was delivered since the backup, without which a dataset would take what is live back to older rows. A feed is
 * `missing` when its place could not be reached, when what lies there is held or cannot be used, and when nothing was pushed to it since; a decision about it, a
 * later run that brings rows, and a pause of the feed end the wait. Null when it waits for nothing.
 */
export async function fetchingOf(db: Db, login: string, feeds: Feeds): Promise<Awaited> {
  const note = await readNote(db, 'restored');
  const ids = own(note?.fetching ?? {}, login) ?? [];
  const pushes = Object.entries(note?.pushes ?? {});
  if (ids.length === 0 && pushes.length === 0) return null;
  const begun =
    ids.length === 0
      ? []
      : await db.selectFrom('runs').select(['id', 'feed', 'stage', 'created_at']).where('id', 'in', ids).execute();
  if (begun.some(isBeingRead)) return 'open';
  const paused = new Set((await listPauses(db)).map(({ kind, name }) => `${kind} ${name}`));
  const counts = (feed: string) => own(feeds, feed)?.login === login && !paused.has(`feed ${feed}`);
  for (const run of begun) {
    if (counts(run.feed) && !(await hasArrived(db, run, null))) return 'missing';
  }
  for (const [feed, since] of pushes) {
    const waits = counts(feed) && own(feeds, feed)?.source.type === 'push' ? await pushTo(db, feed, since) : null;
    if (waits !== null) return waits;
  }
  return null;
}

/** What a feed waits for to which files are pushed. */
async function pushTo(db: Db, feed: string, since: number): Promise<Awaited> {
  const pushed = db.selectFrom('pushed').where('feed', '=', feed).where('at', '>=', since);
  const earliest = await pushed.select('at').orderBy('at').limit(1).executeTakeFirst();
  if (earliest === undefined) return 'missing';
  const runs = db.selectFrom('runs').select(['id', 'feed', 'stage', 'created_at']);
  const begun = await runs.where('id', 'in', pushed.select('run')).orderBy('created_at').execute();
  const [first] = begun;
  if (first === undefined || (await hasArrived(db, first, earliest.at))) return null;
  return begun.some(isBeingRead) ? 'open' : 'missing';
}

function isBeingRead({ stage }: { stage: string }): boolean {
  return stage === 'pull' || stage === 'read';
}

/**
 * Whether a run or a later one of its feed has brought rows, was decided about, or has found that there is nothing. `pushedAt`: of a feed to which files are
 * pushed, when; then nothing is no answer, and any run counts that took a file since: it may have begun before.
 */
async function hasArrived(
  db: Db,
  first: { id: string; feed: string; created_at: number },
  pushedAt: number | null,
): Promise<boolean> {
  const runs = db
    .selectFrom('runs')
    .where('feed', '=', first.feed)
    .where((eb) =>
      eb.or([
        eb('id', '=', first.id),
        eb('created_at', '>', first.created_at),
        ...(pushedAt === null ? [] : [eb('taken_at', '>=', pushedAt)]),
      ]),
    )
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
  return pushedAt === null && ended.some(({ outcome }) => outcome === 'nothing') && !ended.some(isKept);
}

/** A file came, and nothing of it may go live as it is. */
function isKept({ outcome }: { outcome: string | null }): boolean {
  return outcome === 'held' || outcome === 'rejected';
}

/** A sender repeats a push that the backup has: nothing newer was lost of its feed, and nothing waits for it any more. */
export async function endWaitForPush(db: Db, { feed, at }: { feed: string; at: number }): Promise<void> {
  const note = await readNote(db, 'restored');
  const since = own(note?.pushes ?? {}, feed);
  if (note === undefined || since === undefined || at >= since) return;
  const others = Object.entries(note.pushes ?? {}).filter(([name]) => name !== feed);
  await leaveNote(db, 'restored', { ...note, pushes: dictionary(others) });
}
