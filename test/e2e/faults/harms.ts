import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { until } from '../../support/until.ts';
import { epochOf, startWorker, type Shop } from './shop.ts';
import type { Stand } from './steps.ts';

/** Does harm to a worker that stands at a step, or to what it needs, and lets what is left go on. */
type Harm = (shop: Shop, stand: Stand) => Promise<void>;

/** What may befall a worker at any step. */
export const HARMS = {
  'kill worker': async (shop, stand) => {
    await killWorker(shop, stand);
    await stand.go();
    await startWorker(shop);
  },
  'kill Redis': async (shop, stand) => {
    await shop.redis.kill9();
    await stand.go();
    await shop.redis.restart();
  },
  'kill both': async (shop, stand) => {
    await Promise.all([shop.redis.kill9(), killWorker(shop, stand)]);
    await stand.go();
    await shop.redis.restart();
    await startWorker(shop);
  },
  'wipe Redis': wipeRedis,
  'connection reset': (_, stand) => stand.spoil('reset'),
  'answer 503': (_, stand) => stand.spoil('refuse'),
  'hang past timeout': (_, stand) => stand.spoil('hang'),
  'stop and continue': stopAndContinue,
  'clock +1 h': setClock(3600),
  'clock −1 h': setClock(-3600),
  'clock +1 day': setClock(86_400),
} satisfies Record<string, Harm>;

export type HarmName = keyof typeof HARMS;

/** Harms that need programs whose clock can be set. */
export const needsFakeTime = (harm: HarmName) => harm.startsWith('clock');

/** The workers' clock is set, what was waited for is lost, and the clock is set once more while nobody knows its outcome. */
function setClock(seconds: number): Harm {
  return async ({ time }, stand) => {
    time?.jump(seconds);
    await stand.spoil('reset');
    time?.jump(seconds);
  };
}

async function killWorker(shop: Shop, { pid }: Stand): Promise<void> {
  process.kill(pid, 'SIGKILL');
  const at = shop.workers.findIndex(({ child }) => child.pid === pid);
  await shop.workers.splice(at, 1)[0]?.ended;
}

/** Everything that Redis knew is gone, and the other worker has been woken for the same work before the first goes on. */
async function wipeRedis(shop: Shop, stand: Stand): Promise<void> {
  const client = new Redis(shop.redis.url);
  try {
    await client.flushall();
    await until(async () => ((await client.exists(stand.wakeKey)) === 1 ? true : undefined));
  } finally {
    client.disconnect();
  }
  await stand.go();
}

/** The worker is stopped until another has taken its work over; then it goes on as if no time had passed. */
async function stopAndContinue(shop: Shop, stand: Stand): Promise<void> {
  const worker = shop.workers.find(({ child }) => child.pid === stand.pid);
  await stopBetweenWrites(shop, stand.pid);
  // The other worker may have taken it and given it back by now.
  await until(() => (epochOf(shop, stand.lease) > stand.epoch ? true : undefined));
  await stand.go();
  const said = worker?.stderr().length ?? 0;
  process.kill(stand.pid, 'SIGCONT');
  // Two sweeps later it has found out, and has done what it would do.
  await until(() =>
    (worker
      ?.stderr()
      .slice(said)
      .match(/"swept"/g)?.length ?? 0) > 1
      ? true
      : undefined,
  );
}

/** Stops a process that must not be inside a write, in which it would keep everybody else from writing. */
export async function stopBetweenWrites(shop: Shop, pid: number): Promise<void> {
  if (!shop.file.isTransaction) shop.file.exec('begin immediate');
  process.kill(pid, 'SIGSTOP');
  await until(async () => ((await isStopped(pid)) ? true : undefined));
  shop.file.exec('rollback');
}

async function isStopped(pid: number): Promise<boolean> {
  const [, state] = /\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return state === 'T';
}
