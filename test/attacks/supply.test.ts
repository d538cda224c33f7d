import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isAllowed } from '../../scripts/supply/licence.ts';
import { lockedPackages, type Locked } from '../../scripts/supply/lock.ts';
import { supplyProblems } from '../../scripts/supply/problems.ts';

/* What a changed lock file could bring in without anybody having looked at it. */

const ROOT = resolve(import.meta.dirname, '../..');
const SOUND = { said: () => undefined, scriptsAreOff: true };

/** The problems that come with one more package, or with another `entry` in place of what is locked of it. */
function problemsWith(folder: string, entry: Locked, options = SOUND): string[] {
  const locked = lockedPackages(ROOT);
  const before = supplyProblems(locked, options);
  locked.set(folder, { ...locked.get(folder), ...entry });
  return supplyProblems(locked, options).filter((problem) => !before.includes(problem));
}

const NEW = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==`, license: 'MIT' };

test.each([
  ['nothing that vouches for its bytes', { integrity: undefined }, 'has no integrity'],
  ['a hash that can be forged', { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }, 'which is no SHA-512'],
  ['another place than the registry', { resolved: 'git+ssh://git@example.com/a.git#1' }, 'take it from the registry'],
  ['an address of its own', { resolved: 'https://example.com/a.tgz' }, 'take it from the registry'],
  ['a folder beside the checkout', { link: true }, 'take it from the registry'],
  ['no licence', { license: undefined }, 'does not say under which licence'],
  ['a licence that passes itself on', { license: 'GPL-3.0-only' }, 'is under GPL-3.0-only'],
  ['such a licence beside another', { license: '(MIT AND AGPL-3.0)' }, 'is under (MIT AND AGPL-3.0)'],
  ['a licence of its own', { license: 'SEE LICENSE IN EULA.md' }, 'is under SEE LICENSE IN EULA.md'],
  ['a script that runs when it is installed', { hasInstallScript: true }, 'has a script that runs'],
] as [string, Locked, string][])('a package with %s is refused', (_what, entry, why) => {
  expect(problemsWith('node_modules/new', { ...NEW, ...entry })).toEqual([expect.stringContaining(why)]);
  expect(problemsWith('node_modules/busboy/node_modules/@new/inside', { ...NEW, ...entry })).toEqual([
    expect.stringContaining(why),
  ]);
});

test('a sound package is not refused, and one of those that are there is when its bytes lose what vouches for them', () => {
  expect(problemsWith('node_modules/new', NEW)).toEqual([]);
  expect(problemsWith('node_modules/zod', { integrity: undefined })).toEqual([expect.stringContaining('zod@')]);
});

test('scripts of packages stay off', () => {
  const problems = supplyProblems(lockedPackages(ROOT), { ...SOUND, scriptsAreOff: false });
  expect(problems).toContainEqual(expect.stringContaining('ignore-scripts=true'));
});

test.each([
  ['MIT', false, true],
  ['(MIT OR GPL-3.0-or-later)', false, true],
  ['GPL-2.0 OR LGPL-2.1', false, false],
  ['MIT AND Zlib', false, true],
  ['MIT AND GPL-2.0 OR GPL-3.0', false, false],
  ['(MIT OR GPL-2.0) AND (GPL-3.0)', false, false],
  ['MPL-2.0', true, true],
  ['MPL-2.0', false, false],
  ['CC0-1.0', true, true],
  ['CC0-1.0', false, false],
  ['MITX', false, false],
  ['', false, false],
])('%j, of a tool: %s, is allowed: %s', (licence, isTool, allowed) =>
  expect(isAllowed(licence, { isTool })).toBe(allowed),
);

test('the lock file of this checkout is as it should be', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/check-supply.ts')]);
  expect(stdout).toContain(', 0 problems');
});
