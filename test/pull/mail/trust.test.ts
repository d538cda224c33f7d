import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsOf, whyNotTrusted } from '../../../src/pull/mail/trust.ts';

const RULES = {
  from: ['prices@supplier.example', '@parts.example'],
  require: 'dkim',
  authserv: 'mx.shop.example',
} as const;

function judge(results: string[], from = 'prices@supplier.example', rules: object = {}) {
  const headers = [...results.map((value) => `Authentication-Results: ${value}`), `From: ${from}`].join('\r\n');
  return whyNotTrusted({ from: [from], fields: fieldsOf(headers) }, { ...RULES, from: [...RULES.from], ...rules });
}

describe('a listed sender is trusted', () => {
  test.each([
    'mx.shop.example; dkim=pass header.d=supplier.example',
    'MX.shop.example 1; spf=fail smtp.mailfrom=x; dkim=pass (good signature) header.d=Supplier.Example header.s=s1',
    'mx.shop.example; dkim=pass header.i=@supplier.example header.b="a;b\\"c"',
    'mx.shop.example; dkim=fail header.d=other.example; dkim=pass header.d=mail.supplier.example',
    'mx.shop.example;\r\n\tdkim = pass (2048-bit key; (nested) unprotected)\r\n header.d = supplier.example',
  ])('%s', (results) => {
    expect(judge([results])).toBeUndefined();
  });

  test('for all addresses of a domain', () => {
    expect(judge(['mx.shop.example; dkim=pass header.d=parts.example'], 'anybody@parts.example')).toBeUndefined();
  });

  test('without any proof where that was chosen', () => {
    expect(judge([], 'prices@supplier.example', { require: 'none' })).toBeUndefined();
  });
});

describe('a mail is not trusted', () => {
  test.each([
    [[], 'nobody checked its signature'],
    [['mx.shop.example; none'], 'no valid DKIM'],
    [['mx.shop.example; dkim=fail header.d=supplier.example'], 'no valid DKIM'],
    [['mx.shop.example; dkim=pass header.d=evil.example'], 'signed by evil.example'],
    [['mx.shop.example; dkim=pass header.d=supplier.example.evil.example'], 'signed by'],
    [['mx.shop.example; dkim=pass header.d=example'], 'signed by example'],
    [['mx.evil.example; dkim=pass header.d=supplier.example'], 'checked by mx.evil.example'],
    // What came with the mail lies below what the own server wrote.
    [['mx.shop.example; dkim=none', 'mx.shop.example; dkim=pass header.d=supplier.example'], 'no valid DKIM'],
    [['mx.evil.example; none', 'mx.shop.example; dkim=pass header.d=supplier.example'], 'checked by mx.evil.example'],
    // Comments and quotes are no statements.
    [['mx.shop.example; spf=pass (; dkim=pass header.d=supplier.example)'], 'no valid DKIM'],
    [['mx.shop.example; spf=pass smtp.mailfrom="x; dkim=pass header.d=supplier.example"'], 'no valid DKIM'],
    [['mx.shop.example; x-dkim=pass header.d=supplier.example'], 'no valid DKIM'],
    [['mx.shop.example; dkim=pass reason="header.d=evil" header.dx=supplier.example'], 'no valid DKIM'],
    [['mx.shop.example; "dkim" "=pass" header.d=supplier.example'], 'no valid DKIM'],
    [['mx.shop.example.evil; dkim=pass header.d=supplier.example'], 'checked by mx.shop.example.evil'],
  ])('%j', (results, why) => {
    expect(judge(results)).toContain(why);
  });

  test.each([
    ['prices@supplier.example.evil', 'not in source.from'],
    ['prices@mail.supplier.example', 'not in source.from'],
    ['other@supplier.example', 'not in source.from'],
    ['x@sub.parts.example', 'not in source.from'],
    ['x@parts.example@evil.example', 'more than one @'],
  ])('of %s', (from, why) => {
    expect(judge(['mx.shop.example; dkim=pass header.d=supplier.example'], from)).toContain(why);
  });

  test('with two senders, or two From fields', () => {
    const fields = fieldsOf('From: a@b\r\nfrom: c@d');
    const rules = { from: ['a@b'], require: 'none' as const };
    expect(whyNotTrusted({ from: ['a@b'], fields }, rules)).toContain('exactly one sender');
    expect(whyNotTrusted({ from: ['a@b', 'c@d'], fields: [] }, rules)).toContain('exactly one sender');
    expect(whyNotTrusted({ from: [], fields: [] }, rules)).toContain('exactly one sender');
  });
});

test.each([
  ['blanks', ' '],
  ['blanks and marks', ' ='],
  ['open comments', '('],
  ['quotes', '"'],
  ['statements', ';'],
  ['folds', '\r\n '],
  ['escapes', '(\\'],
  ['words', 'a '],
])('a field with 600 KB of %s is read in time that grows with its length', (_, piece) => {
  const results = `mx.shop.example; spf=pass ${piece.repeat(600_000 / piece.length)}`;
  const begun = performance.now();
  expect(judge([results])).toContain('no valid DKIM');
  expect(performance.now() - begun).toBeLessThan(2000);
});

test('whatever follows another server, nothing in its field is a proof', () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      const value = `mx.evil.example ${rest.replaceAll(/[\r\n]/gu, ' ')}; dkim=pass header.d=supplier.example`;
      expect(judge([value])).toBeDefined();
    }),
  );
});
