import { beforeAll, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { deliverAndRun } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

// What the console says of rules, wherever it says something of rows.

let served: ConsoleUnderTest;
let ops: Client;
let german: Client;
let [run, plain]: (RunAnswer | null)[] = [null, null];

/** So many parts: every eighth has no stock, the second and third are used. */
function list(
  count = 40,
  head = 'brand;oem;tags;Bestand;Zustand',
  stock = (at: number): string => (at % 8 === 0 ? '0' : '5'),
) {
  const rows = Array.from(
    { length: count },
    (_, at) => `${['BOSCH', 'TRW', 'ATE'][at % 3]};N ${at};a;${stock(at)};${at === 1 || at === 2 ? 'used' : 'new'}\n`,
  );
  return `${head}\n${rows.join('')}`;
}

beforeAll(async () => {
  const rules = [
    { name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true },
    { name: '<used>', when: { column: { Zustand: { is: 'used' } } }, leaveOut: true },
    { name: 'bosch', when: { brand: { is: 'BOSCH' } }, tags: { add: ['bosch'] } },
  ];
  const guard = { minRows: 1, maxPartsGone: '100%' };
  served = await openConsole({ logins: { main: { coalesce: '0s', guard } }, feeds: { north: { rules }, plain: {} } });
  ops = await served.signIn('ops');
  german = await served.signIn('viewer');
  await german.post('/language', { language: 'de', to: '/' });
  run = await deliverAndRun('north', list(), ops, served);
  plain = await deliverAndRun('plain', 'brand;oem\nVALEO;1\n', ops, served);
});

/** A page on one line, as its reader sees it. */
async function seen(path: string, client: Client = ops): Promise<string> {
  return read(await client.page(path));
}

function read(page: string): string {
  const text = page.replace(/^[^]*<main/u, '').replace(/<\/main>[^]*$/u, '');
  return text.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

test('the account of a run has a line for what rules left out, which opens its rows, and says by which rule', async () => {
  const page = await ops.page(`/runs/${run!.run}`);
  expect(page).toContain(`<a href="/runs/${run!.run}/rows?group=leftOut">7</a>`);
  const text = read(page);
  expect(text).toMatch(/Read 40 .*− left out by rules 7 Accepted 33/u);
  expect(text).toMatch(/Left out, by rule: no stock : 5 &lt;used&gt; : 2/u);
  expect(page).not.toContain('<used>');
  const other = await seen(`/runs/${plain!.run}`);
  expect(other).not.toMatch(/left out/iu);
  expect(await seen(`/runs/${run!.run}`, german)).toMatch(
    /− durch Regeln ausgelassen 7 .*Ausgelassen, nach Regel: no stock : 5 &lt;used&gt; : 2/u,
  );
});

test('the timeline of a run says how many rows rules left out, in the language of its reader', async () => {
  expect(await seen(`/runs/${run!.run}`)).toContain('7 left out by rules');
  expect(await seen(`/runs/${run!.run}`, german)).toContain('7 durch Regeln ausgelassen');
});

test('rows that were left out are listed with their lines and the rule', async () => {
  const path = `/runs/${run!.run}/rows?group=leftOut`;
  const text = await seen(path);
  expect(text).toMatch(/line 2 .*left out by a rule .*The rule “no stock” left the row out/u);
  expect(text.match(/left out by a rule/gu)).toHaveLength(7);
  expect(text).toMatch(/line 3 .*The rule “&lt;used&gt;” left the row out/u);
  expect(await seen(path, german)).toContain('durch eine Regel ausgelassen');
});

test('a part that a rule leaves out is said to be so, with its line', async () => {
  const text = await seen('/part?brand=bosch&number=N-0');
  expect(text).toMatch(/Not live\. A rule leaves it out of the rows of north\./u);
  expect(text).toMatch(/north left out by a rule .*line 2 .*The rule “no stock” left the row out/u);
  expect(await seen('/part?brand=bosch&number=N-0', german)).toContain('durch eine Regel ausgelassen');
});

test('a feed shows its guard of what rules leave out, and how near it came', async () => {
  expect(await seen('/feeds/north')).toMatch(/maxLeftOut 20% /u);
});

test('a file that is checked says how many rows rules would leave out', async () => {
  const form = new FormData();
  form.set('feed', 'north');
  form.set('file', new File([list()], 'a.csv'));
  const reply = await fetch(`${served.url}/check`, {
    method: 'POST',
    body: form,
    headers: { cookie: ops.cookie(), origin: served.url },
  });
  expect(read(await reply.text())).toMatch(/Read 40 Accepted 33 rejected here 0 duplicates 0 left out by rules 7 /u);
});

test.each([
  [
    'a column that is not there',
    list(40, 'brand;oem;tags;Bestand;Condition'),
    /rule “&lt;used&gt;”|rule &quot;&lt;used&gt;&quot;/u,
    /Regel „&lt;used&gt;“/u,
  ],
  [
    'numbers that cannot be read',
    list(40, undefined, (at) => (at < 4 ? 'ask the boss' : '5')),
    /4 of its 40 values \(10%\)/u,
    /4 von 40 Werten/u,
  ],
  [
    'far more left out',
    list(40, undefined, (at) => (at % 2 === 0 ? '0' : '5')),
    /guard\.maxLeftOut/u,
    /Unsere Regeln würden/u,
  ],
])('a run that is held for %s says why, in the language of its reader', async (_what, content, english, said) => {
  const held = await deliverAndRun('north', content, ops, served);
  expect(held.outcome).toBe('held');
  expect(await seen(`/runs/${held.run}`)).toMatch(english);
  expect(await seen(`/runs/${held.run}`, german)).toMatch(said);
});
