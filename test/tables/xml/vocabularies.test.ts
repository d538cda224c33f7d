import { expect, test } from 'vitest';
import type { TableRow } from '../../../src/tables/table-file.ts';
import { openXml } from '../../../src/tables/xml/open-xml.ts';
import { cellsOf, rowsOf, written } from '../written-file.ts';

const YML = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE yml_catalog SYSTEM "shops.dtd">
<yml_catalog date="2026-03-01 08:30"><shop><name>Shop</name>
<categories><category id="1">Brakes</category><category id="2">Filters</category></categories>
<offers>
<offer id="7" available="true"><price>1250</price><vendor>BOSCH</vendor><vendorCode>0986424797</vendorCode>
  <name>Brake pads</name><param name="Weight" unit="kg">1.2</param><param name="name">Other</param></offer>
</offers></shop></yml_catalog>`;

test('YML: an offer is a record, even a single one, and each parameter has a column', async () => {
  const file = await openXml(written(YML));
  expect(file.found).toBeNull();
  expect(await cellsOf(file)).toEqual([
    ['@id', '@available', 'price', 'vendor', 'vendorCode', 'name', 'Weight, kg', 'param name'],
    ['7', 'true', '1250', 'BOSCH', '0986424797', 'Brake pads', '1.2', 'Other'],
  ]);
});

const GOODS = `<Каталог>
<Товары><Товар><Ид>g1</Ид><Артикул>0986424797</Артикул><Наименование>Колодки</Наименование>
<БазоваяЕдиница Код="796">шт</БазоваяЕдиница>
<Изготовитель><Ид>m1</Ид><Наименование>BOSCH</Наименование></Изготовитель>
<ЗначенияСвойств><ЗначенияСвойства><Ид>p1</Ид><Значение>Германия</Значение><Значение>Чехия</Значение></ЗначенияСвойства></ЗначенияСвойств>
<ЗначенияРеквизитов>
<ЗначениеРеквизита><Наименование>Вес</Наименование><Значение>1.2</Значение></ЗначениеРеквизита>
<ЗначениеРеквизита><Наименование>Артикул</Наименование><Значение>99</Значение></ЗначениеРеквизита>
</ЗначенияРеквизитов></Товар></Товары></Каталог>`;

const OFFERS = `<ПакетПредложений><ТипыЦен><ТипЦены><Ид>t1</Ид><Наименование>Розничная</Наименование></ТипЦены>
<ТипЦены><Ид>t2</Ид><Наименование>Оптовая цена</Наименование></ТипЦены></ТипыЦен>
<Предложения><Предложение><Ид>g1</Ид><Количество>4</Количество><Цены>
<Цена><Представление>150 руб.</Представление><ИдТипаЦены>t1</ИдТипаЦены><ЦенаЗаЕдиницу>150</ЦенаЗаЕдиницу></Цена>
<Цена><ИдТипаЦены>t2</ИдТипаЦены><ЦенаЗаЕдиницу>120</ЦенаЗаЕдиницу></Цена></Цены></Предложение></Предложения></ПакетПредложений>`;

const CLASSIFIER = `<Классификатор><Свойства><Свойство><Ид>p1</Ид><Наименование>Страна</Наименование></Свойство></Свойства></Классификатор>`;

function exchange(...parts: string[]): string {
  return `<КоммерческаяИнформация ВерсияСхемы="2.05">${parts.join('')}</КоммерческаяИнформация>`;
}

test('CommerceML: goods with requisites and properties in columns of their names', async () => {
  const file = await openXml(written(exchange(CLASSIFIER, GOODS)));
  expect(file.tables).toEqual([{ name: null, hidden: false }]);
  expect(await cellsOf(file)).toEqual([
    [
      'Ид',
      'Артикул',
      'Наименование',
      'БазоваяЕдиница/@Код',
      'БазоваяЕдиница',
      'Изготовитель/Ид',
      'Изготовитель/Наименование',
      'Страна',
      'Вес',
      'реквизит Артикул',
    ],
    ['g1', '0986424797', 'Колодки', '796', 'шт', 'm1', 'BOSCH', 'Германия,Чехия', '1.2', '99'],
  ]);
});

test('CommerceML: each kind of price has a column', async () => {
  expect(await cellsOf(await openXml(written(exchange(OFFERS))))).toEqual([
    ['Ид', 'Количество', 'Цена Розничная', 'Оптовая цена'],
    ['g1', '4', '150', '120'],
  ]);
});

test('CommerceML: changes of offers are offers', async () => {
  const changes = OFFERS.replaceAll('ПакетПредложений', 'ИзмененияПакетаПредложений');
  const file = await openXml(written(exchange(changes)));
  expect((await cellsOf(file))[1]).toEqual(['g1', '4', '150', '120']);
});

test('CommerceML: goods and offers in one file are two tables', async () => {
  const file = await openXml(written(exchange(CLASSIFIER, GOODS, OFFERS)));
  expect(file.tables.map(({ name }) => name)).toEqual(['Товары', 'Предложения']);
  expect((await cellsOf(file, 1))[1]).toEqual(['g1', '4', '150', '120']);
});

const CENEO = `<?xml version="1.0" encoding="utf-8"?><offers version="1">
<o id="1" price="39.90"><name>Filtr oleju</name><attrs><a name="Producent">Bosch</a><a name="Kod_producenta">F026407006</a></attrs></o>
<o id="2" price="29.90"><name>Klocki</name><attrs><a name="Kod_producenta">GDB1330</a><a name="Producent">TRW</a><a name="name">x</a></attrs></o>
</offers>`;

test('Ceneo: each attribute of an offer has the column of its name, in any order', async () => {
  const file = await openXml(written(CENEO));
  expect(file).toMatchObject({ found: null, columnNames: { brand: 'Producent', oem: 'Kod_producenta' } });
  expect(await cellsOf(file)).toEqual([
    ['@id', '@price', 'name', 'Producent', 'Kod_producenta', 'attr name'],
    ['1', '39.90', 'Filtr oleju', 'Bosch', 'F026407006'],
    ['2', '29.90', 'Klocki', 'TRW', 'GDB1330', 'x'],
  ]);
  const grouped = CENEO.replace('<o id="1"', '<group name="other"><o id="1"').replace('</offers>', '</group></offers>');
  expect(await cellsOf(await openXml(written(grouped)))).toHaveLength(3);
});

test.each([
  ['field', '<field name="brand">ATE</field>'],
  ['attribute', '<attribute name="brand" value="ATE"/>'],
  ['prop', '<prop name="brand"><![CDATA[ATE]]></prop>'],
])('a parameter with a name and nothing else has the column of its name in any document: %s', async (_, parameter) => {
  const record = (oem: string) => `<doc><oem>${oem}</oem>${parameter}</doc>`;
  const file = await openXml(written(`<add>${record('A1')}${record('A2')}</add>`));
  expect(await cellsOf(file)).toEqual([
    ['oem', 'brand'],
    ['A1', 'ATE'],
    ['A2', 'ATE'],
  ]);
});

test('a YML with thousands of names of parameters is read, without those that are too many', async () => {
  const offers = Array.from(
    { length: 3_000 },
    (_, at) => `<offer><vendorCode>A${at}</vendorCode><param name="P${at}">v</param></offer>`,
  );
  const last =
    '<offer><vendor>ATE</vendor><vendorCode>B1</vendorCode><param name="Каталожный номер">C1</param></offer>';
  const file = await openXml(
    written(`<yml_catalog><shop><offers>${offers.join('')}${last}</offers></shop></yml_catalog>`),
  );
  const rows = await rowsOf(file);
  expect(rows).toHaveLength(3_002);
  const [{ cells, far = [] }] = rows as [TableRow];
  const names = [...cells, ...far.map(({ text }) => text)];
  expect(names).toEqual(expect.arrayContaining(['vendorCode', 'P0', 'P899', 'vendor', 'Каталожный номер']));
  expect(names).not.toContain('P900');
  expect(file.notes()).toEqual([
    'Its parameters have more than 900 different names; those after the first 900 were left out.',
  ]);
});
