import { expect, test } from 'vitest';
import { deliveriesIn } from '../../../src/jobs/trial/past-deliveries.ts';

const run = (id: string, sha256: string, at: number, isRead = true) => ({ id, sha256, at, isRead });

test('a delivery counts once, when it came last, as the newest run that read it to its end', () => {
  const runs = [
    run('e', 'A', 50, false),
    run('d', 'B', 40, false),
    run('c', 'A', 30),
    run('b', 'C', 20),
    run('a', 'A', 10),
  ];
  expect(deliveriesIn(runs, 30)).toEqual([
    { sha256: 'A', at: 50, run: 'c' },
    { sha256: 'B', at: 40, run: 'd' },
  ]);
  expect(deliveriesIn(runs, 0).map(({ run: of }) => of)).toEqual(['c', 'd', 'b']);
  expect(deliveriesIn([], 0)).toEqual([]);
});
