import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { inScope } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';
import { left, listOf, openPullShop, type PullShop, twoFiles } from './shop.ts';
import type { Point } from './supplier-gate.ts';

const LISTED = { method: 'PROPFIND', depth: '1' } as const;
const LOOKED_AT = { method: 'PROPFIND', depth: '0' } as const;

/** When the supplier does it, in a pull that takes two files. */
const MOMENTS = {
  'before the listing': { ...LISTED, at: 'head' },
  'behind the listing': { ...LISTED, at: 'reply' },
  'before the looks': { ...LOOKED_AT, at: 'head' },
  'between the looks': { ...LOOKED_AT, turn: 2, at: 'head' },
  'mid-fetch of the first': { method: 'GET', at: 'body' },
  'between the files': { method: 'GET', turn: 2, at: 'head' },
  'mid-fetch of the second': { method: 'GET', turn: 2, at: 'body' },
  'before archive': { ...LOOKED_AT, turn: 4, at: 'reply' },
  'before acknowledge': { ...LOOKED_AT, turn: 5, at: 'head' },
  'between the deletions': { method: 'DELETE', turn: 2, at: 'head' },
} satisfies Record<string, Point>;

/** While the second file is not there, the place is only listed, again and again. */
const WHILE_WAITING = {
  'before the listing': { ...LISTED, at: 'head' },
  'behind the listing': { ...LISTED, at: 'reply' },
  'after three looks': { ...LISTED, turn: 3, at: 'reply' },
} satisfies Record<string, Point>;

type SecondFile = { step: string; harm: 'comes late' | 'is replaced' | 'comes twice'; point: Point };

/** What may befall the second file of a delivery, and when. */
export const SECOND_FILE_CELLS: SecondFile[] = [
  ...Object.entries(WHILE_WAITING).map(([step, point]) => ({ step, harm: 'comes late' as const, point })),
  ...(['is replaced', 'comes twice'] as const).flatMap((harm) =>
    Object.entries(MOMENTS).map(([step, point]) => ({ step, harm, point })),
  ),
];

/** Plays one cell in an installation of its own. Answers with the promises that were broken. */
export async function playSecondFile(cell: SecondFile): Promise<string[]> {
  try {
    return await inScope(() => play(cell));
  } catch (error) {
    return [inspect(error)];
  }
}

const LATER = 1_700_090_000;

async function play({ harm, point }: SecondFile): Promise<string[]> {
  const first = await twoFiles();
  const content = harm === 'is replaced' ? listOf('TRW') : listOf('ATE');
  const second = await twoFiles(content);
  const shop = await openPullShop({ smallDisk: false, delivery: first });
  if (harm === 'comes late') rmSync(join(shop.supplier.folder, 'prices_2.csv'));
  const held = shop.gate.hold(point);
  const run = await shop.ask('schedule');
  const decide = await held;
  shop.put('prices_2.csv', content, LATER);
  decide('pass');
  await until(() => (shop.run(run).stage === 'done' ? true : undefined));
  const next = await shop.ask();
  await until(() => (shop.run(next).stage === 'done' ? true : undefined));
  return broken(shop, { first: first.sha256, second: second.sha256 });
}

/** One whole delivery of versions that were there at one time; what is not in it stays. */
async function broken(shop: PullShop, { first, second }: { first: string; second: string }): Promise<string[]> {
  const runs = shop.file.prepare('select outcome, reason, delivery_sha from runs order by created_at').all() as {
    outcome: string;
    reason: string | null;
    delivery_sha: string | null;
  }[];
  const live = runs.filter(({ outcome }) => outcome === 'live');
  const accepted = await shop.accepted();
  const there = left(shop);
  const isSecond = live[0]?.delivery_sha === second;
  return [
    live.length === 1 ? [] : [`${live.length} runs are live: ${JSON.stringify(runs)}`],
    accepted === 1 ? [] : [`${accepted} uploads were accepted`],
    live.every(({ delivery_sha: sha }) => sha === first || sha === second) ? [] : ['a delivery is of several times'],
    there.includes('old.csv') ? [] : ['a file that was never taken is gone'],
    there.includes('prices_1.csv') ? ['the first file is still there'] : [],
    isSecond || there.includes('prices_2.csv') ? [] : ['the second file was deleted, and is in no delivery'],
  ].flat();
}
