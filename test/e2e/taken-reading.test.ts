import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { unsureLetter } from '../support/console-work.ts';
import { install } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';

async function held() {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: {} },
  });
  shop.deliver('north', 'a.csv', unsureLetter());
  expect(await rehearse(shop, 'north')).toMatchObject({ outcome: 'held', cause: 'unsure' });
  const { run, readings } = await shop.ingest('north');
  const number = readings.findIndex(({ charset }) => charset === 'windows-1251') + 1;
  const reading = ['--reading', `${number}`, '--reason', 'it is Cyrillic'];
  const take = (...more: string[]) => shop.offerline('approve', run, ...reading, ...more);
  return { service, shop, run, number, take };
}

test('the readings of a held file are numbered, one is rehearsed, and then taken', async () => {
  const { service, shop, run, number, take } = await held();
  const { stdout } = await shop.offerline('show', run);
  expect(stdout).toContain(`\n  ${number}: windows-1251, delimiter ";"`);
  expect(stdout).toContain(`offerline approve ${run} --reading N --reason TEXT --wait`);

  const tried = await shop.offerline('approve', run, '--reading', `${number}`, '--rehearse', '--json');
  expect(JSON.parse(tried.stdout)).toMatchObject({ outcome: 'live', effect: { live: { after: 1 } } });
  expect(await service.offers()).toEqual([]);

  const taken = await take('--wait', '--json');
  expect(JSON.parse(taken.stdout) as RunAnswer).toMatchObject({ run, outcome: 'live', rows: { live: 1 } });
  expect(await service.offers()).toHaveLength(1);
  expect((await shop.offerline('incidents')).stdout).not.toContain('how the file is written');
  expect((await shop.ingest('north')).outcome).toBe('unchanged');
});

test('without --wait it is recorded, and said', async () => {
  const { take } = await held();
  const { status, stdout } = await take();
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      'Taken for this file: windows-1251, delimiter ";". The file is read again.',
    ) as string,
  });
});

test('what cannot be taken is refused with what to write, and the run stays held', async () => {
  const { shop, run } = await held();
  for (const [args, message] of [
    [['--reading', '9', '--reason', 'x'], 'has no reading 9. Choose one of 1 ('],
    [['--reading', '0', '--reason', 'x'], 'Expected the number of a reading, from 1.'],
    [['--reading', 'windows-1251', '--reason', 'x'], 'Expected the number of a reading, from 1.'],
    [['--reading', '1'], '--reading 1 --reason TEXT'],
    [['--reading', '1', '--columns', '--reason', 'x'], 'A reading is taken first, and columns then'],
    [['--reading', '1', '--revoke', '--reason', 'x'], 'A reading is taken first, and columns then'],
    [['--reading', '1', '--columns', '--rehearse'], 'A reading is taken first, and columns then'],
    [['--reading', '9', '--rehearse'], 'has no reading 9. Choose one of 1 ('],
  ] as const) {
    const { status, stderr } = await shop.offerline('approve', run, ...args);
    expect({ args, status, stderr }).toEqual({ args, status: 2, stderr: expect.stringContaining(message) as string });
  }
  expect((await shop.offerline('show', run)).stdout).toMatch(/^north: held/u);
});
