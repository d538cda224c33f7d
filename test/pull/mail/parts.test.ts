import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endsAs } from '../../../src/pull/mail/parts.ts';

/** As a mail program writes it: lines of the given lengths, and what follows the last one. */
function encode(bytes: Uint8Array, lines: number[], after: string): string {
  let text = Buffer.from(bytes).toString('base64');
  let written = '';
  for (let at = 0; text.length > 0; at++) {
    const length = lines[at % lines.length]!;
    written += `${text.slice(0, length)}\r\n`;
    text = text.slice(length);
  }
  return written + after;
}

const bytes = fc.uint8Array({ minLength: 10, maxLength: 6000 });
const lines = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 });
const after = fc.constantFrom('', '\r\n', '\r\n'.repeat(100));

test('the end of a whole file is that of its base64, whatever its lines are and wherever its end begins', () => {
  fc.assert(
    fc.property(bytes, lines, after, fc.nat(8000), (file, lengths, rest, from) => {
      const end = encode(file, lengths, rest).slice(-from - 1);
      expect(endsAs(Buffer.from(file).subarray(-1000), end)).toBe(true);
    }),
  );
});

test('the end of a file that was cut is another', () => {
  const file = Buffer.from(Array.from({ length: 500 }, (_, at) => `ATE;${at};Brake disc;${at}\r\n`).join(''));
  const end = encode(file, [76], '\r\n').slice(-2000);
  for (const cut of [1, 2, 3, 10, 1000, file.length - 1000]) {
    expect(endsAs(file.subarray(0, file.length - cut).subarray(-1000), end)).toBe(false);
  }
});
