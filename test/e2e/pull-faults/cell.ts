import { inspect } from 'node:util';
import { setTimeout as pass } from 'node:timers/promises';
import { inScope } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';
import { left, ONE_FILE, openPullShop, type PullShop, twoFiles } from './shop.ts';
import type { Fate, Point } from './supplier-gate.ts';

/** Where a pull of one file stands: a request to the supplier, or the ledger, which is locked. */
const OF_ONE = {
  list: { method: 'PROPFIND', depth: '1', at: 'head' },
  choose: { method: 'PROPFIND', depth: '0', at: 'reply' },
  'mid-fetch': { method: 'GET', at: 'body' },
  'before archive': { method: 'PROPFIND', depth: '0', turn: 2, at: 'reply' },
  'after archive': { method: 'PROPFIND', depth: '0', turn: 2, at: 'reply' },
  'before acknowledge': { method: 'PROPFIND', depth: '0', turn: 3, at: 'head' },
  after: { method: 'DELETE', at: 'reply' },
} satisfies Record<string, Point>;

/** Where a pull of two files stands, which are looked at, brought and deleted one after the other. */
const OF_TWO = {
  list: { method: 'PROPFIND', depth: '1', at: 'head' },
  choose: { method: 'PROPFIND', depth: '0', at: 'reply' },
  'mid-fetch of the first': { method: 'GET', at: 'body' },
  'between the files': { method: 'GET', turn: 2, at: 'head' },
  'mid-fetch of the second': { method: 'GET', turn: 2, at: 'body' },
  'before archive': { method: 'PROPFIND', depth: '0', turn: 4, at: 'reply' },
  'after archive': { method: 'PROPFIND', depth: '0', turn: 4, at: 'reply' },
  'before acknowledge': { method: 'PROPFIND', depth: '0', turn: 5, at: 'head' },
  'between the deletions': { method: 'DELETE', turn: 2, at: 'head' },
  after: { method: 'DELETE', turn: 2, at: 'reply' },
} satisfies Record<string, Point>;

/** What befalls it there. */
export const HARMS = ['kill -9', 'reset', 'full disk', 'ledger locked', 'Redis wiped'] as const;

export type PullHarm = (typeof HARMS)[number];
export type PullCell = { step: string; harm: PullHarm; point: Point; files: 1 | 2 };

/** The cells of pulls of one file, and of those of two. */
export const PULL_CELLS = { 1: cellsOf(1, OF_ONE), 2: cellsOf(2, OF_TWO) };

function cellsOf(files: PullCell['files'], steps: Record<string, Point>): PullCell[] {
  const points = Object.entries(steps);
  return HARMS.flatMap((harm) => points.map(([step, point]) => ({ step, harm, point, files })));
}

/** Longer than a ledger is waited for. */
const LOCKED_MS = 11_000;

/** Plays one cell in an installation of its own. Answers with the promises that were broken. */
export async function playPull(cell: PullCell): Promise<string[]> {
  try {
    return await inScope(() => play(cell));
  } catch (error) {
    return [inspect(error)];
  }
}

async function play({ step, harm, point, files }: PullCell): Promise<string[]> {
  const delivery = files === 1 ? ONE_FILE : await twoFiles();
  const shop = await openPullShop({ smallDisk: harm === 'full disk', delivery });
  // Once Redis is wiped, nothing but the lease in the ledger tells the other one that the run is somebody's.
  if (harm === 'Redis wiped') await shop.startWorker();
  const held = shop.gate.hold(point);
  const first = await shop.ask();
  const decide = step === 'after archive' ? await betweenArchiveAndLedger(shop, await held) : await held;
  await strike(harm, shop, decide);
  await until(() => (shop.run(first).stage === 'done' ? true : undefined));
  await comeToTheEnd(shop, first);
  return broken(shop);
}

/** The archive has the file and the ledger cannot be told, until the lock is given up. */
async function betweenArchiveAndLedger(shop: PullShop, decide: (fate: Fate) => void): Promise<(fate: Fate) => void> {
  shop.file.exec('begin immediate');
  decide('pass');
  await until(() => (shop.isArchived() ? true : undefined));
  return (fate) => {
    if (fate === 'reset') shop.gate.cut();
    if (shop.file.isTransaction) shop.file.exec('rollback');
  };
}

async function strike(harm: PullHarm, shop: PullShop, decide: (fate: Fate) => void): Promise<void> {
  switch (harm) {
    case 'kill -9': {
      const { child, ended } = shop.worker();
      child.kill('SIGKILL');
      await ended;
      decide('reset');
      return shop.startWorker();
    }
    case 'reset':
      return decide('reset');
    case 'full disk': {
      const free = shop.fillDisk();
      decide('pass');
      const said = shop.worker().stderr().length;
      await until(() => (/no space|disk|SQLITE_FULL/iu.test(shop.worker().stderr().slice(said)) ? true : undefined));
      return free();
    }
    case 'ledger locked':
      // Where the lock is what the pull stands at, there is nothing else to let go on.
      if (!shop.file.isTransaction) {
        shop.file.exec('begin immediate');
        decide('pass');
      }
      await pass(LOCKED_MS);
      return shop.file.exec('rollback');
    case 'Redis wiped':
      await shop.wipeRedis();
      return decide('pass');
  }
}

/**
 * A run that failed, or left something to be deleted, is followed by the next pull; where the file was taken already, people go on
 * with what the archive has.
 */
async function comeToTheEnd(shop: PullShop, first: string): Promise<void> {
  const isLive = shop.run(first).outcome === 'live';
  if (isLive && shop.taken().every(({ acknowledged }) => acknowledged !== 'open')) return;
  const next = await shop.ask();
  await until(() => (shop.run(next).stage === 'done' ? true : undefined));
  if (isLive || shop.run(next).outcome === 'live') return;
  await shop.installation.offerline('rerun', first, '--from', 'validate', '--wait');
}

/** No delivery lost, none taken twice, nothing removed that is not archived. */
async function broken(shop: PullShop): Promise<string[]> {
  const runs = shop.file.prepare('select id, outcome, reason from runs order by created_at').all() as {
    id: string;
    outcome: string;
    reason: string | null;
  }[];
  const live = runs.filter(({ outcome }) => outcome === 'live').length;
  const accepted = await shop.accepted();
  const taken = shop.taken().filter(({ state }) => state === 'taken');
  const problems = [
    shop.isArchived() ? [] : ['the archive has not the delivery'],
    live === 1 ? [] : [`${live} runs are live: ${JSON.stringify(runs)}`],
    accepted === 1 ? [] : [`${accepted} uploads were accepted`],
    taken.length === shop.delivery.files.length ? [] : [`${taken.length} files were taken`],
    left(shop).join(' ') === 'old.csv' ? [] : [`the supplier has ${left(shop).join(', ') || 'nothing'} left`],
    shop.early.length === 0 ? [] : [`deleted before it was safe: ${shop.early.join(', ')}`],
    taken.every(({ acknowledged }) => acknowledged === 'done' || acknowledged === 'gone')
      ? []
      : [`the files are ${taken.map(({ acknowledged }) => acknowledged).join(', ')}`],
  ];
  return problems.flat();
}
