import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { detect } from '../../../src/detect/detect.ts';
import { decodeBytes } from '../../../src/io/text-decode.ts';
import { bytesFile, PRICE_LISTS, textFile } from '../../support/price-list.ts';

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

  test('a text of a mainframe: EBCDIC has its blanks at "@", its digits and small letters beyond ASCII', async () => {
    const roman = Buffer.from(
      'c2d6e2c3c85ef0f9f8f65ec2998192854097818440a285a36b406699969 5a30d25'.replaceAll(' ', ''),
      'hex',
    );
    const hebrew = Buffer.from('VFqC@VYdh@iU@VHQh\r%BFi@dQTIh@hdQDFq@DQYg\r%');
    for (const line of [roman, hebrew]) {
      const found = await detect(bytesFile(Buffer.concat(Array.from({ length: 20 }, () => line))));
      expect(found.sure).toBe(false);
      expect(found.evidence.join(' ')).toContain('it may be EBCDIC');
    }
  });

  test('a binary file', async () => {
    const found = await detect(bytesFile(Buffer.alloc(1000, 7)));
    expect(found).toMatchObject({ charset: 'binary', sure: false, confidence: 0 });
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
    { numRuns: 300 },
  );
});
