import { readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const WEEKLY = ['brand,oem,name', ...parts(40), ''].join('\n');

/** A feed with a full list now and then, and changes in between. */
function withChanges(feed: Record<string, unknown> = {}, config: Record<string, unknown> = {}) {
  return install({ ...config, feeds: northWith(feed) });
}

function northWith(feed: Record<string, unknown>) {
  return {
    north: {
      login: 'main',
      source: { type: 'directory', path: 'inbox/north', pattern: '*.csv', settle: '0s' },
      delivery: { full: { pattern: 'list*.csv' }, changes: { pattern: 'delta*.csv' } },
      change: { column: 'Status', added: ['N'], changed: ['U'], removed: ['D'] },
      ...feed,
    },
  };
}

/** So many rows of the list. */
function parts(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `BOSCH,${1000 + at},Pads`);
}

function delta(...rows: string[]): string {
  return ['brand,oem,name,Status', ...rows, ''].join('\n');
}

test('changes are put upon the list, and all that results is live', async () => {
  const { deliver, ingest, offerline } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  expect(await ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 40 } });

  deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads front,U', 'BOSCH,1001,,D', 'ATE,7,Hose,N', 'ATE,8,Hose,D'));
  const answer = await ingest('north');
  expect(answer).toMatchObject({
    outcome: 'live',
    rows: {
      read: 4,
      accepted: 40,
      leftOut: 2,
      live: 40,
      change: { base: 40, carried: 38, added: 1, changed: 1, same: 0, removed: 1, absent: 1 },
    },
  });

  const traced = async (oem: string) =>
    (JSON.parse((await offerline('trace', 'BOSCH', oem, '--json')).stdout) as { logins: unknown }).logins;
  const file = expect.stringMatching(/^list\.csv \(\d{8}-\d{6}-\w+\)$/);
  expect(await traced('1039')).toMatchObject([{ live: true, row: { run: answer.run, file, line: 41 } }]);
  expect(await traced('1000')).toMatchObject([{ live: true, row: { run: answer.run, file: 'delta-1.csv', line: 2 } }]);
  const why = 'a mark in its row removes it from the rows of north';
  expect(await traced('1001')).toMatchObject([{ live: false, why, feeds: [{ verdict: 'removed' }] }]);
});

test('a mark that nobody has explained leaves its part as it was', async () => {
  const { deliver, ingest } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads,X', 'BOSCH,1001,Pads front,u'));
  expect(await ingest('north')).toMatchObject({
    outcome: 'partial',
    rows: { read: 2, rejectedLocally: 1, accepted: 40, change: { changed: 1, carried: 39 } },
    issues: { 'mark-unknown': 1 },
  });
});

test('changes that come before any list wait for it, and are held when they are given by hand', async () => {
  const { deliver, ingest } = withChanges();
  const file = deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads,N'));
  expect(await ingest('north')).toMatchObject({ outcome: 'nothing', cause: 'no-file' });
  expect(await ingest('north', '--file', file)).toMatchObject({
    outcome: 'held',
    cause: 'order',
    rows: { accepted: 1 },
  });
});

test('without marks each row sets its part, and what a rule leaves out is taken away', async () => {
  const { deliver, ingest } = withChanges({
    change: {},
    rules: [{ name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true }],
  });
  deliver('north', 'list.csv', ['brand,oem,stock', 'BOSCH,1,5', 'BOSCH,2,5', 'BOSCH,3,5', ''].join('\n'));
  expect(await ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 3 } });
  deliver('north', 'delta-1.csv', ['brand,oem,stock', 'BOSCH,1,0', 'BOSCH,4,2', ''].join('\n'));
  expect(await ingest('north')).toMatchObject({
    outcome: 'live',
    rows: { live: 3, leftOut: 1, change: { removed: 1, added: 1, carried: 2 } },
    leftOut: [{ rule: 'no stock', rows: 1 }],
  });
});

test('guards compare all that results with what was live', async () => {
  const { deliver, ingest, offerline } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  const all = Array.from({ length: 30 }, (_, at) => `BOSCH,${1000 + at},,D`);
  deliver('north', 'delta-1.csv', delta(...all));
  const held = await ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard', rows: { accepted: 10 } });
  const { stdout } = await offerline('approve', held.run, '--reason', 'season is over', '--wait', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'live', rows: { live: 10 } });
});

