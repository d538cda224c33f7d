import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { atTheSameTime, booksOf, sentTwice } from './faults/books.ts';
import { randomFrom } from './faults/random.ts';
import { sandboxProcess } from './faults/service.ts';
import { openShop, sceneOf, startWorker, type Scene, type Shop } from './faults/shop.ts';

// With OFFERLINE_FAULTS=all twenty logins with ten deliveries each, of which third-0 to third-2 play a third; else a sample.
const WISH = process.env['OFFERLINE_FAULTS'] ?? '';
const THIRD = WISH.startsWith('third-');
const LOGINS = WISH === 'all' ? 20 : THIRD ? 7 : 3;
const DELIVERIES = WISH === 'all' || THIRD ? 10 : 4;
const WORKERS = 3;
/** Other moments and victims for each third. */
const SEED = 20_261_121 + (THIRD ? Number(WISH.at(-1)) : 0);

/** Delivers one file after the other, each as soon as the one before it has its outcome. */
async function deliverAll(scene: Scene, onDone: () => void): Promise<string[]> {
  const runs: string[] = [];
  for (let delivery = 1; delivery <= DELIVERIES; delivery++) {
    const rows = Array.from({ length: 5 }, (_, row) => `BOSCH;${scene.login} ${delivery} ${row}`);
    const run = await scene.deliver('north', ['brand;oem', ...rows, ''].join('\n'));
    await until(() => (scene.run(run).stage === 'done' ? true : undefined), 300);
    runs.push(run);
    onDone();
  }
  return runs;
}

/** Kills a worker every few outcomes, at a moment and of a choice that the seed tells, and starts another in its place. */
function killer(shop: Shop) {
  const random = randomFrom(SEED);
  let countdown = 4 + random(12);
  let kills = 0;
  let killing = Promise.resolve();
  const kill = async () => {
    await sleep(random(100));
    const [victim] = shop.workers.splice(random(shop.workers.length), 1);
    victim?.child.kill('SIGKILL');
    await victim?.ended;
    kills += 1;
    await startWorker(shop);
  };
  return {
    onDone: () => {
      countdown -= 1;
      if (countdown > 0) return;
      countdown = 4 + random(12);
      killing = killing.then(kill);
    },
    ended: async () => {
      await killing;
      return kills;
    },
  };
}

test(
  'workers that are killed at random: one upload of a login at a time, in order, each once, the newest live in the end',
  { timeout: 600_000 },
  async () => {
    const service = await sandboxProcess();
    const logins = Array.from({ length: LOGINS }, (_, at) => `login-${at}`);
    const shop = await openShop(service.url, logins);
    for (let extra = shop.workers.length; extra < WORKERS; extra++) await startWorker(shop);
    const { onDone, ended } = killer(shop);
    const scenes = logins.map((login) => sceneOf(shop, login));
    const runs = await Promise.all(scenes.map((scene) => deliverAll(scene, onDone)));
    expect(await ended()).toBeGreaterThan(0);

    for (const [at, scene] of scenes.entries()) {
      const books = await booksOf(scene, service.url);
      expect([...sentTwice(books), ...atTheSameTime(books)]).toEqual([]);
      expect(books.runs).toMatchObject((runs[at] ?? []).map((id) => ({ id, outcome: 'live' })));
      // Each delivery was an intent of its own, in the order of the deliveries.
      expect(books.intents.map(({ id }) => id)).toEqual(books.runs.map(({ intent }) => intent));
    }
  },
);
