import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import { withFileLock } from '../../ledger/engines/file-lock.ts';
import type { Log } from '../../log.ts';
import { ensureServer, type Ensured, type Starter } from './ensure.ts';
import { openKeeper, type Keeper } from './keeper.ts';
import { askToEnd, probe } from './probe.ts';
import { removeRecord } from './record.ts';
import type { RedisServer } from './redis-server.ts';

/** Longer than a start may take, so that those who start at the same time wait for the one that does it. */
const LOCK_LIMIT_MS = 90_000;
const END_LIMIT_MS = 10_000;
const KEEPER = 'offerline-keeper:';

/** What the processes of one home need to agree on their server. */
type Home = { folder: string; lock: string; starter: Starter; log: Log };

/**
 * Opens the Redis that all processes of one home share: finds the one that runs, or starts it; null when there is none and
 * nothing may be started. It is started again when it dies in use, and ended by its last user.
 */
export async function openShared(
  { home, prefix, log }: { home: string; prefix: string; log: Log },
  starter: Starter,
): Promise<RedisServer | null> {
  const folder = join(resolve(home), 'redis');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at: Home = { folder, lock: join(folder, 'lock'), starter, log };
  const name = `${KEEPER}${process.pid}:${randomUUID()}`;
  const state: { server: Ensured | null; closing: boolean; reviving: Promise<void> | null } = {
    server: null,
    closing: false,
    reviving: null,
  };
  const onLost = () => {
    if (state.closing || state.reviving !== null || state.server === null) return;
    const last = state.server;
    state.reviving = (async () => {
      state.server = await revive(at, last);
      state.reviving = null;
    })();
  };
  // The keeper connects before the lock is released, so that no other process ends the server in between.
  const keeper = await withFileLock(at.lock, LOCK_LIMIT_MS, async () => {
    state.server = await ensureServer(folder, starter, log);
    if (state.server === null) return null;
    const { path } = state.server.record;
    return openKeeper({ path }, { where: `Redis of ${folder}`, name, log, onLost });
  });
  const { server } = state;
  if (keeper === null || server === null) return null;
  const close = async () => {
    state.closing = true;
    await state.reviving;
    await leave(at, state.server ?? server, keeper);
  };
  let closed: Promise<void> | undefined;
  return {
    ...describe(server, keeper, folder),
    prefix,
    keeps: keeper.keeps,
    use: keeper.use,
    close: () => (closed ??= close()),
  };
}

function describe({ record, hosted }: Ensured, keeper: Keeper, folder: string) {
  const memory = `the queue is in the memory of ${hosted === null ? `process ${record.pid}` : 'this process'} and ends with it`;
  return {
    kind: record.kind,
    connection: {
      path: record.path,
      connectionName: `offerline:${process.pid}`,
      maxRetriesPerRequest: null,
      disconnectTimeout: 100,
    },
    describe:
      record.kind === 'private' ? `private ${keeper.version} in ${folder}` : `in-process stand-in for Redis, ${memory}`,
    notice:
      record.kind === 'private'
        ? null
        : `No redis-server or valkey-server was found, so ${memory}. No work is lost: the ledger keeps it.`,
  };
}

/** Starts the server again on the same socket when it has died; our connections find it there by themselves. */
async function revive(at: Home, last: Ensured): Promise<Ensured> {
  try {
    const found = await withFileLock(at.lock, LOCK_LIMIT_MS, () =>
      ensureServer(at.folder, at.starter, at.log, last.record.path),
    );
    return found === null ? last : { record: found.record, hosted: found.hosted ?? last.hosted };
  } catch (error) {
    at.log.warn({ reason: messageOf(error) }, 'the private redis could not be restarted');
    return last;
  }
}

/** Ends the server when it runs in this process or has no other user; never fails: the next process copes. */
async function leave(at: Home, server: Ensured, keeper: Keeper): Promise<void> {
  try {
    await withFileLock(at.lock, LOCK_LIMIT_MS, async () => {
      const alone = server.record.kind === 'private' && (await leaveAlone(keeper));
      keeper.close();
      if (server.hosted !== null) await server.hosted.stop();
      else if (!alone || !(await endServer(server.record.path))) return;
      await removeRecord(at.folder, server.record.path);
    });
  } catch (error) {
    at.log.warn({ reason: messageOf(error) }, 'the private redis was left running');
  } finally {
    keeper.close();
  }
}

/** Takes our name off the list of users; true when it was the only one. The connection itself would be seen for longer. */
async function leaveAlone({ use }: Keeper): Promise<boolean> {
  await use((client) => client.client('SETNAME', 'offerline-left'));
  const list = await use((client) => client.client('LIST'));
  return !String(list).includes(`name=${KEEPER}`);
}

async function endServer(path: string): Promise<boolean> {
  await askToEnd(path, END_LIMIT_MS);
  const end = performance.now() + END_LIMIT_MS;
  while (performance.now() < end) {
    if ((await probe(path)).state === 'gone') return true;
    await sleep(10);
  }
  return false;
}
