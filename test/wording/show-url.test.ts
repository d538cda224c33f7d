import { expect, test } from 'vitest';
import { showUrl } from '../../src/wording/show-url.ts';

test.each([
  ['https://shop:geheim@files.example/out/list.csv', 'https://files.example/out/list.csv'],
  ['https://files.example/list.csv?key=geheim&day=1#geheim', 'https://files.example/list.csv?key=…&day=…'],
  ['https://files.example/dl/9f8e7d6c5b4a39281706/list.csv', 'https://files.example/dl/…/list.csv'],
  ['https://files.example/s/q7Xb93kLm2Pz8w4R-list.csv', 'https://files.example/s/…-list.csv'],
  ['https://files.example/123e4567-e89b-12d3-a456-426614174000', 'https://files.example/…'],
  ['https://files.example/Artikelliste20261122/price-list-2026-11-22.csv', null],
  ['https://files.example/supplierpricelists/9007199254740993', null],
  ['shop:geheim@files.example', 'files.example'],
  ['./inbox/9f8e7d6c5b4a39281706.csv', null],
])('%s', (address, shown) => {
  expect(showUrl(address)).toBe(shown ?? address);
});
