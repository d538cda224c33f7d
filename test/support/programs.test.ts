import { expect, test } from 'vitest';
import { searchPath } from '../../src/config/search-path.ts';
import { findBinary } from '../../src/jobs/redis/binary.ts';
import { findProgram, lacks } from './programs.ts';

const covered = process.env['OFFERLINE_BARE'];

test('a program is found by its name, and one that is not there is not', () => {
  expect(findProgram('sh')).toMatch(/^\/.*\/sh$/);
  expect(findProgram('no-such-program')).toBeUndefined();
});

test('a missing program lets a test be skipped, but never in CI', () => {
  expect(lacks('sh')).toBe(false);
  expect(lacks('sh', 'no-such-program')).toBe((process.env['CI'] ?? '') === '');
});

test.runIf(covered !== undefined)(
  'on a bare machine neither the tests nor the program see what is covered',
  async () => {
    expect(covered?.split(' ').map((name) => findProgram(name))).toEqual(covered?.split(' ').map(() => undefined));
    expect((await findBinary(searchPath())).binary).toBeNull();
  },
);
