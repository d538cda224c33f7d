import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hideFromNowOn, redact, redactDeep } from '../src/redact.ts';

const PASSWORD = `Zürich/9+"k<7> &'%41\\é`;
const USER = 'shop';

hideFromNowOn(PASSWORD);
hideFromNowOn(`${USER}:${PASSWORD}`);
hideFromNowOn('two words here');

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const named = new Map(
  Object.entries({ '"': '&quot;', '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', ü: '&uuml;', é: '&eacute;' }),
);
const html = (text: string) => text.replaceAll(/["<>&'üé]/g, (sign) => named.get(sign) ?? sign);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const each = (text: string, write: (point: number) => string) =>
  Array.from(text, (one) => write(one.codePointAt(0)!)).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** How servers and programs write what they were given. */
const WAYS: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())],
  ['as JSON', json],
  ['as JSON with slashes escaped', (text) => json(text).replaceAll('/', '\\/')],
  ['as JSON of ASCII', (text) => each(text, (point) => `\\u${point.toString(16).padStart(4, '0')}`)],
  [
    'as JSON of ASCII in capitals',
    (text) => each(text, (point) => `\\u${point.toString(16).toUpperCase().padStart(4, '0')}`),
  ],
  ['as HTML with names', html],
  ['as HTML with numbers', (text) => each(text, (point) => `&#${point};`)],
  ['as HTML with long numbers', (text) => each(text, (point) => `&#00${point};`)],
  ['as HTML with hex numbers', (text) => each(text, (point) => `&#x${point.toString(16)};`)],
  ['as HTML with hex numbers in capitals', (text) => each(text, (point) => `&#X${point.toString(16).toUpperCase()};`)],
  ['as HTML twice', (text) => html(html(text))],
  ['as a component of an address', encodeURIComponent],
  [
    'as a component of an address in small letters',
    (text) => encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
  ],
  ['as a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
  ['with every byte percent-encoded', percent],
  ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['percent-encoded by Latin 1', escape],
  ['percent-encoded in JSON', (text) => json(encodeURIComponent(text))],
  ['as HTML in JSON', (text) => json(html(text))],
  ['as JSON in JSON', (text) => json(json(text))],
  ['as JSON in HTML', (text) => html(json(text))],
  ['as UTF-8 read as Latin 1', (text) => Buffer.from(text).toString('latin1')],
  ['in base64', base64],
  ['in base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
  ['in base64, percent-encoded', (text) => encodeURIComponent(base64(text))],
  ['with its user in base64', (text) => base64(`${USER}:${text}`)],
  ['with its user in base64 for addresses', (text) => Buffer.from(`${USER}:${text}`).toString('base64url')],
  ['as the header Authorization', (text) => `Basic ${base64(`${USER}:${text}`)}`],
  ['for SMTP', (text) => base64(`\0${USER}\0${text}`)],
  ['in hex', (text) => Buffer.from(text).toString('hex')],
  ['in hex in capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
];

describe('a credential is hidden', () => {
  test.each(WAYS)('%s', (_way, write) => {
    const shown = redact(`before ${write(PASSWORD)} after`);
    expect(shown).toContain('[secret]');
    for (const [, other] of WAYS) expect(shown).not.toContain(other(PASSWORD));
    // Base64 around it may keep a character at each end, which says nothing.
    expect(
      shown
        .replace(/^before (Basic )?/, '')
        .replace(/ after$/, '')
        .replace('[secret]', '').length,
    ).toBeLessThan(14);
  });

  test('with the text around it untouched', () => {
    expect(redact(`{"a":"\\u0041%42&amp;","b":"${json(PASSWORD)}","c":"&lt;"}`)).toBe(
      '{"a":"\\u0041%42&amp;","b":"[secret]","c":"&lt;"}',
    );
  });

  test('however parts of it are escaped', () => {
    const way = fc.constantFrom<(one: string) => string>(
      (one) => one,
      percent,
      (one) => html(one),
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
