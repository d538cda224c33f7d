import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoginTrace } from '../../src/jobs/queries/trace-part.ts';
import type { RunAnswer } from '../../src/model.ts';
import { controlOf } from '../support/control.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest, type ListedOffer } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const NORTH = numbered('N', 40);
const LOST = NORTH.slice(0, 20);

/** North with 40 rows and south with two are live at one login. */
async function twoSuppliers(config: { logins?: object } = {}) {
  const service = await sandboxForTest({ control: true });
  const shop = install({
    // Each command looks at what is live.
    service: { baseUrl: service.url, poll: { watch: '1ms' } },
    logins: { main: { coalesce: '0s', ...config.logins } },
    feeds: { north: {}, south: {} },
    managers: [{ email: 'north@example.com', feeds: ['north'] }],
  });
  const control = controlOf(service.url);
  shop.deliver('north', 'n.csv', list(NORTH));
  const north = await shop.ingest('north');
  expect(north).toMatchObject({ outcome: 'live', rows: { live: 40 } });
  let times = 0;
  return {
    service,
    shop,
    control,
    north,
    /** South delivers something new. */
    south: async () => {
      times += 1;
      shop.deliver('south', `s${times}.csv`, list(numbered('S', 1 + times)));
      return shop.ingest('south');
    },
  };
}

test('rows of a supplier that another one’s upload has rejected are said everywhere, and so is their return', async () => {
  const { shop, control, north, south } = await twoSuppliers();
  expect(await south()).toMatchObject({ outcome: 'live' });
  await control.faults({ fault: 'reject-rows', oems: LOST, code: 'LICENCE', message: 'Not licensed' });
  const taken = await south();
  expect(taken).toMatchObject({ outcome: 'live', dataset: { rejectedRemotely: 20 } });
  const offerId = taken.upload?.offerId;

  const { trace, shown, feed, incidents, mails } = reader(shop);
  expect(await trace('N1')).toMatchObject({
    live: false,
    winner: 'north',
    offerId,
    why: expect.stringContaining('the service rejected the row of north'),
    feeds: [
      {
        feed: 'north',
        verdict: 'rejected-remotely',
        line: 2,
        messages: [expect.stringContaining('LICENCE: Not licensed')],
      },
      {},
    ],
  });
  expect(await trace('N40')).toMatchObject({ live: true, winner: 'north', offerId });

  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: 'unchanged', status: 0, now: { live: 20, rejectedRemotely: 20 } });
  expect(again.reason).toContain(
    `the same file; 20 of its 40 rows have been rejected by the service since upload ${offerId}`,
  );
  expect(await shown(north.run)).toMatchObject({
    outcome: 'live',
    rows: { live: 40, rejectedRemotely: 0 },
    now: {
      live: 20,
      rejectedRemotely: 20,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      upload: offerId,
      doubt: null,
    },
  });
  expect(await feed('north')).toMatchObject({ live: { rows: 20 }, now: { live: 20, rejectedRemotely: 20 } });
  expect((await shop.offerline('show', north.run)).stdout).toMatch(
    new RegExp(`upload ${offerId}, .*20 rows .*live \\(40 before\\), 20 rejected by the service`),
  );
  expect(await incidents()).toMatchObject([
    {
      kind: 'lost-rows',
      feed: 'north',
      text: expect.stringContaining(`20 of the 40 rows that were live`) as string,
      steps: expect.arrayContaining([
        expect.stringContaining('offerline rollback main --reason'),
        expect.stringMatching(/supplier/),
      ]) as string[],
      until: null,
    },
  ]);
  expect(mails().filter((mail) => mail.includes('parts that were online are gone'))).toHaveLength(1);

  await control.clear();
  expect(await south()).toMatchObject({ outcome: 'live' });
  expect(await trace('N1')).toMatchObject({ live: true, winner: 'north', why: null });
  expect(await shown(north.run)).toMatchObject({ now: { live: 40, rejectedRemotely: 0, doubt: null } });
  expect(await incidents()).toEqual([]);
  expect(mails().filter((mail) => mail.includes('Solved'))).toHaveLength(1);
});

test('a file that was live is not unchanged while somebody else’s upload is: the run looks first, and sends it again', async () => {
  const { service, shop, control, north } = await twoSuppliers();
  const { shown, incidents } = reader(shop);
  // The same file, while ours is live.
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged', now: { live: 40, doubt: null } });

  const form = new FormData();
  form.set('offersFile', new File(['brand\toem\nATE\t7\n'], 'portfolio.txt'));
  const reply = await fetch(`${service.url}/us2/public/offer/process`, { method: 'POST', body: form });
  expect(reply.status).toBe(200);
  await control.advance('10s');
  await until(async () => (await service.offers()).find(isTheirs));

  // Nothing runs but this command: nobody has looked since.
  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: 'live', rows: { live: 40 } });
  expect(again.upload?.offerId).not.toBe(north.upload?.offerId);
  const { stdout } = await shop.offerline('incidents', '--all', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'foreign-upload' }]);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect(await incidents()).toEqual([]);
  expect(await shown(north.run)).toMatchObject({ now: { live: 40, upload: again.upload?.offerId, doubt: null } });
});

function isTheirs({ sourceFile, state }: ListedOffer): boolean {
  return sourceFile === 'portfolio.txt' && state === 'success';
}

/** What people and scripts see of a shop. */
function reader(shop: Installation) {
  const json = async (...args: string[]) => JSON.parse((await shop.offerline(...args, '--json')).stdout) as unknown;
  return {
    trace: async (oem: string) => ((await json('trace', 'BOSCH', oem)) as { logins: LoginTrace[] }).logins[0],
    shown: async (run: string) => (await json('show', run)) as RunAnswer,
    feed: async (name: string) => ((await json('feeds')) as { feed: string }[]).find(({ feed }) => feed === name),
    incidents: async () => (await json('incidents')) as object[],
    /** The plain parts of all mails. */
    mails: () => {
      const folder = join(shop.home, 'outbox');
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, ''));
    },
  };
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
}

function list(oems: string[]): string {
  return `brand;oem\n${oems.map((oem) => `BOSCH;${oem}\n`).join('')}`;
}
