import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeBytes } from '../../src/io/text-decode.ts';
import { openHtml } from '../../src/tables/html/open-html.ts';
import { openJson } from '../../src/tables/json/open-json.ts';
import { openXml } from '../../src/tables/xml/open-xml.ts';
import type { OpenTables } from '../../src/tables/table-file.ts';
import { damaged, random } from './damage.ts';
import { refusedFor, written } from './written-file.ts';

const OFFERS = Array.from({ length: 12 }, (_, at) => ({
  oem: `0 986 42${at}`,
  name: 'Диск',
  price: at * 1.5,
  tags: ['a'],
}));

const YML = `<?xml version="1.0" encoding="utf-8"?><yml_catalog><shop><offers>${OFFERS.map(
  ({ oem, name, price }) => `<offer id="1"><vendorCode>${oem}</vendorCode><name>${name} &amp; &#64;</name>
    <price>${price}</price><param name="Цвет"><![CDATA[red]]></param></offer>`,
).join('\n')}</offers></shop></yml_catalog>`;

const GOODS = `<?xml version="1.0" encoding="windows-1251"?><КоммерческаяИнформация><Каталог><Товары>${OFFERS.map(
  ({ oem, name }) => `<Товар><Артикул>${oem}</Артикул><Наименование>${name}</Наименование><ЗначенияРеквизитов>
    <ЗначениеРеквизита><Наименование>Вес</Наименование><Значение>1</Значение></ЗначениеРеквизита></ЗначенияРеквизитов></Товар>`,
).join('\n')}</Товары></Каталог></КоммерческаяИнформация>`;

const WORKBOOK = `<Workbook xmlns:ss="urn:x"><Styles><Style ss:ID="z"><NumberFormat ss:Format="00000"/></Style></Styles>
  <Worksheet ss:Name="A"><Table><Column ss:Hidden="1"/>${OFFERS.map(
    (
      { oem, price },
      at,
    ) => `<Row ss:Index="${2 * at + 1}"><Cell ss:Index="2"><Data ss:Type="String">${oem}</Data></Cell>
      <Cell ss:StyleID="z" ss:MergeAcross="2"><Data ss:Type="Number">${price}</Data></Cell></Row>`,
  ).join('\n')}</Table></Worksheet></Workbook>`;

const PAGE = `<html><meta charset="utf-8"><table>${OFFERS.map(
  ({ oem, name }) => `<tr><td colspan=2>${oem}<td rowspan="3">${name}&nbsp;&amp;<br><td x:num="1.5">1,50</tr>`,
).join('\n')}</table><!-- end --></html>`;

const FILES: [string, OpenTables, Uint8Array][] = [
  ['YML', openXml, Buffer.from(YML)],
  ['CommerceML', openXml, encodeBytes(GOODS, 'windows-1251')],
  [
    'any XML in UTF-16',
    openXml,
    encodeBytes(`\uFEFF${YML.replace(/^<[^>]*>/, '').replaceAll('yml_', '')}`, 'utf-16le'),
  ],
  ['SpreadsheetML', openXml, Buffer.from(WORKBOOK)],
  ['JSON', openJson, Buffer.from(JSON.stringify({ data: { items: OFFERS } }, null, 1))],
  ['NDJSON', openJson, Buffer.from(OFFERS.map((offer) => JSON.stringify(offer)).join('\n'))],
  ['HTML', openHtml, Buffer.from(PAGE)],
];

const ROUNDS = 150;

test.each(FILES)('damaged %s is read or refused, whatever the damage', async (_name, open, bytes) => {
  const input = written(bytes);
  const next = random(14);
  expect(await refusedFor(() => open(input))).toBeNull();
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(input.path, damaged(bytes, next));
    if ((await refusedFor(() => open(input))) !== null) refused++;
  }
  expect(refused).toBeGreaterThan(0);
});
