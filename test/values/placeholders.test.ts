import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeholderIndex } from '../../scripts/generate/placeholder-index.ts';
import languages from '../../src/columns/column-names.json' with { type: 'json' };
import index from '../../src/values/placeholder-index.json' with { type: 'json' };
import { foldPlaceholder, isPlaceholder, type Where } from '../../src/values/placeholders.ts';

const NOTHING_KEPT: ReadonlySet<string> = new Set();
const found = (where: Where, cells: string[], except = NOTHING_KEPT) =>
  cells.filter((cell) => isPlaceholder(cell, where, except));

/** What programs and people write for nothing, whatever the column. */
const ANYWHERE =
  '- -- — – ? ??? . … # * / \\ _ +++ () [] n/a N/A n.a N / A nan NaN null NULL (null) <null> [null] none None (none) undefined \\N #N/A н/д нет НЕТ';

describe('cells that stand for nothing', () => {
  test('marks, and words of programs', () => {
    const cells = ANYWHERE.replace('N / A', 'N_/_A')
      .split(' ')
      .map((cell) => cell.replaceAll('_/_', ' / '));
    for (const where of ['brand', 'oem', 'name'] as const) expect(found(where, cells)).toEqual(cells);
  });

  test.each([
    ['English', 'no brand', 'part number not available', 'see description'],
    ['German', 'ohne Marke', 'keine Nummer', 'siehe Beschreibung'],
    ['French', 'sans marque', 'sans référence', 'voir description'],
    ['Spanish', 'Sin marca', 'sin número', 'ver descripción'],
    ['Portuguese', 'sem marca', 'sem código', 'sem nome'],
    ['Italian', 'senza marca', 'senza codice', 'senza nome'],
    ['Polish', 'bez marki', 'brak numeru', 'bez nazwy'],
    ['Czech', 'bez značky', 'bez čísla', 'bez názvu'],
    ['Slovak', 'bez značky', 'bez čísla', 'bez popisu'],
    ['Romanian', 'fără marcă', 'fără cod', 'fără nume'],
    ['Hungarian', 'márka nélkül', 'nincs cikkszám', 'ismeretlen'],
    ['Turkish', 'MARKASIZ', 'numara yok', 'BİLİNMİYOR'],
    ['Russian', 'Без бренда', 'без артикула', 'без названия'],
    ['Ukrainian', 'без бренду', 'без номера', 'без назви'],
    ['Bulgarian', 'без марка', 'няма номер', 'без име'],
    ['Serbian', 'bez brenda', 'nema broja', 'bez naziva'],
    ['Lithuanian', 'be markės', 'be numerio', 'be pavadinimo'],
    ['Latvian', 'bez zīmola', 'bez numura', 'bez nosaukuma'],
    ['Estonian', 'kaubamärgita', 'number puudub', 'tundmatu'],
    ['Greek', 'χωρίς μάρκα', 'χωρίς κωδικό', 'ΑΓΝΩΣΤΟ'],
    ['Chinese', '无品牌', '无编号', '未知'],
    ['Japanese', 'ノーブランド', '品番不明', '名称なし'],
    ['Korean', '브랜드 없음', '품번 없음', '상세설명 참조'],
    ['Dutch', 'merkloos', 'geen nummer', 'onbekend'],
  ])('in %s', (_language, brand, number, name) => {
    expect(found('brand', [brand])).toEqual([brand]);
    expect(found('oem', [number.replace('part number ', '')])).toHaveLength(1);
    expect(found('name', [name])).toEqual([name]);
  });

  test('however they are written', () => {
    const cells = [
      'No-Name',
      'NO NAME',
      'noname',
      '(no name)',
      '"no name"',
      'No_Name.',
      '* no name *',
      'sin número',
      'SIN NUMERO',
    ];
    expect(found('brand', cells.slice(0, 7))).toEqual(cells.slice(0, 7));
    expect(found('oem', cells.slice(7))).toEqual(cells.slice(7));
  });

  test('abbreviations with dots or slashes', () => {
    const cells = [
      'б.н.',
      'б. н.',
      'Б/Н',
      'n.v.',
      'N. V.',
      '(n.v.)',
      's.n.',
      'o. Nr.',
      'k.A.',
      's.d.',
      'S/COD',
      's.cod',
    ];
    expect(found('oem', cells)).toEqual(cells);
    expect(found('brand', ['б.б.', 'n.v.', 's.m.', 'o. Marke', 'н.д.', 'S/MARCA'])).toHaveLength(6);
  });

  test('the abbreviations alone where no part is called so: in the place of a number', () => {
    expect(found('oem', ['БН', 'NV', 'SN', 'S.N.', 'SINCOD', 'ND'])).toHaveLength(6);
    expect(found('brand', ['SN', 'NV', 'ND', 'BD', 'SM'])).toEqual([]);
  });

  test('what the row above has, and what is still to come', () => {
    const cells =
      'idem|Ídem|ditto|dito|то же|см. выше|s. oben|wie oben|jak wyżej|viz výše|同上|отсут.|PENDIENTE|уточн.';
    expect(found('oem', cells.split('|'))).toEqual(cells.split('|'));
    expect(found('brand', cells.split('|'))).toEqual(cells.split('|'));
  });

  test('what no brand is called, not even by the name of its column', () => {
    const cells = 'Brand|бренд|Hersteller|Not branded|sonst.|div.|无牌子|無牌子|무브랜드|yerli|ไม่มียี่ห้อ|ללא מותג'.split(
      '|',
    );
    expect(found('brand', cells)).toEqual(cells);
    expect(found('brand', ['Brand', 'div.'], new Set(['BRAND', 'DIV']))).toEqual([]);
  });

  test('numbers in languages of which columns have no names', () => {
    const cells = ['لا يوجد', 'ندارد', 'לא ידוע', 'ไม่มี', 'không có', 'KHONG CO'];
    expect(found('oem', cells)).toEqual(cells);
  });

  test('zeros and crosses in place of a number', () => {
    const cells = ['0', '00000', '0.00', '0,00', '0-0-0', '000 000', 'xxx', 'XXXX', '-0-'];
    expect(found('oem', cells)).toEqual(cells);
    expect(found('tags', ['0', '000'])).toEqual([]);
  });
});

