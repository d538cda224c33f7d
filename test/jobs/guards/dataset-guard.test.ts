import { expect, test } from 'vitest';
import { laneWorld } from '../lane-world.ts';

/** Of `1, 2, 3, 4` the service rejected `1` and `3`; the login has these guards. */
async function halfRejected(guard: object, ...more: Parameters<Lane['control']['faults']>) {
  const lane = await laneWorld({ guard });
  await lane.control.faults({ fault: 'reject-rows', every: 2 }, ...more);
  expect(await lane.deliver('1', '2', '3', '4')).toMatchObject({ outcome: 'partial' });
  await lane.control.clear();
  return lane;
}

type Lane = Awaited<ReturnType<typeof laneWorld>>;

test('rows that the service rejected are no loss when they are not sent again', async () => {
  const { deliver } = await halfRejected({ maxRowDrop: '10%', maxBrandDrop: '10%', maxRowGrowth: '10%' });
  expect(await deliver('2', '4')).toMatchObject({ outcome: 'live' });
});

test('nor do they make up for rows that were live', async () => {
  const { deliver } = await halfRejected({ maxRowDrop: '50%' });
  expect(await deliver('1', '3', '4', '5')).toMatchObject({ outcome: 'live' });
  const other = await halfRejected({ maxRowDrop: '60%' });
  expect(await other.deliver('1', '3')).toMatchObject({
    outcome: 'held',
    reason:
      'the dataset of main shrank by 100% (from 2 to 0 rows without those that the service rejected), more than guard.maxRowDrop (60%)',
  });
});

test('a brand of which only rejected rows are left has vanished', async () => {
  const { deliver } = await halfRejected({ maxRowDrop: '100%', maxBrandDrop: '60%' });
  expect(await deliver('1', '3')).toMatchObject({
    outcome: 'held',
    reason: expect.stringContaining('the brand BOSCH of the dataset of main vanished (it had 2 rows)') as string,
  });
});

test('rows that come again and are rejected again are no growth', async () => {
  const { deliver } = await halfRejected({ maxRowGrowth: '50%' });
  expect(await deliver('1', '2', '3', '4', '5')).toMatchObject({ outcome: 'live' });
});

test('where the service does not name the parts that it rejected, all rows count', async () => {
  const { deliver } = await halfRejected({ maxRowDrop: '10%' }, { fault: 'error-columns', omit: ['oem'] });
  expect(await deliver('2', '4')).toMatchObject({
    outcome: 'held',
    reason: expect.stringContaining('shrank by 50% (from 4 to 2 rows), more') as string,
  });
});
