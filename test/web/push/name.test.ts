import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { nameIn } from '../../../src/web/push/asked.ts';

const AT = '/api/v1/feeds/north/deliveries/';

test.each([
  ['prices.csv', 'prices.csv'],
  ['Preise%20M%C3%A4rz.csv', 'Preise März.csv'],
  ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
  ['a%5Cb.csv', 'b.csv'],
  ['%252e%252e%252fa.csv', '%2e%2e%2fa.csv'],
  ['.hidden.csv', 'hidden.csv'],
  ['a%0D%0Ab.csv', 'ab.csv'],
  ['%E2%80%AEvsc.a', 'vsc.a'],
  [`${'n'.repeat(900)}.csv`, `${'n'.repeat(196)}.csv`],
])('%s is the name %s', (written, name) => {
  expect(nameIn({ pathname: AT + written })).toBe(name);
});

/** The name at the end of an address; null where it is refused as a mistake of whoever sends it. */
function named(written: string): string | null {
  try {
    return nameIn({ pathname: AT + written });
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'usage') return null;
    throw error;
  }
}

test('whatever a sender calls a file, its name is safe to keep and to show, or refused', () => {
  const holds = property(string({ unit: 'binary', maxLength: 120 }), (text) => {
    const name = named(encodeURIComponent(text.toWellFormed())) ?? 'refused';
    expect(name).not.toMatch(/[/\\\p{Cc}\p{Cf}\uFFFD]|^\.|^$/u);
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name.isWellFormed()).toBe(true);
    expect(named(encodeURIComponent(name))).toBe(name);
  });
  assert(holds, { numRuns: 100 });
});

test('what is no address of ours is refused, not guessed', () => {
  const holds = property(string({ maxLength: 60 }), (text) => {
    expect(named(text)).not.toBe('');
  });
  assert(holds, { numRuns: 100 });
});
