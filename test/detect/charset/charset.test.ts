import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { foreignWords } from '../../../src/detect/charset/foreign-words.ts';
import { detect } from '../../../src/detect/detect.ts';
import { decodeBytes } from '../../../src/io/text-decode.ts';
import { bytesFile, PRICE_LISTS, textFile } from '../../support/price-list.ts';
import { repetitions } from '../../support/repetitions.ts';

const LEGACY: [keyof typeof PRICE_LISTS, string[]][] = [
  ['ru', ['windows-1251', 'ibm866', 'koi8-r', 'iso-8859-5', 'x-mac-cyrillic']],
  ['uk', ['windows-1251', 'koi8-u', 'iso-8859-5']],
  ['de', ['windows-1252', 'ibm850']],
  ['fr', ['windows-1252']],
  ['pl', ['windows-1250', 'iso-8859-2', 'ibm852']],
  ['cs', ['windows-1250', 'iso-8859-2', 'ibm852']],
  ['tr', ['windows-1254']],
  ['lt', ['windows-1257']],
  ['zh', ['gb18030']],
  ['zh-Hant', ['big5']],
  ['ja', ['shift_jis', 'euc-jp']],
  ['ko', ['euc-kr']],
];

describe('a price list of four lines is read right and surely', () => {
  test.each(LEGACY.flatMap(([language, charsets]) => charsets.map((charset) => [language, charset] as const)))(
    '%s in %s',
    async (language, charset) => {
      const text = PRICE_LISTS[language];
      const found = await detect(textFile(text, charset));
      expect(found).toMatchObject({ charset, sure: true, bom: false, delimiter: ';', header: true });
      expect(found.columns).toEqual(text.split('\r\n')[0]!.split(';'));
    },
  );

  test('with euro signs and ligatures in iso-8859-15', async () => {
    const text = `${PRICE_LISTS.fr.replaceAll('’', "'")}SNR;R156;Nœud de l'œillet 12 €;5,00\r\nSNR;R157;Cœur de vanne 9 €;7,00\r\n`;
    expect(await detect(textFile(text, 'iso-8859-15'))).toMatchObject({ charset: 'iso-8859-15', sure: true });
  });

  test('in capitals', async () => {
    for (const charset of ['windows-1251', 'koi8-r', 'ibm866']) {
      const found = await detect(textFile(PRICE_LISTS.ru.toUpperCase(), charset));
      expect(found).toMatchObject({ charset, sure: true });
    }
  });
});

test('units with a micro sign are read as such, where no other letter beyond ASCII is in the file', async () => {
  const rows = ['0805;10µF ±10% 6.3V', '0402;12pF ±1% 50V', '0402;0.1µF 10V', '0603;2.2µH ±5%'];
  const text = `case;description\r\n${rows.join('\r\n')}\r\n`;
  const found = await detect(textFile(text, 'windows-1252'));
  expect(decodeBytes(Buffer.from([0xb5, 0xb1]), found.charset)).toBe('µ±');
});

test.each([
  ['windows-1252', 'de'],
  ['windows-1250', 'pl'],
  ['windows-1251', 'ru'],
  ['windows-1252', 'ASCII'],
] as const)('soft hyphens in words say nothing of %s in a list in %s', async (charset, language) => {
  const list = language === 'ASCII' ? 'brand;oem;name\r\nATE;130460;Brake pads\r\n' : PRICE_LISTS[language];
  const [header = '', ...rows] = list.trimEnd().split('\r\n');
  const hyphenated = rows.map((row) => row.replaceAll(/([\p{L}\d]{2})(?=[\p{L}\d]{2})/gu, '$1\u00ad'));
  const text = `${header}\r\n${hyphenated.join('\r\n')}\r\n`;
  expect(text).toContain('\u00ad');
  expect(await detect(textFile(text, charset))).toMatchObject({ charset, sure: true });
});

