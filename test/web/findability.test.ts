import { beforeAll, expect, test } from 'vitest';
import { referenceForTests } from '../sandbox/search-world.ts';
import { deliverAndRun } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

// What the console says of what the search knows, and of what would help.

const [part] = referenceForTests().rows('SELECT brand, oem FROM parts WHERE original = 0 ORDER BY id LIMIT 1');
const [brand, oem] = [String(part!['brand']), String(part!['oem'])];

let served: ConsoleUnderTest;
let ops: Client;
let german: Client;

beforeAll(async () => {
  const guard = { minRows: 1, maxPartsGone: '100%' };
  served = await openConsole({
    service: { findability: { rate: '10/s' } },
    logins: { main: { coalesce: '0s', guard } },
    feeds: { north: {}, south: {} },
  });
  ops = await served.signIn('ops');
  german = await served.signIn('viewer');
  await german.post('/language', { language: 'de', to: '/' });
  for (const at of [1, 2, 3]) {
    const rows = [`${brand};${oem}`, `FILT;${oem}`, `OWN;QQ-${at}`, 'NONSUCH;X-1', 'NONSUCH;<b>X</b>-2'];
    await deliverAndRun('north', `brand;oem\n${rows.join('\n')}\n`, ops, served);
  }
  await served.shop.offerline('findability', 'north');
});

test('the page of a feed says what the search knows of it, and under which other brand', async () => {
  const page = await ops.page('/feeds/north');
  expect(page).toMatch(/Of 3 parts looked for on [^,]+, 1 is known to the search; 1 under another brand/u);
  expect(page).toContain(`1 part of FILT: the search knows its number as ${brand}`);
  expect(await german.page('/feeds/north')).toContain(`1 Teil von FILT: Die Suche kennt die Nummer als ${brand}`);
  expect(await ops.page('/feeds/south')).not.toContain('In the search');
});

test('so does the page of a part', async () => {
  const asked = `/part?${new URLSearchParams({ brand: 'FILT', number: oem }).toString()}`;
  expect(await ops.page(asked)).toContain(`its reference database knows this number as ${brand}`);
  expect(await german.page(asked)).toContain(`Ihre Referenzdatenbank kennt diese Nummer als ${brand}`);
});

test('the page of a feed proposes what would help, and how it is taken to those who may', async () => {
  const page = await ops.page('/feeds/north');
  expect(page).toContain('Leave rows of NONSUCH out: none was accepted in the last uploads.');
  expect(page).toContain('By 6 rejected rows in 3 deliveries.');
  expect(page).toContain('offerline propose north --take 1');
  expect(page).not.toContain('<b>X</b>');
  const read = await german.page('/feeds/north');
  expect(read).toContain('Zeilen von NONSUCH weglassen');
  expect(read).not.toContain('--take');
});