test('rows that the archive has lost are made again from the list and the changes', async () => {
  const { deliver, ingest, home } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads front,U'));
  await ingest('north');
  // The dataset and its index are lost as well, from which rows could be had.
  const files = readdirSync(join(home, 'archive'), { recursive: true, withFileTypes: true });
  const lost = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => /\tPads front/u.test(readFileSync(path, 'utf8')));
  expect(lost.length).toBeGreaterThan(2);
  for (const path of lost) rmSync(path);
  deliver('north', 'delta-2.csv', delta('BOSCH,1001,,D'));
  expect(await ingest('north')).toMatchObject({
    outcome: 'live',
    rows: { live: 39, change: { base: 40, carried: 39, removed: 1 } },
  });
});

test('a file checked beforehand is put upon the rows that are there', async () => {
  const { deliver, ingest, offerline } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  const file = deliver('north', 'delta-1.csv', delta('BOSCH,1000,,D', 'ATE,7,Hose,N'));
  const { stdout } = await offerline('check', file, '--feed', 'north');
  expect(stdout).toMatch(/^accepted: 40 of 40 rows would be uploaded$/m);
  expect(stdout).toMatch(/^changes {2}1 added, 0 changed, 1 removed, 0 the same; 40 rows before$/m);
});

test('rows that a later row of the same delivery overwrites are duplicates, each with its line and the one that counts', async () => {
  const { deliver, ingest, offerline, folder } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  const rows = ['BOSCH,1000,Pads A,U', 'bosch,10-00,Pads B,U', 'ATE,7,,D', 'ATE,7,Hose,N', 'BOSCH,1000,Pads C,U'];
  const file = deliver('north', 'delta-1.csv', delta(...rows));
  const issues = join(folder, 'issues.csv');
  const checked = await offerline('check', file, '--feed', 'north', '--issues', issues);
  expect(checked.stdout).toMatch(/^accepted: 41 of 43 rows/m);
  const listed = readFileSync(issues, 'utf8').split('\n').slice(1, -1);
  expect(listed.filter((line) => line.startsWith('changed-again'))).toEqual([
    'changed-again,info,,2,,BOSCH 1000,"The part in line 2 is in line 6, too; the last row of a part counts.",BOSCH,1000,Pads A,U,',
    'changed-again,info,,3,,bosch 10-00,"The part in line 3 is in line 6, too; the last row of a part counts.",bosch,10-00,Pads B,U,',
  ]);
  const { run, ...answer } = await ingest('north');
  expect(answer).toMatchObject({
    outcome: 'live',
    rows: { read: 5, duplicates: 2, leftOut: 1, accepted: 41, change: { added: 1, changed: 1, carried: 39 } },
    issues: { 'changed-again': 2, 'row-removes': 1 },
  });
  const { stdout } = await offerline('show', run, '--rows', 'duplicates', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    total: 2,
    matches: 2,
    notes: [],
    rows: [
      { line: 2, file: 'delta-1.csv', key: { brand: 'BOSCH', oem: '1000' }, winner: { file: 'delta-1.csv', line: 6 } },
      { line: 3, key: { brand: 'bosch', oem: '10-00' }, winner: { line: 6 } },
    ],
  });
});

test('a short delivery is read in the charset of the list that it changes, and so it is checked', async () => {
  const { deliver, ingest, offerline } = withChanges();
  const names = ['Колодки тормозные передние', 'Фильтр масляный', 'Диск тормозной', 'Свеча зажигания'];
  const list = ['brand;oem;name', ...names.map((name, at) => `BOSCH;${1000 + at};${name}`), ''].join('\n');
  deliver('north', 'list.csv', iconv.encode(list, 'windows-1251'));
  expect(await ingest('north')).toMatchObject({ outcome: 'live', dialect: { charset: 'windows-1251' } });
  const changes = iconv.encode('brand;oem;name;Status\nBOSCH;1000;Ф;U\n', 'windows-1251');
  const file = deliver('north', 'delta-1.csv', changes);
  expect((await offerline('check', file)).stdout).toMatch(/^would be held: It is not certain how the file is written/m);
  expect((await offerline('check', file, '--feed', 'north')).stdout).toMatch(/^accepted: 4 of 4 rows/m);
  expect(await ingest('north')).toMatchObject({
    outcome: 'live',
    dialect: { charset: 'windows-1251' },
    rows: { change: { changed: 1, carried: 3 } },
  });
});