describe('a rare charset', () => {
  const WORDS = {
    pl: 'łożysko łącznik śruba sprężyna zębatka drążek żarówka tłumik końcówka wąż nakrętka ściągacz',
    et: 'õhufilter šarniir žiklöör hõõgküünal pöörete mõõdulint küünal jäähdyti õlipump lõpp šokolaad padrun',
    lt: 'stabdžių kaladėlės šarnyras žvakė įvorė siurblys tarpinė guolių varžtas veržlė ąžuolas daviklių',
  };
  const list = (words: string) => words.split(' ').map((word, at) => `ATE;13.0${at};${word};${at},50\r\n`);

  test.each([
    ['pl', 'iso-8859-16'],
    ['pl', 'ibm775'],
    ['et', 'iso-8859-4'],
    ['et', 'iso-8859-10'],
    ['lt', 'iso-8859-10'],
    ['lt', 'maccenteuro'],
  ] as const)('%s in %s is read right', async (language, charset) => {
    const text = `brand;oem;name;price\r\n${list(WORDS[language]).join('')}`;
    expect(await detect(textFile(text, charset === 'ibm775' ? 'cp775' : charset))).toMatchObject({
      charset,
      sure: true,
    });
  });

  test('Polish in the Baltic charset of ISO is read right', async () => {
    const text = `brand;oem;name;price\r\n${list(WORDS.pl).join('')}`;
    const bytes = iconv.encode(text, 'iso-8859-13');
    const found = await detect(bytesFile(bytes));
    expect(found.sure).toBe(true);
    expect(decodeBytes(bytes, found.charset)).toBe(text);
  });

  test('of Macintosh has the Ukrainian letter that the web standard gives it', () => {
    expect(decodeBytes(Uint8Array.of(0xb6, 0xa2), 'x-mac-cyrillic')).toBe('ґҐ');
  });
});

describe('Unicode', () => {
  test.each(['utf-8', 'utf-16le', 'utf-16be'])('%s with and without a byte order mark', async (charset) => {
    for (const bom of [true, false]) {
      for (const language of ['ru', 'de', 'zh', 'ko'] as const) {
        const found = await detect(textFile(PRICE_LISTS[language], charset, bom));
        expect(found).toMatchObject({ charset, bom, sure: true, delimiter: ';', header: true });
        expect(found.columns[0]).toBe(PRICE_LISTS[language].split(';')[0]);
      }
    }
  });

  test('UTF-32 is named', async () => {
    expect(await detect(textFile(PRICE_LISTS.ru, 'utf-32le', true))).toMatchObject({ charset: 'utf-32le', bom: true });
  });

  test('ASCII is UTF-8', async () => {
    const found = await detect(textFile('brand,oem\nBOSCH,1\n'));
    expect(found).toMatchObject({ charset: 'utf-8', bom: false, sure: true, confidence: 1 });
  });

  test('UTF-8 with a broken byte is still UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(PRICE_LISTS.ru), Buffer.from([0x41, 0xff, 0x3b, 0x42, 0x0d, 0x0a])]);
    const found = await detect(bytesFile(bytes));
    expect(found).toMatchObject({ charset: 'utf-8', sure: true });
    expect(found.evidence[0]).toMatch(/at least 1 bytes .*undecodable/);
  });

  test('characters across the borders of what is read at once are whole', async () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = `${'\n'.repeat(shift)}${'ж;€\n'.repeat(90_000)}`;
      expect(await detect(textFile(text))).toMatchObject({ charset: 'utf-8', sure: true });
    }
  });
});

describe('a big file', () => {
  const ascii = 'BOSCH;0986424797;BRAKE PAD;1250,00\r\n'.repeat(150_000);

  test('is read to its end: the first letters beyond ASCII come after 5 MB', async () => {
    const rows = PRICE_LISTS.ru.split('\r\n').slice(1).join('\r\n').repeat(3);
    expect(await detect(textFile(ascii + rows, 'windows-1251'))).toMatchObject({ charset: 'windows-1251', sure: true });
    expect(await detect(textFile(ascii + rows, 'utf-8'))).toMatchObject({ charset: 'utf-8', sure: true });
  });
});

test('a text without any space is read all the same', async () => {
  const text = '品牌编号名称价格前制动片套装机油滤清器后减震器总成'.repeat(60);
  expect(await detect(textFile(text, 'gb18030'))).toMatchObject({ charset: 'gb18030', sure: true });
});