describe('cells that are something', () => {
  test('numbers, however short or odd', () => {
    const cells =
      '1 7 A0 0A 000A 00012 0-1 1-2-3 N-1 NA123 NA-1 N/A-12 0 986 424 797|X1 XX1 OE NO1 A.B.1 N.1 S.N.1 W712/75 000.001 Ø10 № 5 K&N 33-2 5W-30';
    expect(found('oem', cells.split(/[| ]/))).toEqual(['0', '№']);
    expect(found('oem', ['0 986 424 797', 'K&N 33-2', 'SET', 'KIT', 'ABC', 'STANDARD'])).toEqual([]);
  });

  test('makers, also short ones and those that are words', () => {
    const makers =
      '3M 1A FIRST|555|ND|NE|INA|NK|ATE|UFI|SET|NTN|Optimal|Ring|Standard|Universal|OEM|ORIGINAL|CHINA|X|MAS|KITA|CITI|Leer Co|Нива|A+|S&K|АТИ|GM|KIA|MG|AE|ALTRO|NEMA';
    expect(found('brand', makers.split('|'))).toEqual([]);
  });

  test('names and tags that say something', () => {
    const names = [
      'Bremse',
      'Filter',
      'NONAME filter',
      'нет в наличии фильтр',
      'A',
      '5',
      '0W-20',
      'GOL',
      'Nera',
      'Keilriemen',
    ];
    expect(found('name', names)).toEqual([]);
    expect(found('tags', ['new', 'NA', 'nav', 'NEMA', 'по запросу', 'на заказ', 'other', 'no', 'used', 'x'])).toEqual(
      [],
    );
  });

  test('what the feed keeps, or what is a maker here', () => {
    expect(found('brand', ['NA', 'N.A.', 'No Name', '-'], new Set(['NA', 'NONAME']))).toEqual(['-']);
    expect(found('brand', ['-', '--'], new Set(['-']))).toEqual(['--']);
  });

  test('text that was lost is another matter', () => expect(found('brand', ['\uFFFD', '??\uFFFD'])).toEqual([]));
});

describe('the table of words', () => {
  const table = readFileSync(new URL('../../src/values/placeholders.md', import.meta.url), 'utf8');

  test('has every language that columns are named in', () => {
    const rows = [...table.matchAll(/^\| (\w+) +\| (any|label|part|brand|number) /gm)].map(
      ([, language, where]) => `${language} ${where}`,
    );
    const wanted = Object.keys(languages).flatMap((language) =>
      ['any', 'label', 'part', 'brand', 'number'].map((where) => `${language} ${where}`),
    );
    expect(wanted.filter((row) => !rows.includes(row))).toEqual([]);
  });

  test('src/values/placeholder-index.json is up to date: `npm run generate` writes it', () => {
    const file = new URL('../../src/values/placeholder-index.json', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(placeholderIndex());
  });

  test('has no number, and no word that is a maker', () => {
    const { brand, oem } = JSON.parse(placeholderIndex()) as Record<string, string[]>;
    expect([...brand!, ...oem!].filter((word) => /\d/.test(word))).toEqual([]);
    expect(brand!.filter((word) => ['INA', 'NK', 'ND', 'ATE', 'MAS', 'KITA'].includes(word.replace('?', '')))).toEqual(
      [],
    );
  });
});

test('wide forms and what nobody sees are looked through', () => {
  const cells = ['Ｎ／Ａ', 'ｎｕｌｌ', '０００', 'N⁄A', 'n/\u200da', '\u3164', '\ufe0f', '\u115f', '\u2066-\u2069'];
  expect(found('oem', cells)).toEqual(cells);
  expect(found('oem', ['Ｗ７１２', '\u3164W712', '１２３'])).toEqual([]);
});

test('a cell of ASCII characters is folded as any other', () => {
  const cell = fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...'aN0-./\\_( '.split('')),
    ),
  });
  fc.assert(
    fc.property(cell, (text) => {
      // A no-break space does not count, and is none of ASCII.
      expect(foldPlaceholder(text)).toBe(foldPlaceholder(`${text}\u00a0`));
    }),
    { numRuns: 2000 },
  );
});

test('a word is found in any case, and with marks around it and blanks in it', () => {
  const words = Object.entries(index).flatMap(([where, its]) =>
    its
      .filter((word) => !/[.\\]/.test(word))
      .map((word) => ({ where: where as Where, word: word.replace(/(?<=.)\?$/, '') })),
  );
  const mark = fc.constantFrom('', '', ' ', '.', '-', '(', '"', '*', '…', '—', '\u00A0');
  fc.assert(
    fc.property(
      fc.constantFrom(...words),
      fc.array(mark, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      ({ where, word }, marks, isLower) => {
        const [before, within, , behind] = marks as [string, string, string, string];
        const inner = within === '*' ? '' : within;
        const cell = `${before}${word.slice(0, 1)}${inner}${word.slice(1)}${behind}`;
        const lower = cell.toLowerCase();
        const shown = isLower && lower.toUpperCase() === cell.toUpperCase() ? lower : cell;
        fc.pre(shown.length <= 40);
        expect([shown, isPlaceholder(shown, where, NOTHING_KEPT)]).toEqual([shown, true]);
      },
    ),
    { numRuns: 3000 },
  );
});
