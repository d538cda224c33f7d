import { expect, test } from 'vitest';
import { splitCell } from '../../src/parts/split-cell.ts';

const MAKERS = new Set(['bosch', 'febi', 'febi bilstein', 'mann-filter', 'hella']);
const isMaker = (text: string) => MAKERS.has(text.toLowerCase());

test.each([
  ['BOSCH 0 986 424 797', 'BOSCH', '0 986 424 797'],
  ['FEBI BILSTEIN 12345', 'FEBI BILSTEIN', '12345'],
  ['MANN-FILTER W 712/75', 'MANN-FILTER', 'W 712/75'],
  ['BOSCH: 0986', 'BOSCH', '0986'],
  ['BOSCH/0986', 'BOSCH', '0986'],
  ['0986424797 BOSCH', 'BOSCH', '0986424797'],
  ['Some Maker 77-1', 'Some Maker', '77-1'],
])('%s is a brand and a number', (text, brand, number) => {
  expect(splitCell(text, 'brand-number', isMaker)).toMatchObject({ brand, number });
});

test.each(['0986424797', 'BOSCH', 'A1', ''])('%j is not', (text) => {
  expect(splitCell(text, 'brand-number', isMaker)).toBeNull();
});

test.each([
  ['0 986 424 797 Bremsbelag', '0 986 424 797', 'Bremsbelag'],
  ['W 712/75 - Oil filter', 'W 712/75', 'Oil filter'],
  ['1K0 698 151 A Тормозные колодки', '1K0 698 151 A', 'Тормозные колодки'],
])('%s is a number and a name', (text, number, name) => {
  expect(splitCell(text, 'number-name', isMaker)).toMatchObject({ number, name });
});

test.each(['0 986 424 797', 'W 712/75', 'Bremsbelag vorne', ''])('%j is no number with a name', (text) => {
  expect(splitCell(text, 'number-name', isMaker)).toBeNull();
});