describe('thin evidence is not acted on', () => {
  test.each([
    ['a single byte', [0x42, 0x3b, 0xe4, 0x0d, 0x0a]],
    ['a single byte among many rows', [...Buffer.from(`a;b\r\n${'BOSCH;1\r\n'.repeat(50)}X`), 0xb5, 0x0d, 0x0a]],
  ])('%s', async (_, bytes) => {
    const found = await detect(bytesFile(Buffer.from(bytes)));
    expect(found.sure).toBe(false);
    expect(found.confidence).toBeLessThan(0.9);
  });

  test('a file half in UTF-8 and half in windows-1251', async () => {
    const halves = [
      Buffer.from(PRICE_LISTS.ru),
      Buffer.from(decodeBytes(Buffer.from(PRICE_LISTS.ru), 'utf-8'), 'latin1'),
    ];
    expect((await detect(bytesFile(Buffer.concat(halves)))).sure).toBe(false);
  });

  test('a binary file', async () => {
    const found = await detect(bytesFile(Buffer.alloc(1000, 7)));
    expect(found).toMatchObject({ charset: 'binary', sure: false, confidence: 0 });
  });
});

describe('near twins are told apart by the words that differ', () => {
  const rows = [
    'Artikelnummer;Bezeichnung;Ausführung;Preis',
    '1001;Rührschüssel mit Deckel;weiß;12,90',
    '1002;Gewürzmühle;groß;8,50',
    '1003;Türgriff für Küchenmöbel;grün;4,20',
    '1004;Maßband;schwarz;3,10',
  ];

  test.each([
    ['a diameter before a number', 'Topf Ø18cm'],
    ['a diameter behind a number', 'Topf 18 cm Ø'],
    ['a misspelled loan word', 'Tasse Cafè'],
    ['loan words', 'Crêpe Piña Smørrebrød'],
    ['an acute accent for an apostrophe', 'Men´s Shirt'],
    ['an acute accent for minutes', '5´'],
    ['dots between words', 'rot · blau'],
    ['a lone euro sign', '€'],
    ['a low quote for a comma', '‚'],
    ['a florin sign', 'ƒ 5'],
    ['a stray capital', 'Ë'],
    ['a cubic measure', '12 cm³'],
  ])('%s in a German list', async (_, name) => {
    for (const charset of ['windows-1252', 'iso-8859-15']) {
      if (charset === 'iso-8859-15' && /[´‚ƒ]/.test(name)) continue;
      const text = [...rows, `1005;${name};rot;5,00`, `1006;${name};blau;6,00`].join('\r\n');
      const path = textFile(text, charset);
      const found = await detect(path);
      expect(decodeBytes(readFileSync(path), found.charset)).toBe(text);
      expect(found.sure).toBe(true);
    }
  });

  test('between twins only the words decide that they read differently', async () => {
    const names = (
      'Käse Müsli Bärchen Frühstück Nüsse Knödel Grünkohl Sprühsahne Gemüse Würstchen Rösti Spätzle Brötchen Hähnchen Früchte ' +
      'Kürbis Plätzchen Säfte Kräuter Möhren Äpfel Öl Süßwaren Gebäck Löffel Schüssel Küche Töpfe Geschirrtücher Müll Säcke ' +
      'Tüten Körbe Gläser Becher Büro Hüllen Blöcke Bücher Stühle Tische Schränke Wände Türen Böden Dächer Röhren Dübel Nägel ' +
      'Sägen Hämmer Bürsten Düngen Sträucher Bäume Gräser Zäune Käfige Hündchen Vögel Fütterung Gürtel Mützen Röcke Mäntel Köln ' +
      'Tübingen Lübeck Münster Nürnberg Würzburg Göttingen Düren Jülich Übung Ärzte Zähne Körper Füße Hände Müdigkeit Blüte ' +
      // Words of a language that neither charset is for must not decide.
      'ÖKÜZGÖZÜ PorCöz Yüzey ÖzAydo Cözücü GÖZLÜKÇÜ'
    ).split(' ');
    const rows = names.map((name, at) => `FEBI;${1000 + at};${name}`);
    const german = ['Marke;Artikel;Bezeichnung', ...rows, 'ELRING;77;Rohr Ø18cm', 'ELRING;78;Cafè-Sahne', ''].join(
      '\r\n',
    );
    expect(await detect(textFile(german, 'windows-1252'))).toMatchObject({ charset: 'windows-1252', sure: true });
  });

  test('German among Polish is windows-1250', async () => {
    const text = [...rows, '1005;Łyżka drewniana;żółta;5,00', '1006;Świecznik dębowy;biały;6,00'].join('\r\n');
    const german = text.replaceAll('ß', 'ss');
    expect(await detect(textFile(german, 'windows-1250'))).toMatchObject({ charset: 'windows-1250', sure: true });
  });

  test.each([
    [
      'windows-1257',
      'Nimetus;Hind\r\nŠokolaad mõru;2\r\nKäterätik hall;5\r\nTööriist väike;7\r\nSidur ´;9\r\nŠokolaad;3\r\n',
    ],
    ['iso-8859-2', 'Megnevezés;Ár\r\nŠkoda fűnyíró;2\r\nTörölköző;5\r\nLökhárító hátsó;7\r\nSzűrő első;9\r\n'],
  ])('%s has a word that its twin has not', async (charset, text) => {
    expect(await detect(textFile(text, charset))).toMatchObject({ charset });
  });
});

