import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Base64Decoder } from '../../../src/pull/mail/base64.ts';

class Damaged extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line}`);
    this.line = line;
  }
}

function decode(text: string | Buffer, pieces = 1000): Buffer {
  const bytes = Buffer.from(text);
  const decoder = new Base64Decoder((line) => new Damaged(line));
  const decoded: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieces) decoded.push(decoder.write(bytes.subarray(at, at + pieces)));
  return Buffer.concat([...decoded, decoder.end()]);
}

/** Bytes that come out; none where it is refused as damaged. */
function lengthOf(text: string, pieces: number): number {
  try {
    return decode(text, pieces).length;
  } catch (error) {
    if (error instanceof Damaged) return 0;
    throw error;
  }
}

/** Lines of one length, but for the last. */
function lines(bytes: Uint8Array, width: number): string[] {
  return (
    Buffer.from(bytes)
      .toString('base64')
      .match(new RegExp(`.{1,${width}}`, 'gu')) ?? []
  );
}

const LIST = Buffer.from(Array.from({ length: 40 }, (_, at) => `ATE;${at};Brake disc;${at * 7}\r\n`).join(''));
const FOOTERS = {
  'of a virus scanner':
    '\r\n-- \r\nThis email has been checked for viruses by Avast.\r\nhttps://www.avast.com/antivirus\r\n',
  'of a mailing list':
    '_______________________________________________\r\nPrices mailing list\r\nPrices@lists.example\r\n',
  'that begins with a word': 'Confidential\r\nThis message is for its addressee only.\r\n',
  'of a word': 'Avast\r\n',
  'in HTML': '<br><p style="x">Virus-free.</p>\r\n',
  'of words': 'Virus free\r\nThanks\r\n',
};

describe.each(Object.entries(FOOTERS))('a footer %s is left out', (_, footer) => {
  // With two, one and no sign of padding, and with a last line that is full.
  test.each([997, 998, 999, 57 * 12])('behind %i bytes', (length) => {
    const file = LIST.subarray(0, length);
    expect(decode(`${lines(file, 76).join('\r\n')}\r\n${footer}`)).toEqual(file);
    expect(decode(`${lines(file, 76).join('\n').replace(/=+$/u, '')}\n${footer}`)).toEqual(file);
    expect(decode(`${lines(file, 76).join('\r\n')}\r\n\r\n\r\n${footer}`)).toEqual(file);
  });
});

test('a footer that was joined to the padding, or to a line without end, is left out', () => {
  const file = LIST.subarray(0, 997);
  expect(decode(`${lines(file, 76).join('\r\n')}-- \r\nfooter`)).toEqual(file);
  const long = Buffer.alloc(9000, 'x');
  expect(decode(`${long.toString('base64')}-- \r\nfooter`)).toEqual(long);
});

test('lines with padding of their own are read on, in lines and in one', () => {
  const pieces = Array.from({ length: 20 }, (_, at) => LIST.subarray(at * 50, at * 50 + 50));
  const padded = pieces.map((piece) => piece.toString('base64'));
  expect(decode(padded.join('\r\n'))).toEqual(LIST.subarray(0, 1000));
  expect(decode(padded.join(''))).toEqual(LIST.subarray(0, 1000));
  const last = LIST.subarray(1000, 1003).toString('base64');
  expect(decode([...padded, last].join('\r\n'))).toEqual(LIST.subarray(0, 1003));
  const blocks = [LIST.subarray(0, 500), LIST.subarray(500, 1000)];
  expect(decode(blocks.flatMap((block) => lines(block, 76)).join('\r\n'))).toEqual(LIST.subarray(0, 1000));
});

test('lines that blanks joined are read', () => {
  expect(decode(lines(LIST, 76).join(' '))).toEqual(LIST);
  expect(decode(lines(LIST.subarray(0, 500), 76).join(' '))).toEqual(LIST.subarray(0, 500));
});

test('behind whatever file, a footer is left out', () => {
  const line = fc.constantFrom(
    'Thanks',
    'see https://lists.example',
    '',
    'unsubscribe',
    '====',
    'abc=',
    'Best regards',
    '12',
  );
  const footer = fc.array(line, { maxLength: 8 }).map((rest) => ['-- ', ...rest].join('\r\n'));
  const file = fc.uint8Array({ minLength: 40, maxLength: 3000 });
  fc.assert(
    fc.property(file, fc.constantFrom(60, 64, 72, 76), fc.boolean(), footer, (bytes, width, padded, behind) => {
      const written = lines(bytes, width);
      // What looks like a word is one.
      fc.pre(!/^[A-Z]?[a-z]{4,}=*$/u.test(written.at(-1)!));
      const text = written.join('\r\n');
      const decoded = decode(`${padded ? text : text.replace(/=+$/u, '')}\r\n${behind}`);
      expect(decoded.equals(bytes)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('base64 is damaged', () => {
  const written = lines(LIST, 76);
  test.each([0, 1, 5, written.length - 2])('by another line behind line %i', (at) => {
    const text = written.toSpliced(at, 0, '*** cut here ***').join('\r\n');
    expect(() => decode(text)).toThrow(`line ${at + 1}`);
  });

  test.each([0, 3, written.length - 2])('by a wrong sign in line %i', (at) => {
    const line = written[at]!;
    const text = written.toSpliced(at, 1, `${line.slice(0, 10)}*${line.slice(11)}`).join('\r\n');
    expect(() => decode(text)).toThrow(`line ${at + 1}`);
  });

  test('when one sign is left over, or there is none at all', () => {
    expect(() => decode('QUJDR')).toThrow(Damaged);
    expect(() => decode('brand;oem\r\nATE;1\r\n')).toThrow('line 1');
    expect(decode('\r\n\r\n')).toEqual(Buffer.alloc(0));
  });
});

const bytes = fc.uint8Array({ minLength: 10, maxLength: 6000 });
const after = fc.constantFrom('', '\r\n', '\r\n'.repeat(100));

test('a file comes back, whatever its lines are and wherever it is cut into pieces', () => {
  const widths = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(bytes, widths, after, fc.integer({ min: 1, max: 9000 }), (file, lengths, rest, pieces) => {
      let text = Buffer.from(file).toString('base64');
      let written = '';
      for (let at = 0; text.length > 0; at++) {
        const length = lengths[at % lengths.length]!;
        written += `${text.slice(0, length)}\r\n`;
        text = text.slice(length);
      }
      expect(decode(written + rest, pieces).equals(file)).toBe(true);
    }),
  );
});

test('whatever comes, nothing but a refusal is thrown, and no more comes out than went in', () => {
  const sign = fc.constantFrom('A', 'b', '9', '+', '=', '\n', '\r\n', ' ', '-', '\0', 'é', 'Word', 'A'.repeat(76));
  const text = fc.oneof(
    fc.string(),
    fc.array(sign, { maxLength: 300 }).map((signs) => signs.join('')),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 500 }), (written, pieces) => {
      expect(lengthOf(written, pieces)).toBeLessThanOrEqual(Buffer.byteLength(written));
    }),
  );
});

test.each(['A', 'A=', 'AAA=', '=', '-', '\n', ' ', 'Word\n', 'AAAA\n', `${'A'.repeat(75)}=\n`, 'A \n'])(
  '1 MB of %j takes time that grows with their length',
  (unit) => {
    const begun = performance.now();
    lengthOf(unit.repeat(1_000_000 / unit.length), 65_536);
    expect(performance.now() - begun).toBeLessThan(3000);
  },
);