test('settings that change are for what comes next, which is said where they are changed and in the runs', async () => {
  const { deliver, ingest, offerline, configure } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads front,U'));
  await ingest('north');
  const diff = async () => (await offerline('config', 'diff', 'north')).stdout;
  expect(await diff()).toMatch(/^north: its settings are those that its live delivery was read with/);

  configure({ feeds: northWith({ rules: [{ name: 'gone', when: { brand: { is: 'VALEO' } }, leaveOut: true }] }) });
  expect(await diff()).toMatch(
    /^north: rows of run \S+ were read with other settings and stay so, because changes are put upon them\. /,
  );
  const file = deliver('north', 'delta-2.csv', delta('ATE,7,Hose,N', 'VALEO,8,Lamp,N'));
  expect((await offerline('check', file, '--feed', 'north')).stdout).toMatch(
    /^note {5}rows of run \S+ were read with/m,
  );
  const second = await ingest('north');
  expect(second).toMatchObject({ outcome: 'live', rows: { live: 41, leftOut: 1 } });
  expect((await offerline('show', second.run)).stdout).toMatch(/rows of run \S+ were read with other settings/);
  expect(await diff()).toContain('were read with other settings');

  // What has been said is not said again, until something else is to be said.
  deliver('north', 'delta-2b.csv', delta('ATE,8,Hose,N'));
  const next = await ingest('north');
  expect((await offerline('show', next.run)).stdout).not.toContain('other settings');
  configure({ feeds: northWith({ rules: [{ name: 'gone', when: { brand: { is: 'LUK' } }, leaveOut: true }] }) });
  deliver('north', 'delta-2c.csv', delta('ATE,9,Hose,N'));
  const other = await ingest('north');
  expect((await offerline('show', other.run)).stdout).toMatch(/rows of run \S+ were read with other settings/);

  deliver('north', 'list-2.csv', WEEKLY.replace('Pads', 'Pads rear'));
  const whole = await ingest('north');
  expect((await offerline('show', whole.run)).stdout).not.toContain('other settings');
  deliver('north', 'delta-3.csv', delta('ATE,9,Hose,N'));
  const third = await ingest('north');
  expect((await offerline('show', third.run)).stdout).not.toContain('other settings');
  expect(await diff()).toContain('its settings are those that its live delivery was read with');
});

test('a delivery without rows changes nothing, and the next ones go on', async () => {
  const { deliver, ingest } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta());
  expect(await ingest('north')).toMatchObject({ outcome: 'unchanged', rows: { read: 0, accepted: 40 } });
  deliver('north', 'delta-2.csv', delta('BOSCH,1000,,D'));
  expect(await ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 39 } });
});

test('many rejected rows hold changes, however long the list is', async () => {
  const { deliver, ingest } = withChanges();
  deliver('north', 'list.csv', ['brand,oem,name', ...parts(400), ''].join('\n'));
  await ingest('north');
  const wrong = parts(30).map((row) => `${row},?`);
  deliver('north', 'delta-1.csv', delta(...wrong.slice(0, 19), 'ATE,1,,N'));
  expect(await ingest('north')).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: 19 } });
  deliver('north', 'delta-2.csv', delta(...wrong, 'ATE,2,,N'));
  expect(await ingest('north')).toMatchObject({ outcome: 'held', cause: 'guard', rows: { rejectedLocally: 30 } });
});