describe('a list of ASCII and symbols', () => {
  const rows = Array.from({ length: 30 }, (_, at) => `${at};Mixing bowl;${at}.50\r\n`).join('');

  test('is not taken for an alphabet in which single letters stand there', async () => {
    for (const symbol of ['\x80', '\x85', '\x96', '\xac', '\xcb', '\xd8']) {
      const found = await detect(bytesFile(Buffer.from(`${rows}31;${symbol};9.00\r\n`.repeat(3), 'latin1')));
      expect(found.sure && !/^windows-125[0247]$/.test(found.charset)).toBe(false);
    }
  });

  test('is read with its diameters and trade marks', async () => {
    const text = `${rows}31;Bowl Ø18cm;9.00\r\n32;Bowl Ø 20 cm;9.00\r\n33;Pro® 5×7;1.00\r\n34;m²;2.00\r\n`;
    expect(await detect(textFile(text, 'windows-1252'))).toMatchObject({ charset: 'windows-1252', sure: true });
  });
});

test('a bar between cells is no part of a word', () => {
  const words = foreignWords(Buffer.from('Öl|Filter|5\r\nA|Öl|6\r\nCafé|7\r\nCafé|8', 'latin1'));
  expect(words).toEqual([
    { bytes: 'Öl', count: 2 },
    { bytes: 'Café|', count: 2 },
  ]);
});

describe('where bytes leave it open, the charset of the deliveries before decides', () => {
  const few = (name: string, charset: string) => textFile(`brand;oem;name\r\nATE;1;${name}\r\n`, charset);

  test.each([
    ['Ф', 'windows-1251'],
    ['Ф', 'koi8-r'],
    ['ä', 'windows-1250'],
    ['2 шт', 'ibm866'],
  ])('%s in %s', async (name, charset) => {
    const bytes = few(name, charset);
    expect((await detect(bytes)).sure).toBe(false);
    const found = await detect(bytes, { likelyCharset: charset });
    expect(found).toMatchObject({ charset, sure: true, readings: [] });
    expect(found.evidence[0]).toBe(
      `The deliveries before it are in ${charset}, in which this one can be read without a flaw.`,
    );
  });

  test('what is sure by itself stays as it is, and so does what the other charset cannot read', async () => {
    const sure = textFile(PRICE_LISTS.ru, 'windows-1251');
    expect(await detect(sure, { likelyCharset: 'koi8-r' })).toMatchObject({ charset: 'windows-1251', sure: true });
    // The byte is no character of windows-1253.
    const open = bytesFile(Buffer.from('brand;oem;name\r\nATE;1;\xd2\r\n', 'latin1'));
    expect((await detect(open, { likelyCharset: 'windows-1253' })).sure).toBe(false);
    expect((await detect(open, { likelyCharset: 'utf-8' })).sure).toBe(false);
  });
});

