import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isGuessable } from '../../src/wording/credentials/guessable.ts';
import { hideFromNowOn, redact, redactDeep, redactForeign } from '../../src/wording/redact.ts';
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
    const bare = Object.assign(Object.create(null) as object, { a: PASSWORD });
    expect({ ...redactDeep(bare) }).toEqual({ a: '[secret]' });
    expect(Object.getPrototypeOf(redactDeep(bare))).toBeNull();
    expect(redactDeep({ a: [PASSWORD, 1, null], b: { c: `x${PASSWORD}` } })).toEqual({
      a: ['[secret]', 1, null],
      b: { c: 'x[secret]' },
    });
  });
});

describe('a credential that is a word', () => {
  const WORD = 'home';
  const pairs = [`${USER}:${WORD}`, `\0${USER}\0${WORD}`];
  beforeAll(() => [WORD, 'Demo2024', 'q7', ...pairs].forEach(hideFromNowOn));

  test.each([
    'There is no ledger in /srv/home/.offerline; name it with --home, or set OFFERLINE_HOME.',
    'The folder /home/home/inbox holds home.csv and Home 2.csv.',
    'feeds.home.source.path  the folder ./home does not exist yet',
    'Correct logins.main.auth.password: home is where it is read from.',
    '{"feed":"home","path":"/home","args":["home"]}',
    'mailto:home@example.com, https://home.example/home?feed=home&page=2#home',
    'shop:home, 12:home, home@example.com',
    'aGVsbG8gaG9tZSBvZg== and 686f of Demo2024, q7, DEMO2024.csv',
  ])('is left alone where it is none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    ['redis://:home@redis:6379/0', 'redis://:[secret]@redis:6379/0'],
    ['smtp://shop:home@mail.example', 'smtp://shop:[secret]@mail.example'],
    ['shop:home@[::1]:21', 'shop:[secret]@[::1]:21'],
    [`authorization: Basic ${btoa('shop:home')}`, 'authorization: Basic [secret]'],
    ['Authorization: Bearer home', 'Authorization: Bearer [secret]'],
    ['"authorization":"home"', '"authorization":"[secret]"'],
    ['Authorization: Token home', 'Authorization: Token [secret]'],
    ['sent Bearer q7, refused', 'sent Bearer [secret], refused'],
    ['https://a.example/x?user=home&token=home&page=1', 'https://a.example/x?user=home&token=[secret]&page=1'],
    ['https://a.example/x?api_key=%68%6f%6d%65', 'https://a.example/x?api_key=[secret]'],
    ['user=shop&password=home', 'user=shop&password=[secret]'],
    ['{"user":"home","password":"home"}', '{"user":"home","password":"[secret]"}'],
    [String.raw`{"said":"{\"client_secret\":\"home\"}"}`, String.raw`{"said":"{\"client_secret\":\"[secret]\"}"}`],
    ['{"key":"Demo2024","auth":"q7"}', '{"key":"[secret]","auth":"[secret]"}'],
    ['X-Api-Key: home', 'X-Api-Key: [secret]'],
    ['password: home, user: shop', 'password: [secret], user: shop'],
    ['password = home user = shop', 'password = [secret] user = shop'],
    ['Cookie: a=home; b=q7; c=homely', 'Cookie: a=[secret]; b=[secret]; c=homely'],
    ['"set-cookie":"sid=home; Path=/"', '"set-cookie":"sid=[secret]; Path=/"'],
    ['a=home\nCookie: a=home\r\nX: b=home', 'a=home\nCookie: a=[secret]\r\nX: b=home'],
    [`said ${btoa('shop:home')}`, 'said [secret]'],
    [`said ${Buffer.from('Demo2024').toString('hex')}`, 'said [secret]'],
  ])('is hidden where credentials stand: %s', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  test.each(waysToWrite(USER))('is hidden in what a server wrote, %s', (_way, write) => {
    for (const credential of [WORD, 'Demo2024']) {
      const shown = redactForeign(`before ${write(credential)} after`);
      expect(shown).toContain('[secret]');
      for (const [, other] of waysToWrite(USER)) expect(shown).not.toContain(other(credential));
    }
  });

  test('leaves longer words of a server alone', () => {
    expect(redactForeign('Homely homepage, home: homes; at (home)')).toBe(
      'Homely homepage, [secret]: homes; at ([secret])',
    );
    expect(redactForeign('xxDemo2024xx')).toBe('xx[secret]xx');
    expect(redactForeign('password q7, "q7" of aq7b')).toBe('password [secret], "[secret]" of aq7b');
  });

  test('is hidden at the end of any row of names and values', () => {
    const piece = fc.constantFrom(
      'Cookie: ',
      'a=b; ',
      'token=',
      '"key":"',
      'x',
      ':',
      '@',
      '?',
      '&b=c',
      '\n',
      'Bearer ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(redact(text)).toBe(text);
        expect(redact(`${text} password=home`)).toBe(`${text} password=[secret]`);
        expect(redact(`${text}://shop:home@x`)).toBe(`${text}://shop:[secret]@x`);
      }),
    );
  });
});

test.each([
  ['home', true],
  ['offerline', true],
  ['Sommer2024', true],
  ['price-list', true],
  ['north.csv', true],
  ['NorthFeed', true],
  ['20261122-060000', true],
  ['9007199254740993', true],
  ['aB3$x', true],
  ['Пароль', true],
  ['aB3$x9', false],
  ['p4ssword', false],
  ['Sommer 2024', false],
  ['Sommer2024!', false],
  ['xKpQzRtW', false],
  ['abcdefghijklmnop', false],
  ['north-supplier-password', false],
  ['12345678901234567890', false],
])('%s: could texts have it by chance? %s', (credential, could) => {
  expect(isGuessable(credential)).toBe(could);
});

test('a random credential is hidden wherever it stands, whatever alphabet it is made of', () => {
  const digit = fc.constantFrom(...'0123456789abcdef'.split(''));
  fc.assert(
    fc.property(fc.array(digit, { minLength: 32, maxLength: 32 }), (digits) => {
      hideFromNowOn(digits.join(''));
      expect(redact(`/srv/${digits.join('')}.csv of x${digits.join('').toUpperCase()}x`)).toBe(
        '/srv/[secret].csv of x[secret]x',
      );
    }),
    { numRuns: 20 },
  );
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

test.each(['\\', '%41', '&', '&#', '%', '\\u0041', '&amp;', 'Z', ':', 'cookie:', 'cookie=a;', 'key:'])(
  '4 MB of %s are looked through within the time of a test',
  (piece) => {
    const text = piece.repeat(4_000_000 / piece.length);
    expect(redact(text)).toHaveLength(text.length);
  },
);
