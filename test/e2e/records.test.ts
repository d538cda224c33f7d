import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const OFFERS: [brand: string, number: string, name: string][] = [
  ['BOSCH', '0 986 424 797', 'Pads "front" & rear'],
  ['ATE', '13.0460-2782.2', 'Disc'],
  ['MANN-FILTER', 'W 712/75', 'Oil filter'],
  ['VALEO', '0826345', ''],
];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const YML = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE yml_catalog SYSTEM "shops.dtd">
<yml_catalog date="2026-03-01"><shop><offers>${OFFERS.map(
  ([vendor, code, name], at) =>
    `<offer id="${at}"><vendor>${vendor}</vendor><vendorCode>${code}</vendorCode><name>${escaped(name)}</name></offer>`,
).join('\n')}</offers></shop></yml_catalog>`;
const XML = `<prices>${OFFERS.map(
  ([brand, oem, name]) => `<item vendor="${brand}"><code>${oem}</code><text>${escaped(name)}</text></item>`,
).join('\n')}</prices>`;
const JSON_LIST = JSON.stringify(OFFERS.map(([brand, article, name]) => ({ brand, article, name })));
const NDJSON = OFFERS.map(([brand, article, name]) => JSON.stringify({ brand, article, name })).join('\n');
const PAGE = `<html><meta charset="utf-8"><table><tr><th>Brand</th><th>Article</th><th>Name</th></tr>${OFFERS.map(
  (cells) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`,
).join('')}</table></html>`;

async function shopOf(north: object = {}) {
  const service = await sandboxForTest();
  const main = { guard: { maxRejected: '50%' } };
  return install({ service: { baseUrl: service.url }, logins: { main }, feeds: { north } });
}

test.each([
  ['prices.xml', YML, 'xml'],
  ['prices.json', JSON_LIST, 'json'],
  ['prices.txt', NDJSON, 'json'],
  ['prices.xls', PAGE, 'html'],
])('%s goes live as it is, by its content', async (name, content, format) => {
  const shop = await shopOf();
  shop.deliver('north', name, content);
  expect(await shop.ingest('north')).toMatchObject({
    status: 0,
    outcome: 'live',
    dialect: { format, sheet: null, charset: null, header: true },
    rows: { read: 4, accepted: 4, live: 4 },
  });
});

test('columns of any other XML are proposed, and its records where several lists may be meant, and go live when the configuration confirms them', async () => {
  const held = await shopOf();
  held.deliver('north', 'prices.xml', XML);
  const run = await held.ingest('north');
  expect(run).toMatchObject({ status: 3, outcome: 'held', rows: { read: 0 }, upload: null });
  expect(run.reason).not.toContain('records');
  expect(run.reason).toContain('`columns: { brand: ["@vendor"], oem: ["code"] }` under feeds.north');
  held.deliver('north', 'lists.xml', `<all>${XML}<old>${XML.replaceAll(/<.?prices>/g, '')}</old></all>`);
  const asked = await held.ingest('north');
  expect(asked).toMatchObject({ status: 3, outcome: 'held', upload: null });
  expect(asked.reason).toContain('set feeds.north.records to "/all/prices/item"');

  const shop = await shopOf({ records: '/prices/item', columns: { brand: '@vendor', oem: 'code', name: 'text' } });
  shop.deliver('north', 'prices.xml', XML.replace('vendor="ATE"', 'vendor=""'));
  expect(await shop.ingest('north')).toMatchObject({
    status: 0,
    outcome: 'partial',
    rows: { read: 4, accepted: 3, live: 3 },
    issues: { 'brand-empty': 1 },
  });
  const listed = await shop.offerline('check', shop.deliver('north', 'again.xml', XML), '--feed', 'north', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ outcome: 'accepted', rows: { read: 4, accepted: 4 } });
});

test.each([
  ['an error message', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'so it is no list'],
  ['a list cut short', YML.slice(0, -60), 'so its rest is missing'],
  ['a list with entities', YML.replace('SYSTEM "shops.dtd"', '[<!ENTITY a "b">]'), 'Send the file without it'],
  ['JSON of an error', '{"error": "No access"}', 'in which no array has objects'],
  ['a sign-in page', '<!doctype html><title>Sign in</title><form></form>', 'is a web page without a table'],
])('%s is refused, and what was live stays', async (_, content, reason) => {
  const shop = await shopOf();
  shop.deliver('north', '1.xml', YML);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', '2.xml', content);
  const refused = await shop.ingest('north');
  expect(refused).toMatchObject({ status: 3, outcome: 'rejected', upload: null, now: { live: 4 } });
  expect(refused.reason).toContain(reason);
});
