import type { Blob } from '../../archive/archive.ts';
import { places } from '../../io/places.ts';
import type { PushKey, TakenPush } from '../../jobs/push/take-push.ts';
import { wakeRun, type World } from './world.ts';

/** Fails where a file of this name cannot be pushed to a feed now; `name` null: whatever it will be called. */
export async function assertPushable(
  { feed, name }: { feed: string; name: string | null },
  { ctx }: World,
): Promise<void> {
  await (await import('../../jobs/push/take-push.ts')).assertPushable(feed, name, ctx);
}

/** A new empty folder on the disk of the archive. */
export function makeFolder(_nothing: object, { ctx }: World): Promise<string> {
  return ctx.archive.tempFolder();
}

/** Files that are brought into the archive at once: each may be sent to a bucket. */
const bringing = places(8);
/** Milliseconds for which a file waits for that. */
const LONGEST_WAIT = 10 * 60_000;

/** Copies a file into the archive, where nothing names it yet: it is pruned after a day unless it is delivered. */
export async function keepFile({ path }: { path: string }, { ctx }: World): Promise<Blob> {
  return inTurn(() => ctx.archive.put(path));
}

/** A file that is delivered. `path`: where its bytes are; null when the archive has them. */
type Come = { feed: string; name: string; path: string | null; blob: Blob; key: PushKey | null };

/** Brings a file into the archive, then into the ledger, and has a run take it. */
export async function takePush({ path, blob, ...push }: Come, world: World): Promise<TakenPush> {
  const { ctx, asker } = world;
  const jobs = await import('../../jobs/push/take-push.ts');
  // It may have been paused while the file came: then nothing of it is to stay in the archive.
  if (path !== null) await jobs.assertPushable(push.feed, push.name, ctx);
  const { sha256, bytes } = path === null ? blob : await inTurn(() => ctx.archive.adopt(path, blob));
  const taken = await jobs.takePush({ ...push, sha256, bytes, by: asker }, ctx);
  // Nobody waits for the workers to hear of it: the ledger has it.
  if (taken.wake) void wakeRun(taken.run, world);
  return taken;
}

async function inTurn<T>(bring: () => Promise<T>): Promise<T> {
  const leave = await bringing.take(AbortSignal.timeout(LONGEST_WAIT));
  return bring().finally(leave);
}
