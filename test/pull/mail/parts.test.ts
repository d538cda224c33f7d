import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastDecoded } from '../../../src/pull/mail/parts.ts';

/** As mail programs write it: lines of one length, the last one with or without an end. */
function encode(length: number, perLine: number, ending: string, isEnded: boolean): string {
  const text = Buffer.alloc(length, 7).toString('base64');
  const lines = text.match(new RegExp(`.{1,${perLine}}`, 'gu')) ?? [];
  return lines.join(ending) + (isEnded ? ending : '');
}

test('what so much base64 stands for is known to a line end, whatever program wrote it', () => {
  fc.assert(
    fc.property(
      fc.nat(200_000),
      fc.constantFrom(60, 64, 72, 76, 998),
      fc.constantFrom('\r\n', '\n'),
      fc.boolean(),
      (length, perLine, ending, isEnded) => {
        const encoded = encode(length, perLine, ending, isEnded);

        const least = leastDecoded(encoded.length, 'base64', encoded.slice(0, 2000));

        expect(least).toBeLessThanOrEqual(length);
        // A short text ends before its line length is known.
        expect(least).toBeGreaterThan(encoded.length > 2 * perLine + 10 ? length - 24 : -1);
      },
    ),
  );
});

test('lines of several lengths are taken for what they are at least', () => {
  const encoded = `${'QUJD'.repeat(19)}\r\n${'QUJD'.repeat(5)}\r\n`.repeat(100);

  expect(leastDecoded(encoded.length, 'base64', encoded.slice(0, 2000))).toBeLessThan(
    Buffer.from(encoded, 'base64').length,
  );
});
