import { readFileSync } from 'node:fs';
import { assert, boolean, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import languages from '../../src/columns/column-names.json' with { type: 'json' };
import { meaningsOf, type Meaning } from '../../src/columns/column-names.ts';
import { nameIndex } from '../../scripts/generate/name-index.ts';
import { foldName, knownNames } from '../../src/detect/table/header-names.ts';

type Listed = { language: string; meaning: Meaning; name: string; weak: boolean };

const LISTED: Listed[] = Object.entries(languages).flatMap(([language, names]) =>
  Object.entries(names).flatMap(([meaning, list]) =>
    list.split(',').map((written) => {
      const name = written.trim();
      return { language, meaning: meaning as Meaning, name: name.replace('?', ''), weak: name.endsWith('?') };
    }),
  ),
);
const WHOLE = LISTED.filter(({ name }) => !name.includes('*'));

/** What a cell means, in short: `~` for a name among its words, `?` for a weak one. */
function brief(cell: string): string {
  return meaningsOf(cell)
    .map(({ meaning, whole, strength }) => `${meaning}${strength === 'weak' ? '?' : ''}${whole ? '' : '~'}`)
    .join(' ');
}

describe('the data', () => {
  test('src/columns/name-index.json is up to date: `npm run generate` writes it', () => {
    const file = new URL('../../src/columns/name-index.json', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(nameIndex());
  });

  test('every language says brand, number, name, price and quantity', () => {
    const missing = Object.entries(languages).flatMap(([language, names]) =>
      (['brand', 'oem', 'name', 'price', 'quantity'] as const)
        .filter((meaning) => !names[meaning])
        .map((m) => [language, m]),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(languages).length).toBeGreaterThanOrEqual(37);
  });

  test('every language has the same meanings', () => {
    const [english, ...others] = Object.values(languages).map((names) => Object.keys(names).join());
    expect(others.filter((meanings) => meanings !== english)).toEqual([]);
  });

  test('no name is empty, and marks stand where they are read', () => {
    expect(LISTED.filter(({ name }) => !/^\*?[^*?]+\*?$/.test(name))).toEqual([]);
    expect(LISTED.filter(({ name }) => foldName(name.replace(/[№#]/g, 'no')) === '')).toEqual([]);
  });

  test('no name is listed twice for one meaning of a language', () => {
    const written = LISTED.map(({ language, meaning, name }) => `${language}: ${meaning}: ${name.toLowerCase()}`);
    expect(written.filter((one, at) => written.indexOf(one) !== at)).toEqual([]);
  });

  test('no name has two strong meanings, in all languages together', () => {
    const strong = WHOLE.filter(
      ({ name }) => meaningsOf(name).filter(({ strength }) => strength === 'strong').length > 1,
    );
    expect(strong).toEqual([]);
  });

  test('every name is found as it is written', () => {
    const lost = WHOLE.filter(({ name, meaning, weak }) => {
      return !meaningsOf(name).some((f) => f.whole && f.meaning === meaning && (weak || f.strength === 'strong'));
    });
    expect(lost).toEqual([]);
  });
});

describe('a whole cell', () => {
  test.each([
    ['Каталожный №', 'oem'],
    ['кат. №', 'oem'],
    ['арт.', 'oem'],
    ['Art.-Nr.', 'oem'],
    ['nr kat.', 'oem'],
    ['Réf.', 'oem'],
    ['cikkszám', 'oem'],
    ['Part #', 'oem'],
    ['OE号', 'oem'],
    ['メーカー名', 'brand'],
    ['Producator', 'brand'],
    ['ÜRÜN ADI', 'name'],
    ['적용차종', 'tags'],
    ['Κατασκευαστής', 'brand'],
    ['Каталошки број', 'oem'],
    ['Κωδικος', 'oem? internalCode'],
    ['Varemærke', 'brand'],
    ['Valmistajan tuotenumero', 'oem'],
    ['رقم القطعة', 'oem'],
    ['Proizvođač', 'brand'],
    ['Proizvajalec', 'brand'],
    ['יצרן', 'brand'],
    ['ยี่ห้อ', 'brand'],
    ['Artikelbenämning', 'name'],
  ])('%s: %s', (cell, expected) => expect(brief(cell)).toBe(expected));

  test('an internal code is no part number when another column is there', () => {
    const cells = [
      'Код 1С',
      'Код товара',
      'SKU',
      'CodVen',
      'Interne Artikelnummer',
      'EAN',
      'kod wewnętrzny',
      'Stok Kodu',
    ];
    expect(cells.filter((cell) => brief(cell).split(' ').includes('oem'))).toEqual([]);
    expect(cells.filter((cell) => brief(cell) === '')).toEqual([]);
  });

  test('a supplier may stand for the maker, a make of vehicles may not', () => {
    expect(brief('Lieferant')).toBe('brand? supplier');
    expect(brief('Марка автомобиля')).toBe('vehicleMake');
    expect(brief('Vehicle brand')).toBe('vehicleMake');
  });

  test('where a word names makes of parts and of vehicles, both are said', () => {
    expect(brief('Marca')).toBe('brand vehicleMake?');
    expect(brief('марка')).toBe('brand? vehicleMake?');
  });

  test('a number behind a name is one of several such columns', () => {
    expect(brief('Price 2')).toBe('price');
    expect(brief('EAN13')).toBe('barcode');
    expect(brief('Цена3, руб.')).toBe('price~');
  });
});

describe('a cell that is not as it was written', () => {
  const LOST = '\uFFFD';

  test.each([
    [`Varem${LOST}rke`, 'brand~'],
    [`V${LOST}robce`, 'brand~'],
    [`Art${LOST}culo n${LOST}mero`, ''],
    [`D${LOST}signation`, 'name~'],
    [`${LOST}rt`, ''],
    [`M${LOST}r${LOST}u${LOST}`, ''],
    [LOST, ''],
  ])('letters that a program could not read: %s, %s', (cell, expected) => expect(brief(cell)).toBe(expected));

  test.each([
    ['Произв-ль', 'brand~'],
    ['Наим-ие', 'name~'],
    ['Кол-во', 'quantity'],
    ['Стоим-ть', 'price~'],
    ['Стоим-ть.', 'price~'],
    ['Волг-на', ''],
    ['Qua-ty', ''],
  ])('words with the beginning and the end only: %s, %s', (cell, expected) => expect(brief(cell)).toBe(expected));
});

describe('names among the words of a cell', () => {
  test.each([
    ['Наименование учебника', 'name~'],
    ['Manufacturer/Supplier', 'brand~ supplier~'],
    ['numer katalogowy producenta', 'oem~'],
    ['Listenpreis netto', 'price~'],
    ['库存数量(个)', 'quantity~'],
    ['产品品牌名称', 'brand~ name~'],
    ['Центральный склад', 'warehouse~'],
    ['RetailPrice', 'price'],
    ['BrandOfThePart', 'brand~ oem?~'],
    ['Entirely unknown words', ''],
    ['C', ''],
    ['', ''],
  ])('%s: %s', (cell, expected) => expect(brief(cell)).toBe(expected));

  test('two letters are no word: they mean too much in other languages', () => {
    expect(brief('VK Sofia')).toBe('');
    expect(brief('VK netto')).toBe('price');
  });
});

describe('any spelling of a name', () => {
  const name = constantFrom(...WHOLE.map((one) => one.name));

  test('case, blanks and punctuation do not matter', () => {
    const between = constantFrom(' ', '.', '_', '-', '  ', '/', ':');
    const plain = name.filter((text) => !/[№#İIıiß]/.test(text));
    assert(
      property(plain, between, boolean(), (text, gap, upper) => {
        const other = text.replaceAll(' ', gap);
        expect(meaningsOf(` ${upper ? other.toUpperCase() : other}.`)).toEqual(meaningsOf(text));
      }),
    );
  });

  test('diacritics do not matter', () => {
    assert(
      property(name, (text) => {
        const bare = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
        expect(meaningsOf(bare)).toEqual(meaningsOf(text));
        expect(meaningsOf(text.normalize('NFD'))).toEqual(meaningsOf(text));
      }),
    );
  });

  test('any cell has an answer, and the same one each time', () => {
    assert(
      property(string({ unit: 'binary' }), (cell) => {
        const found = meaningsOf(cell);
        expect(meaningsOf(cell)).toEqual(found);
        expect(new Set(found.map(({ meaning }) => meaning)).size).toBe(found.length);
      }),
    );
  });
});

describe('the names that make a header row', () => {
  test('are those of the trade, with and without diacritics, and those of the configuration', () => {
    const names = knownNames([['Kolonne Ø']]);
    const cells = ['Výrobce', 'Vyrobce', 'Артикул', 'ціна', '品番', 'Preis netto', 'kolonne-ø'];
    expect(cells.filter((cell) => !names.has(foldName(cell)))).toEqual([]);
    expect(knownNames().has(foldName('Kolonne Ø'))).toBe(false);
  });
});