test('a few words of Japanese with a known header are enough', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `${at};Bowl;${at}.50\r\n`).join('');
  const found = await detect(textFile(`番号;品名;価格\r\n${rows}31;黒 緑 赤;1.00\r\n`, 'shift_jis'));
  expect(found).toMatchObject({ charset: 'shift_jis', sure: true });
});

describe('a charset that cannot be read is named', () => {
  const ESCAPED = {
    'iso-2022-jp': '\x1b$B@=IJL>\x1b(B',
    'iso-2022-kr': '\x1b$)C\x0e\x3d\x3d\x0f',
    'hz-gb-2312': '~{<:Ky~}',
  };
  const EBCDIC_LETTERS = Buffer.from('c1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9', 'hex');

  test.each([...Object.entries(ESCAPED), ['utf-7', 'K+APw-che']])('%s', async (charset, name) => {
    const found = await detect(textFile(`code;name\r\n1;${name}\r\n${'2;Bowl\r\n'.repeat(10)}`));
    expect(found).toMatchObject({ charset, sure: false });
    expect(found.evidence[0]).toContain(`${charset.toUpperCase()}, which is not supported`);
  });

  test('far behind the beginning of a file', async () => {
    const found = await detect(textFile(`${'2;Bowl\r\n'.repeat(60_000)}3;${ESCAPED['iso-2022-jp']}\r\n`));
    expect(found).toMatchObject({ charset: 'iso-2022-jp', sure: false });
  });

  test('EBCDIC with every newline and delimiter, and in capitals', async () => {
    for (const [delimiter, newline] of [
      [0x5e, [0x0d, 0x25]],
      [0x6b, [0x15]],
      [0x05, [0x25]],
      [0x4f, [0x0d, 0x15]],
    ] as const) {
      const row = [...EBCDIC_LETTERS.subarray(0, 9), delimiter, 0xf1, 0xf2, 0xf0, 0x4b, 0xf5, ...newline];
      const found = await detect(bytesFile(Buffer.from(Array.from({ length: 20 }, () => row).flat())));
      expect(found).toMatchObject({ charset: 'ebcdic', sure: false, readings: [] });
      expect(found.evidence[0]).toContain('EBCDIC, which is not supported');
    }
  });

  test('EBCDIC of Hebrew, which is ASCII to the last byte', async () => {
    const hebrew = Buffer.from('VFqC@VYdh@iU@VHQh\r%BFi@dQTIh@hdQDFq@DQYg\r%'.repeat(20));
    expect(await detect(bytesFile(hebrew))).toMatchObject({ charset: 'ebcdic', sure: false });
  });
});

describe('an explicit charset', () => {
  test('wins, in any spelling, and the evidence says so', async () => {
    const found = await detect(textFile(PRICE_LISTS.ru, 'ibm866'), { charset: 'CP866' });
    expect(found).toMatchObject({ charset: 'ibm866', sure: true });
    expect(found.evidence[0]).toBe('The charset is set to ibm866.');
    expect((await detect(textFile(PRICE_LISTS.ru), { charset: 'latin1' })).charset).toBe('windows-1252');
    const big = await detect(textFile(PRICE_LISTS.ru, 'utf-16be', true), { charset: 'UTF-16' });
    expect(big).toMatchObject({
      charset: 'utf-16be',
      bom: true,
      columns: ['Бренд', 'Артикул', 'Наименование', 'Цена'],
    });
  });

  test('that does not exist is named', async () => {
    const wrong = detect(textFile('a;b\n'), { charset: 'windows-1291' });
    await expect(wrong).rejects.toThrow(OfferlineError);
    await expect(wrong).rejects.toThrow('Unknown charset "windows-1291"');
  });
});

test('any bytes end in a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const found = await detect(bytesFile(bytes));
      expect(found.confidence).toBeGreaterThanOrEqual(0);
      expect(found.confidence).toBeLessThanOrEqual(1);
    }),
    { numRuns: repetitions(300) },
  );
});
