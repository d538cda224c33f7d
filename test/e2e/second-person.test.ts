import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { goodRows } from '../support/console-work.ts';

test('at a terminal one person asks, and another agrees; both are told how it stands', async () => {
  const shop = install({ decisions: { approve: { second: true }, rollback: { second: true } }, feeds: { north: {} } });
  shop.deliver('north', 'a.csv', goodRows(40));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', goodRows(2));
  const { run, outcome } = await shop.ingest('north');
  expect(outcome).toBe('held');
  const approve = (...args: string[]) => shop.offerline('approve', run, '--reason', 'season end', ...args);

  const asked = await approve('--as', 'anna', '--wait');
  expect(asked).toMatchObject({ status: 6 });
  expect(asked.stdout).toMatch(
    /^Asked: a second person has to agree by .* `offerline requests agree [\w-]+ --reason TEXT`\.\n$/u,
  );
  expect(await approve('--as', 'anna')).toMatchObject({ status: 2 });
  expect((await approve('--as', 'bernd', '--columns')).stderr).toContain('Columns and readings need no second person');
  const list = await shop.offerline('requests');
  expect(list.stdout).toMatch(
    new RegExp(`approve run ${run} of north: asked for by anna on .*: season end; a second`, 'u'),
  );
  expect((await shop.offerline('show', run)).stdout).toMatch(
    /^asked {6}by anna on .*: season end; a second person has/mu,
  );
  expect((await shop.offerline('status')).stdout).toContain(
    'anna asked for approval, and a second person has to agree by',
  );
  expect((await shop.offerline('incidents')).stdout).toContain('an approval waits for a second person');

  const agreed = await approve('--as', 'bernd', '--wait', '--json');
  expect(agreed.status).toBe(0);
  expect(JSON.parse(agreed.stdout)).toMatchObject({
    outcome: 'live',
    request: { by: 'anna', ended: { how: 'agreed', by: 'bernd' } },
  });
  expect((await shop.offerline('requests')).stdout).toBe('Nothing waits for a second person.\n');
  expect((await shop.offerline('requests', '--all')).stdout).toContain('agreed by bernd: season end');

  const back = (...args: string[]) => shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--json', ...args);
  const wanted = await back('--as', 'anna');
  expect(wanted.status).toBe(6);
  const { request } = (JSON.parse(wanted.stdout) as { asked: { request: string } }).asked;
  const declined = await shop.offerline('requests', 'decline', request, '--reason', 'no', '--as', 'bernd', '--json');
  expect(JSON.parse(declined.stdout)).toMatchObject({ request, ended: { how: 'declined', by: 'bernd' } });
  expect((await back('--as', 'anna')).status).toBe(6);
  const [{ request: again } = { request: '' }] = JSON.parse((await shop.offerline('requests', '--json')).stdout) as {
    request: string;
  }[];
  const carried = await shop.offerline('requests', 'agree', again, '--reason', 'seen', '--as', 'bernd');
  expect(carried).toMatchObject({ status: 0 });
  expect(carried.stdout).toMatch(/^Agreed: main goes back\./u);
});
