import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DamagedError } from '../../../../src/pull/mail/inside/entry.ts';
import { readTnef } from '../../../../src/pull/mail/inside/tnef.ts';
import {
  attribute,
  BINARY,
  CONTENT,
  LONG_NAME,
  OBJECT,
  OTHERS,
  property,
  STRING_8,
  tnefWith,
  UNICODE,
} from './write-tnef.ts';

const utf16 = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const namesIn = (bytes: Uint8Array) => readTnef(bytes).map(({ name }) => name);

/** Entries; none where it is refused as damaged. */
function entriesOf(bytes: Uint8Array): number {
  try {
    return readTnef(bytes).length;
  } catch (error) {
    if (error instanceof DamagedError) return 0;
    throw error;
  }
}

describe('attachments of winmail.dat', () => {
  test('have their bytes, and their long names before the short ones', () => {
    const longName = property(UNICODE, LONG_NAME, utf16('Прайс-лист 2026.csv'));
    const read = readTnef(
      tnefWith([
        { title: 'PRICES~1.CSV', data: 'brand;oem', properties: [...OTHERS, longName] },
        { title: 'b.txt', data: Buffer.alloc(0) },
      ]),
    );
    expect(read.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['Прайс-лист 2026.csv', 'brand;oem'],
      ['b.txt', ''],
    ]);
  });

  test('have names in the code page of the mail, or in what it looks like', () => {
    const title = Buffer.from([0xcf, 0xf0, 0xe0, 0xe9, 0xf1, 0x2e, 0x63, 0x73, 0x76]);
    expect(namesIn(tnefWith([{ title, data: 'x' }], 1251))).toEqual(['Прайс.csv']);
    expect(namesIn(tnefWith([{ title, data: 'x' }], 99_999))).toEqual(['Прайс.csv']);
    const long = property(STRING_8, LONG_NAME, Buffer.from('Прайс.csv\0'));
    expect(namesIn(tnefWith([{ title, data: 'x', properties: [long] }], 65_001))).toEqual(['Прайс.csv']);
  });

  test('are also those whose bytes stand among the properties, and mails', () => {
    const inner = tnefWith([{ title: 'inner.csv', data: 'y' }]);
    const mail = Buffer.concat([Buffer.alloc(16, 7), inner]);
    const read = readTnef(
      tnefWith([
        { title: 'a.csv', properties: [property(BINARY, CONTENT, Buffer.from('x'))] },
        { title: 'mail', properties: [property(OBJECT, CONTENT, mail)] },
        { title: 'picture', properties: [property(OBJECT, CONTENT, Buffer.alloc(40))] },
      ]),
    );
    expect(read.map(({ name, type, bytes }) => [name, type, bytes.length])).toEqual([
      ['a.csv', 'application/octet-stream', 1],
      ['mail', 'application/ms-tnef', inner.length],
    ]);
  });

  test('end where nothing but blanks follows', () => {
    const file = tnefWith([{ title: 'a.csv', data: 'x' }]);
    expect(namesIn(Buffer.concat([file, Buffer.from('\r\n\0\0')]))).toEqual(['a.csv']);
    expect(() => readTnef(Buffer.concat([file, Buffer.from('-- footer')]))).toThrow('nothing of TNEF');
  });
});

test('a file that is cut anywhere inside an attribute is damaged', () => {
  const properties = [...OTHERS, property(UNICODE, LONG_NAME, utf16('a.csv'))];
  const last = attribute(1, 0x0006_9007, Buffer.alloc(20));
  const file = Buffer.concat([tnefWith([{ title: 'a.csv', data: 'x', properties }]), last]);
  for (let cut = 1; cut < last.length; cut++) {
    expect(() => readTnef(file.subarray(0, file.length - cut))).toThrow(DamagedError);
  }
  for (let length = 0; length < file.length; length++) entriesOf(file.subarray(0, length));
});

test('more than 1,000 attachments are refused', () => {
  const files = Array.from({ length: 1001 }, () => ({ title: 'a', data: 'x' }));
  expect(() => readTnef(tnefWith(files))).toThrow('more than 1000 attachments');
});

test('whatever is changed in it, nothing but a refusal is thrown', () => {
  const properties = [...OTHERS, property(UNICODE, LONG_NAME, utf16('a.csv'))];
  const file = tnefWith([
    { title: 'a.csv', data: 'brand', properties },
    { title: 'b.csv', data: 'oem' },
  ]);
  const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 6 });
  fc.assert(
    fc.property(changes, (all) => {
      const changed = Buffer.from(file);
      for (const [at, byte] of all) changed[at] = byte;
      expect(entriesOf(changed)).toBeLessThanOrEqual(2 + all.length);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(entriesOf(Buffer.concat([file.subarray(0, 6), bytes]))).toBe(0);
    }),
  );
});

test.each([
  ['attributes', attribute(2, 0x0006_800f, Buffer.alloc(0))],
  [
    'properties',
    attribute(
      2,
      0x0006_9005,
      Buffer.concat([Buffer.from([255, 255, 0, 0]), Buffer.alloc(8 * 65_535, Buffer.from([3, 0, 1, 0, 0, 0, 0, 0]))]),
    ),
  ],
  [
    'values',
    attribute(
      2,
      0x0006_9005,
      Buffer.concat([Buffer.from([1, 0, 0, 0, 0x02, 0x11, 1, 0, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(400_000)]),
    ),
  ],
])('8 MB of %s take little time', (_, unit) => {
  const file = Buffer.concat([tnefWith([{ title: 'a' }]), Buffer.alloc(8_000_000, unit)]);
  const begun = performance.now();
  entriesOf(file);
  expect(performance.now() - begun).toBeLessThan(3000);
});