test('what a guard of the dataset holds is no base: nothing goes past it, and its rows are gone once it is rejected', async () => {
  const { deliver, ingest, offerline } = withChanges({ guard: { maxRowDrop: '100%', maxPartsGone: '100%' } });
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta(...parts(30).map((row) => `${row},D`)));
  const held = await ingest('north');
  expect(held).toMatchObject({ outcome: 'held', reason: expect.stringContaining('the dataset of main shrank') });
  deliver('north', 'delta-2.csv', delta('BOSCH,1039,Pads rear,U'));
  expect(await ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining('delta-2.csv waits for a decision about delta-1.csv'),
  });
  expect((await offerline('reject', held.run, '--reason', 'wrong')).stdout).toBe(
    `Run ${held.run} has been rejected; the last good rows of its feed stay live.\n` +
      'Changes after delta-1.csv wait until that file comes once more, or a full list.\n',
  );
  expect((await offerline('incidents')).stdout).toBe('No open incidents.\n');
  expect(await ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining('delta-2.csv stays behind delta-1.csv, which was rejected'),
  });
  expect(await ingest('north', '--force')).toMatchObject({
    outcome: 'live',
    rows: { live: 40, change: { base: 40, changed: 1, carried: 39 } },
  });
});

test('changes whose upload failed are tried again with the next run, whether or not others have come', async () => {
  const service = await sandboxForTest({ faults: [{ fault: 'fail', nth: 2, error: 'internal trouble' }] });
  const { deliver, ingest } = withChanges({}, { service: { baseUrl: service.url } });
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,,D'));
  expect(await ingest('north')).toMatchObject({ outcome: 'failed' });
  expect(await ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 39 } });
});

test('a rehearsal knows what changes are put upon', async () => {
  const { deliver, ingest, offerline } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,,D'));
  await ingest('north');
  const file = deliver('north', 'delta-2.csv', delta('BOSCH,1001,,D'));
  const { stdout } = await offerline('ingest', 'north', '--rehearse', '--file', file, '--json');
  expect(stdout).toContain('"base":39');
  expect(await ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 38, change: { base: 39 } } });
});

test('after a freeze what was held meanwhile goes on by itself, and a release can be waited for', async () => {
  const { deliver, ingest, offerline } = withChanges();
  const at = (second: number, path: string) => utimesSync(path, 1_800_000_000 + second, 1_800_000_000 + second);
  at(1, deliver('north', 'list.csv', WEEKLY));
  await ingest('north');
  at(2, deliver('north', 'list-2.csv', ['brand,oem,name', ...parts(44), ''].join('\n')));
  await ingest('north');
  await offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  at(3, deliver('north', 'list-3.csv', ['brand,oem,name', ...parts(42), ''].join('\n')));
  at(4, deliver('north', 'delta-1.csv', delta('BOSCH,1000,,D')));
  expect(await ingest('north')).toMatchObject({
    outcome: 'held',
    cause: 'frozen',
    delivery: { name: 'list-3.csv' },
  });
  const released = await offerline('release', 'main', '--reason', 'corrected', '--wait', '--json');
  expect(JSON.parse(released.stdout)).toMatchObject({
    released: ['north'],
    runs: [{ outcome: 'live', delivery: { name: 'list-3.csv' }, rows: { live: 42 } }],
  });
  const { stdout } = await offerline('runs', '--feed', 'north', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ delivery: 'delta-1.csv', outcome: 'live' }, {}, {}, {}, {}]);
});

test('after a rollback changes are put upon what it made live', async () => {
  const { deliver, ingest, offerline } = withChanges();
  deliver('north', 'list.csv', WEEKLY);
  await ingest('north');
  deliver('north', 'delta-1.csv', delta('BOSCH,1000,Pads front,U', 'ATE,7,Hose,N'));
  const taken = await ingest('north');
  expect(await offerline('rollback', 'main', '--reason', 'wrong prices', '--wait')).toMatchObject({ status: 0 });
  expect(await offerline('release', 'main', '--reason', 'mended')).toMatchObject({
    status: 0,
    stdout:
      `Released: north.\nnorth: changes wait behind delta-1.csv (run ${taken.run}), which is not live: that file once more or a full list ` +
      'lets them go on, or `offerline ingest north --force`.\n',
  });
  deliver('north', 'delta-2.csv', delta('BOSCH,1001,,D'));
  expect(await ingest('north', '--force')).toMatchObject({
    outcome: 'live',
    rows: { live: 39, change: { base: 40, carried: 39, removed: 1 } },
  });
  const { stdout } = await offerline('trace', 'ATE', '7', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ logins: [{ live: false }] });
});
