import { expect, test } from 'vitest';
import { likeliest } from '../../../src/cli/init/likeliest-list.ts';
import type { FeedProposal } from '../../../src/cli/init/propose-feed.ts';
import { dialect } from '../../support/read-settings.ts';

/** Nothing is open about its table and cells, and no rows were read. */
const NOTHING = { reason: null, table: null, cells: null, rows: null, entries: null, entry: null };

function feed(name: string): FeedProposal {
  const group = { name, folder: '/in', pattern: `${name}.csv`, files: [`/in/${name}.csv`] };
  return { ...group, inner: `${name}.csv`, detection: dialect({}), ...NOTHING, columns: {}, dialect: {} };
}

const candidate = (name: string, found: number, covered = 1) => ({ list: feed(name), found, covered });

test.each([
  ['stock', [candidate('north', 0.6), candidate('south', 0.98, 0.1)], 'south', 'which has most of them'],
  [
    'north-stock',
    [candidate('south-list', 1), candidate('north-list', 0.97, 0.2)],
    'north-list',
    'which has a name like its own',
  ],
  ['stock', [candidate('all', 1, 0.1), candidate('brakes', 1, 0.9)], 'brakes', 'of which it has the largest share'],
  [
    'stock',
    [candidate('north', 1), candidate('south', 1)],
    'north',
    'the first by name, because nothing tells them apart',
  ],
])('%s goes to the likeliest list (%#)', (partner, candidates, first, why) => {
  const likely = likeliest(feed(partner), candidates);
  expect(likely.why).toBe(why);
  expect(likely.ordered.map(({ list }) => list.name)).toHaveLength(candidates.length);
  expect(likely.ordered[0]!.list.name).toBe(first);
});
