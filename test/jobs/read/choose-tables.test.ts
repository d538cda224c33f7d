import { describe, expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { chooseTables } from '../../../src/jobs/read/choose-tables.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { madeFile, type Sheets } from '../../tables/made-file.ts';

const OFFERS = { 1: ['brand', 'oem'], 2: ['ATE', '13.0460'], 3: ['BOSCH', '0986424797'] };
const CONDITIONS = { 1: ['Delivery', 'free from 100 EUR'], 2: ['Payment', '30 days'] };

/** The names of the chosen sheets, and of the others that hold offers. */
async function chosen(sheets: Sheets, sheet: string | number | null = null) {
  const settings = plainSettings({ sheet });
  const file = madeFile(sheets);
  const input = { format: 'xlsx' as const, name: 'list.xlsx', folder: tempFolder(), settings, hints: settings };
  const { tables, others } = await chooseTables(file, input);
  return { names: tables.map((at) => file.tables[at]!.name), others };
}

describe('without a setting', () => {
  test('the only sheet that is not hidden is read, whatever it holds', async () => {
    expect(await chosen({ '.old': OFFERS, Info: CONDITIONS })).toEqual({ names: ['Info'], others: [] });
  });

  test('the sheet that holds offers is read', async () => {
    expect(await chosen({ Conditions: CONDITIONS, Prices: OFFERS, Empty: {} })).toEqual({
      names: ['Prices'],
      others: [],
    });
  });

  test('a sheet whose columns are certain goes before one whose columns are not', async () => {
    const guessed = { 1: ['Brand of car', 'Reference'], 2: ['ATE', '13.0460'], 3: ['BOSCH', '0986424797'] };
    expect(await chosen({ Other: guessed, Prices: OFFERS })).toMatchObject({ names: ['Prices'], others: [] });
  });

  test('a list with a header goes before a cover sheet on which something looks like numbers', async () => {
    const contents = {
      1: ['Spring list', '', ''],
      2: ['Pay in 7 days', '', ''],
      3: ['1.', 'Filters', 'P-1/4'],
      4: ['2.', 'Brakes', 'P-5/7'],
      5: ['3.', 'Belts', 'P-8/9'],
    };
    const prices = { 1: ['Description', 'Price'], 2: ['Oil filter, large', '4.50'], 3: ['Air filter, flat', '7.20'] };
    const bare = { 1: ['GDB1330', '12.50'], 2: ['GDB1331', '13.50'], 3: ['GDB1347', '9.90'] };
    const legend = { 1: ['Name', 'Meaning'], 2: ['GDB', 'Brake pads for cars'], 3: ['DB', 'Drum brakes for cars'] };
    expect(await chosen({ Contents: contents, Filters: prices })).toEqual({ names: ['Filters'], others: [] });
    expect(await chosen({ Legend: legend, Pads: bare })).toEqual({ names: ['Pads'], others: [] });
  });

  test('of several that hold offers a person has to choose', async () => {
    expect(await chosen({ Bremsen: OFFERS, Filter: OFFERS })).toEqual({ names: ['Bremsen'], others: ['Filter'] });
  });

  test('a workbook whose sheets are all empty is refused', async () => {
    await expect(chosen({ a: {}, b: {} })).rejects.toThrow('list.xlsx is an empty workbook: no sheet has a row.');
  });
});

describe('with a setting', () => {
  const sheets = { Bremsen: OFFERS, '.Filter 2025': OFFERS, 'Filter 2026': OFFERS };
  test.each([
    ['its name', 'Bremsen', ['Bremsen']],
    ['its name in other letters', 'bremsen ', ['Bremsen']],
    ['a pattern', 'filter*', ['Filter 2025', 'Filter 2026']],
    ['a number', 3, ['Filter 2026']],
    ['all that are not hidden', 'all', ['Bremsen', 'Filter 2026']],
    ['a hidden one', 'Filter 2025', ['Filter 2025']],
  ])('a sheet is named by %s', async (_, sheet, names) => {
    expect(await chosen(sheets, sheet)).toEqual({ names, others: [] });
  });

  test('a sheet that is not there is named with those that are', async () => {
    const error = await chosen(sheets, 'Prices').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OfferlineError);
    expect(error).toMatchObject({
      code: 'file-rejected',
      message:
        'list.xlsx has no sheet "Prices" (feeds.NAME.sheet). Its sheets: "Bremsen", "Filter 2025", "Filter 2026".',
    });
    await expect(chosen(sheets, 4)).rejects.toThrow('has no sheet 4');
  });
});
