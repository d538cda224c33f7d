import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Archive } from '../../../src/archive/archive.ts';
import { bytesOf, hashBytes } from '../../../src/archive/durable.ts';
import type { Indexed, ObjectIndex } from '../../../src/archive/s3/object-index.ts';
import { objectKey } from '../../../src/archive/s3/object-key.ts';
import { openS3Archive } from '../../../src/archive/s3/open-s3-archive.ts';
import type { Remote } from '../../../src/archive/s3/remote.ts';
import type { ObjectStore } from '../../../src/archive/s3/store.ts';
import { repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { all, pieces } from '../conformance.ts';

/*
 * Machines that bring the same file in, remove it as an old one, and list the archive, at once: each question to the ledger and to the store
 * is one step, and every order of the steps is played. Only the ledger and the store are models; the archive is the real one.
 */

const TEXT = 'brand;oem\nBOSCH;0986\n';
const DAY = 86_400_000;
const NOW = 100 * DAY;

/** Lets one of the machines make its next step, and waits until all of them have come to another one. */
class Turns {
  readonly waiting: (() => void)[] = [];
  #running = 0;
  #settled: (() => void) | null = null;

  /** A step: it is made when it is its turn. */
  async step(): Promise<void> {
    this.#running -= 1;
    const turn = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.#check();
    await turn;
  }

  async start(works: (() => Promise<unknown>)[], each: () => Promise<void>, order: number[]): Promise<number[]> {
    this.#running = works.length;
    const ends = works.map((work) =>
      work().finally(() => {
        this.#running -= 1;
        this.#check();
      }),
    );
    const choices: number[] = [];
    for (;;) {
      await this.#quiet();
      await each();
      if (this.waiting.length === 0) break;
      choices.push(this.waiting.length);
      const [next] = this.waiting.splice(Math.min(order[choices.length - 1] ?? 0, this.waiting.length - 1), 1);
      this.#running += 1;
      next!();
    }
    await Promise.all(ends);
    return choices;
  }

  #quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = resolve;
      this.#check();
    });
  }

  #check(): void {
    if (this.#running > 0 || this.#settled === null) return;
    this.#settled();
    this.#settled = null;
  }
}

type World = { rows: Map<string, Indexed & { givenUp: boolean }>; objects: Map<string, Buffer>; turns: Turns };

function indexOf({ rows, turns }: World): ObjectIndex {
  const of = (hashes: string[], givenUp: boolean) =>
    hashes.flatMap((sha256) => {
      const row = rows.get(sha256);
      return row === undefined || row.givenUp !== givenUp ? [] : [[sha256, row] as const];
    });
  return {
    want: async ({ sha256, bytes }, at) => {
      await turns.step();
      const row = rows.get(sha256);
      const generation = row === undefined ? 0 : row.givenUp ? row.generation + 1 : row.generation;
      rows.set(sha256, { generation, bytes, at, givenUp: false });
      return generation;
    },
    giveUp: async (sha256, notAfter) => {
      await turns.step();
      const row = rows.get(sha256);
      if (row === undefined || row.givenUp || row.at > notAfter) return null;
      row.givenUp = true;
      return row.generation;
    },
    known: async (hashes) => {
      await turns.step();
      return new Map(of(hashes, false));
    },
    givenUp: async (hashes) => {
      await turns.step();
      return new Map(of(hashes, true).map(([sha256, { generation }]) => [sha256, generation]));
    },
    found: async ({ sha256, bytes }, generation, at) => {
      await turns.step();
      const row = rows.get(sha256);
      if (row === undefined || row.generation < generation) rows.set(sha256, { generation, bytes, at, givenUp: false });
    },
    forget: () => Promise.resolve(),
  };
}

