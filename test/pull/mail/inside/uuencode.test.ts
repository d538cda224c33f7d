import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUuencode } from '../../../../src/pull/mail/inside/uuencode.ts';
import { uuencoded } from './write-uuencode.ts';

const LIST = Buffer.from(Array.from({ length: 40 }, (_, at) => `ATE;${at};Brake disc;${at * 7}\r\n`).join(''));

function read(text: string) {
  const { entries, damaged } = readUuencode(Buffer.from(text));
  return { files: entries.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')]), damaged };
}

test('files in a text are found with their names, with blanks or backquotes for zeros, and whatever the line ends are', () => {
  const list = LIST.toString('latin1');
  for (const encoded of [uuencoded('prices.csv', LIST), uuencoded('prices.csv', LIST).replaceAll('`', ' ')]) {
    expect(read(`Dear all,\r\n\r\n${encoded.replaceAll('\n', '\r\n')}\r\nBest\r\n`)).toEqual({
      files: [['prices.csv', list]],
      damaged: [],
    });
    expect(read(encoded).files).toEqual([['prices.csv', list]]);
  }
  const two = `${uuencoded('Прайс 1.csv', Buffer.from('a'))}text\n${uuencoded('b.csv', Buffer.alloc(90))}`;
  expect(read(two.replaceAll(/[ `]+\n/gu, '\n')).files).toEqual([
    ['Прайс 1.csv', 'a'],
    ['b.csv', '\0'.repeat(90)],
  ]);
});

test('base64 between the same lines is read too', () => {
  const base64 = LIST.toString('base64').replaceAll(/.{60}/gu, '$&\n');
  expect(read(`begin-base64 644 prices.csv\n${base64}\n====\n`).files).toEqual([
    ['prices.csv', LIST.toString('latin1')],
  ]);
});

test('a sentence that begins so is no file', () => {
  expect(read('begin 644 parts at once\nas agreed with you.\n')).toEqual({ files: [], damaged: [] });
  expect(read('begin 2026 with us\n')).toEqual({ files: [], damaged: [] });
});

test('a damaged file is told with its line, and costs no other', () => {
  const lines = uuencoded('a.csv', LIST).split('\n');
  const damaged = lines.toSpliced(5, 1, 'What is this?').join('\n');
  expect(read(`${damaged}${uuencoded('b.csv', Buffer.from('b'))}`)).toEqual({
    files: [['b.csv', 'b']],
    damaged: [expect.stringContaining('a.csv in its text, which is damaged (its line 5') as string],
  });
  expect(read(lines.slice(0, 9).join('\n')).damaged).toEqual([
    expect.stringContaining('no end after 8 lines') as string,
  ]);
});

test('lines that stand for much more than they are are read up to 32 MB', () => {
  const { files, damaged } = read(`begin 644 a\n${'M\n'.repeat(1_000_000)}end\n${uuencoded('b.csv', LIST)}`);
  expect({ files, damaged }).toEqual({
    files: [],
    damaged: ['has more than 32 MB in its text, of which a is not read'],
  });
});

test('a file comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const [entry] = readUuencode(Buffer.from(uuencoded('a', bytes))).entries;
      expect(Buffer.from(entry!.bytes).equals(bytes)).toBe(true);
    }),
  );
});

test('whatever comes, nothing is thrown', () => {
  const line = fc.constantFrom(
    'begin 644 a',
    'begin-base64 644 a',
    'end',
    '====',
    '`',
    '',
    'M',
    '#0V%T',
    '*',
    'é'.repeat(30),
    'QUJD',
  );
  const text = fc.array(fc.oneof(line, fc.string()), { maxLength: 60 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, (written) => {
      expect(readUuencode(Buffer.from(written)).entries.length).toBeLessThan(61);
    }),
  );
});

test.each([
  'begin 644 a\n',
  'begin 644 a\n`\n',
  'M\n',
  'begin-base64 644 a\n',
  '\n',
  'begin 644 ',
  'end\n',
  '====\n',
  'begin 644 a\nend\n',
])('1 MB of %j takes little time', (unit) => {
  const text = Buffer.from(`begin 644 a\n${unit.repeat(1_000_000 / unit.length)}`);
  const begun = performance.now();
  readUuencode(text);
  expect(performance.now() - begun).toBeLessThan(3000);
});
