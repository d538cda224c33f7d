import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

test('show opens the rows of a run, compare says what differs, trace has the history', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
  });
  shop.deliver('north', 'a.csv', 'brand;oem;name\nBOSCH;1;Disc\nATE;2;Pad\nNONSUCH;3;x\n');
  const a = await shop.ingest('north');
  shop.deliver('north', 'b.csv', 'brand;oem;name\nBOSCH;1;Disc front\nMANN;;Filter\nNONSUCH;3;x\nbosch;-1-;"a\nb"\n');
  const b = await shop.ingest('north');

  const opened = await shop.offerline('show', b.run, '--rows', 'read');
  expect(opened.stdout.split('\n')).toEqual([
    'read: 4. Rows 1 to 4 of 4.',
    'line 2  live  BOSCH | 1 | Disc front',
    '    > BOSCH;1;Disc front',
    'line 3  rejectedLocally  MANN | Filter',
    expect.stringMatching(/^ {4}oem-empty: /),
    '    > MANN;;Filter',
    'line 4  rejectedRemotely  NONSUCH | 3 | x',
    '    BRAND_UNKNOWN: Unknown brand: NONSUCH',
    '    > NONSUCH;3;x',
    'line 5  duplicate  bosch | -1- | a\\u{a}b',
    '    north, b.csv, line 2, has the part',
    expect.stringMatching(/^ {4}duplicate: /),
    '    > bosch;-1-;"a',
    '    > b"',
    '',
  ]);
  const json = await shop.offerline('show', 'latest:north', '--rows', 'live', '--search', 'bosch', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    run: b.run,
    group: 'live',
    total: 1,
    matches: 1,
    rows: [{ line: 2 }],
  });
  expect(await shop.offerline('show', b.run, '--rows', 'live', '--page', '9')).toMatchObject({
    status: 0,
    stdout: 'live: 1. No rows on page 9; there are 1.\n',
  });
  expect(await shop.offerline('show', b.run, '--search', 'x')).toMatchObject({ status: 2 });
  expect(await shop.offerline('show', b.run, '--rows', 'lost')).toMatchObject({ status: 2 });

  const compared = await shop.offerline('compare', a.run, 'latest:north', '--rows', '1');
  expect(compared.stdout.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^older {6}run ${a.run} of north, a.csv, `)),
    expect.stringMatching(new RegExp(`^newer {6}run ${b.run} of north, b.csv, `)),
    'rows       3 before, 2 after: 0 added, 1 removed, 1 changed, 1 the same',
    'columns    name 1',
    'brand      ATE: 0 added, 1 removed, 0 changed',
    'brand      BOSCH: 0 added, 0 removed, 1 changed',
    '',
    'Rows 1 to 1 of 2.',
    'changed    BOSCH | 1  (north line 2)',
    '           name: [Disc] → [Disc front]',
    '',
  ]);
  const searched = await shop.offerline('compare', a.run, b.run, '--search', 'nobody');
  expect(searched.stdout).toContain('\n\nNone of the rows that differ has “nobody” in its brand, number or name.\n');
  const uploads = [a.upload!.offerId!, b.upload!.offerId!];
  const datasets = await shop.offerline('compare', ...uploads, '--json');
  expect(JSON.parse(datasets.stdout)).toMatchObject({
    a: { of: 'upload', offerId: uploads[0] },
    counts: { added: 0, removed: 1, changed: 1, same: 1 },
    rows: [{ change: 'changed' }, { change: 'removed', key: { brand: 'ATE', oem: '2' } }],
  });
  const mixed = await shop.offerline('compare', a.run, uploads[1]!);
  expect(mixed).toMatchObject({ status: 2, stdout: '' });
  expect(mixed.stderr).toContain('compare two runs or two uploads');
  expect((await shop.offerline('compare', 'nope-nope', b.run)).stderr).toContain(
    'neither a run nor an upload nope-nope',
  );

  const history = await shop.offerline('trace', 'Bosch', '1', '--history');
  expect(history.stdout).toMatch(
    /History at main: 2 kept uploads.*\n.* added .* in upload \d+\n.*north, a\.csv, line 2: BOSCH \| 1 \| Disc\n.* changed .* name\n/,
  );
  expect(await shop.offerline('trace', 'Bosch', ' ')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('The brand or the number is empty'),
  });
  const traced = JSON.parse((await shop.offerline('trace', 'ATE', '2', '--history', '--json')).stdout) as object;
  expect(traced).toMatchObject({
    logins: [{ live: false, history: { changes: [{ change: 'added' }, { change: 'removed' }] } }],
  });
});
