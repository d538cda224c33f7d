import { describe, expect, test } from 'vitest';
import { assertPassword, hashPassword, verifyPassword } from '../../../src/access/passwords/password.ts';

describe('a password', () => {
  test('is known by a hash that tells its cost, another one each time', async () => {
    const [one, other] = await Promise.all([hashPassword('four words and more'), hashPassword('four words and more')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/u);
    expect(one).not.toBe(other);
    expect(await verifyPassword('four words and more', one)).toEqual({ isRight: true, rehash: false });
    expect(await verifyPassword('four words and more.', one)).toEqual({ isRight: false, rehash: false });
  });

  test('is the same however its letters are composed', async () => {
    const hash = await hashPassword('übergroße Schlüssel');
    expect((await verifyPassword('übergroße Schlüssel'.normalize('NFD'), hash)).isRight).toBe(true);
  });

  test('is as long as a person can type, whatever letters it has', async () => {
    const longest = Array.from({ length: 1024 }, (_, at) => String.fromCodePoint(0x1f400 + (at % 60))).join('');
    assertPassword(longest, 'anna');
    const hash = await hashPassword(longest);
    expect((await verifyPassword(longest, hash)).isRight).toBe(true);
    expect((await verifyPassword(`${longest}!`, hash)).isRight).toBe(false);
  });

  test('of nobody is never right', async () => {
    expect(await verifyPassword('', null)).toMatchObject({ isRight: false });
  });

  test.each([
    ['short', 'has 5 characters'],
    ['x'.repeat(1025), 'has 1025 characters; 1024 is the limit'],
    ['annaannaanna', 'repeats a few characters'],
    ['administrator1', 'is little more than the name'],
    ['passwordpassword', 'is one that everybody tries'],
    ['123456789012', 'is one that everybody tries'],
    ['administratorAdministratorADMINISTRATOR', 'is one that everybody tries'],
    ['P@ssw0rd-2024', 'is one that everybody tries'],
    ['qwertzuiop123', 'is one that everybody tries'],
    ['йцукенйцукен', 'is one that everybody tries'],
    ['letmeinletmein!!', 'is one that everybody tries'],
  ])('%.20s is refused', (password, why) => {
    expect(() => assertPassword(password, 'administrator')).toThrow(why);
  });
});
