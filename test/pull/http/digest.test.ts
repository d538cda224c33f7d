import { expect, test } from 'vitest';
import { digestAnswer, digestChallenge } from '../../../src/pull/http/digest.ts';

const asked = {
  method: 'GET',
  url: new URL('http://www.example.org/dir/index.html'),
  user: 'Mufasa',
  password: 'Circle of Life',
};
const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';

// RFC 7616, section 3.9.1, and RFC 2617, section 3.5.
test.each([
  [
    'realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    { ...asked },
    CNONCE,
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  ],
  [
    'realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    { ...asked },
    CNONCE,
    '8ca523f5e9506fed4657c9700eebdbec',
  ],
  [
    'realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    { ...asked, password: 'Circle Of Life' },
    '0a4f113b',
    '6629fae49393a05397450978507c4ef1',
  ],
])('Digest %s is answered as the standard has it', (challenge, question, cnonce, response) => {
  const found = digestChallenge([`Digest ${challenge}`]);
  expect(digestAnswer(found!, question, cnonce)).toContain(`response="${response}"`);
});

test('the count of a nonce grows, and texts with quotes are written as such', () => {
  const found = digestChallenge(['Digest realm="the \\"best\\" offers", nonce="n", qop=auth'])!;
  expect(digestAnswer(found, asked)).toMatch(/realm="the \\"best\\" offers".* nc=00000001,/u);
  expect(digestAnswer(found, asked)).toMatch(/ nc=00000002,/u);
});

test('of several challenges the strongest is taken; what cannot be answered is none', () => {
  expect(
    digestChallenge([
      'Basic realm="Digest nonce=no, really", Digest realm="a", nonce="md5", Digest realm="a", nonce="sha", algorithm=SHA-256',
    ]),
  ).toMatchObject({ nonce: 'sha', algorithm: 'SHA-256' });
  expect(digestChallenge(['Basic realm="a"', 'Negotiate', 'Bearer'])).toBeUndefined();
  expect(digestChallenge(['Digest realm="a", nonce="n", algorithm=TOKEN'])).toBeUndefined();
  expect(digestChallenge(['Digest realm="a", nonce="n", qop="auth-int"'])).toBeUndefined();
  expect(digestChallenge(['Digest realm="a"'])).toBeUndefined();
  expect(digestChallenge([`Digest ${'a="'.repeat(20_000)}`])).toBeUndefined();
});