function storeOf({ objects, turns }: World): ObjectStore {
  return {
    place: 'store',
    put: async (key, path, _blob, { replace = false } = {}) => {
      const bytes = Buffer.concat(await all(bytesOf(path)));
      await turns.step();
      if (objects.has(key) && !replace) return 'there';
      objects.set(key, bytes);
      return 'made';
    },
    get: async (key) => {
      await turns.step();
      const bytes = objects.get(key);
      return bytes === undefined
        ? null
        : (async function* () {
            yield bytes;
          })();
    },
    size: async (key) => {
      await turns.step();
      return objects.get(key)?.length ?? null;
    },
    remove: async (key) => {
      await turns.step();
      objects.delete(key);
    },
    copy: () => Promise.reject(new Error('nothing is copied here')),
    list: async function* (beginning) {
      await turns.step();
      for (const [key, bytes] of [...objects].filter(([name]) => name.startsWith(beginning))) {
        yield { key, bytes: bytes.length };
      }
    },
    rules: () => Promise.resolve({ expires: false, versions: false }),
    conditions: () => true,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

let cache: string;
let sha256: string;
beforeAll(async () => {
  cache = join(tempFolder(), 'cache');
  ({ sha256 } = await hashBytes(pieces(TEXT)));
});

type Machine = 'put' | 'prune' | 'list';

/** Plays machines in one order of their steps; answers with how many could have gone next at each. Fails when a file is lost that was brought in. */
async function play(machines: Machine[], order: number[]): Promise<number[]> {
  const world: World = { rows: new Map(), objects: new Map(), turns: new Turns() };
  world.rows.set(sha256, { generation: 0, bytes: TEXT.length, at: NOW - 10 * DAY, givenUp: false });
  world.objects.set(objectKey(sha256, 0), Buffer.from(TEXT));
  const remote: Remote = {
    endpoint: 'http://store',
    region: 'eu-test',
    bucket: 'offers',
    prefix: '',
    style: 'path',
    auth: { type: 'profile', file: '', profile: '' },
    encryption: null,
    ca: null,
    timeout: 1000,
    cache,
  };
  const archives = await Promise.all(
    machines.map(() =>
      openS3Archive({ remote, store: storeOf(world), index: indexOf(world), cacheBytes: 1e9, now: () => NOW }),
    ),
  );
  let isThere = false;
  const works = machines.map((machine, at) => workOf(machine, archives[at]!, () => (isThere = true)));
  const each = async () => {
    if (!isThere) return;
    const row = world.rows.get(sha256);
    const whole = row?.givenUp === false && world.objects.get(objectKey(sha256, row.generation))?.toString() === TEXT;
    expect(whole, `with ${machines.join(', ')} in the order ${order.join(' ')}`).toBe(true);
  };
  return world.turns.start(works, each, order);
}

function workOf(machine: Machine, archive: Archive, noteThere: () => void): () => Promise<unknown> {
  switch (machine) {
    case 'put':
      return async () => {
        await archive.put(pieces(TEXT));
        noteThere();
      };
    case 'prune':
      return () => archive.removeOlder(sha256, NOW - DAY);
    case 'list':
      return () => all(archive.list());
  }
}

/** The next order of steps: the last choice that can be another one is. Null when all were played. */
function following(order: number[], choices: number[]): number[] | null {
  const taken = choices.map((_, at) => order[at] ?? 0);
  for (let at = choices.length - 1; at >= 0; at -= 1) {
    if (taken[at]! + 1 < choices[at]!) return [...taken.slice(0, at), taken[at]! + 1];
  }
  return null;
}

test.each<Machine[][]>([[['put', 'prune']], [['put', 'prune', 'prune']], [['put', 'put', 'prune']]])(
  'what is brought in is never lost, in every order of the steps of %j',
  async (machines) => {
    let played = 0;
    for (let order: number[] | null = []; order !== null; played += 1) {
      const choices = await play(machines, order);
      order = following(order, choices);
    }
    expect(played).toBeGreaterThan(5);
  },
  120_000,
);

test('what is brought in is never lost while others remove and list it, in orders that were drawn', async () => {
  const draw = drawing(7);
  for (let round = 0; round < repetitions(60); round += 1) {
    const choices = await play(
      ['put', 'put', 'prune', 'list'],
      Array.from({ length: 2000 }, () => draw(4)),
    );
    expect(choices.length).toBeGreaterThan(5);
  }
});

/** Numbers below a limit, the same for the same seed. */
function drawing(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
