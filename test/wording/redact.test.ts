import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hideFromNowOn, redact, redactDeep } from '../../src/wording/redact.ts';
import { asHtml, percentEncoded, waysToWrite } from '../support/ways-to-write.ts';

const PASSWORD = `Zürich/9+"k<7> &'%41\\é`;
const USER = 'shop';

hideFromNowOn(PASSWORD);
hideFromNowOn(`${USER}:${PASSWORD}`);
hideFromNowOn('two words here');

describe('a credential is hidden', () => {
  test.each(waysToWrite(USER))('%s', (_way, write) => {
    const shown = redact(`before ${write(PASSWORD)} after`);
    expect(shown).toContain('[secret]');
    for (const [, other] of waysToWrite(USER)) expect(shown).not.toContain(other(PASSWORD));
    // Base64 around it may keep a character at each end, which says nothing.
    expect(
      shown
        .replace(/^before (Basic )?/, '')
        .replace(/ after$/, '')
        .replace('[secret]', '').length,
    ).toBeLessThan(14);
  });

  test('with the text around it untouched', () => {
    expect(redact(`{"a":"\\u0041%42&amp;","b":"${JSON.stringify(PASSWORD).slice(1, -1)}","c":"&lt;"}`)).toBe(
      '{"a":"\\u0041%42&amp;","b":"[secret]","c":"&lt;"}',
    );
  });

  test('however parts of it are escaped', () => {
    const way = fc.constantFrom<(one: string) => string>(
      (one) => one,
      percentEncoded,
      asHtml,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      (one) => `&#${one.charCodeAt(0)};`,
    );
    const credential = 'Tr0ub4dor-and-3';
    hideFromNowOn(credential);
    fc.assert(
      fc.property(fc.array(way, { minLength: credential.length, maxLength: credential.length }), (ways) => {
        const written = Array.from(credential, (one, at) => ways[at]!(one)).join('');
        expect(redact(`x ${written} y`)).toBe('x [secret] y');
      }),
    );
  });

  test('with spaces as signs of plus', () => {
    expect(redact('q=two+words+here&r=two%20words+here')).not.toContain('words');
  });

  test('as often as it stands there, also side by side', () => {
    expect(redact(`${PASSWORD}${PASSWORD} ${encodeURIComponent(PASSWORD)}`)).toBe('[secret][secret] [secret]');
  });

  test('everywhere in a value', () => {
    expect(redactDeep({ a: [PASSWORD, 1, null], b: { c: `x${PASSWORD}` } })).toEqual({
      a: ['[secret]', 1, null],
      b: { c: 'x[secret]' },
    });
  });
});

test('a short credential is hidden where it stands alone', () => {
  hideFromNowOn('q7');
  expect(redact('password q7, "q7" of aq7b')).toBe('password [secret], "[secret]" of aq7b');
});

test('an empty credential hides nothing', () => {
  hideFromNowOn('');
  hideFromNowOn('  ');
  expect(redact('a  b')).toBe('a  b');
});

test('any text without a credential stays as it is', () => {
  const piece = fc.constantFrom(
    'a',
    '\\',
    '\\u00',
    '%',
    '%4',
    '%C3',
    '&',
    '&#',
    '&#x',
    ';',
    '"',
    '\ud83d',
    'é',
    '\n',
    '&uuml;',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(redact(pieces.join(''))).toBe(pieces.join(''));
    }),
  );
});

test.each(['\\', '%41', '&', '&#', '%', '\\u0041', '&amp;', 'Z'])(
  '4 MB of %s are looked through within the time of a test',
  (piece) => {
    const text = piece.repeat(4_000_000 / piece.length);
    expect(redact(text)).toHaveLength(text.length);
  },
);
