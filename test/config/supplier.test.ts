import { expect, test } from 'vitest';
import { publicOrigin } from '../../src/config/public-origin.ts';
import { hasSupplierPage, supplierZone } from '../../src/config/supplier.ts';
import { load, problemsOf } from './config-file.ts';

const withSupplier = (supplier: string, more = '') => `${more}
logins: { main: {} }
feeds:
  north: { login: main, source: { type: push }, schedule: { cron: '0 6 * * *', timezone: Europe/Warsaw }${supplier} }
`;

test.each([
  ['nobody is named', '', false],
  ['it is not said', ', supplier: { name: Nord }', false],
  ['it is off', ', supplier: { page: false }', false],
  ['it is on', ', supplier: { page: true }', true],
])('a supplier has a page only where that is switched on: %s', async (_what, supplier, expected) => {
  const { config } = await load(withSupplier(supplier));
  expect(hasSupplierPage(config, 'north')).toBe(expected);
  expect(hasSupplierPage(config, 'constructor')).toBe(false);
});

test('links end after ninety days unless something else is said, and never sooner than an hour', async () => {
  const usual = await load(withSupplier(', supplier: { page: true }'));
  expect(usual.config.feeds['north']?.supplier?.pageExpires).toBe(90 * 86_400_000);
  expect(await problemsOf(withSupplier(', supplier: { page: true, pageExpires: 59m }'))).toEqual([
    expect.stringMatching(/feeds\.north\.supplier\.pageExpires expected at least 1h/u),
  ]);
});

test('the clock of a supplier is its own before that of the schedule', async () => {
  const own = await load(withSupplier(', supplier: { timezone: Europe/Berlin }'));
  expect(supplierZone(own.config, 'north')).toBe('Europe/Berlin');
  expect(supplierZone((await load(withSupplier(''))).config, 'north')).toBe('Europe/Warsaw');
  expect(supplierZone(own.config, 'nowhere')).toBeUndefined();
});

test.each([
  ['web: { publicUrl: https://offers.example.com/ }', 'https://offers.example.com'],
  ['web: { listen: none, publicUrl: https://offers.example.com }', null],
  ['', null],
])('with %j people find the console at %s', async (web, expected) => {
  expect(publicOrigin((await load(withSupplier('', web))).config)).toBe(expected);
});

test('a page to which no mail can bring a link is warned of', async () => {
  const warned = async (web: string) => (await load(withSupplier(', supplier: { page: true }', web))).warnings;
  expect(await warned('')).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('mails bring no link to it') as string }),
  );
  expect(JSON.stringify(await warned('web: { publicUrl: https://offers.example.com }'))).not.toContain('no link');
});
