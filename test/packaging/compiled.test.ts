import {
  chmodSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placesOf, readCompiled, writeCompiled } from '../../scripts/package/start/compiled.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NAME = join('build-1', 'cli.bin');
const SCRIPTS = new Map([
  ['a.cjs', Buffer.from('abc')],
  ['b.cjs', Buffer.from('0123456789')],
]);

test('what the environment names comes first, then what was made for this user, then what is beside the program', () => {
  expect(placesOf('/p', { NODE_COMPILE_CACHE: '/set', HOME: '/home/u' })).toEqual({
    read: ['/set', '/home/u/.cache/offerline', '/p/compiled'],
    write: ['/set', '/p/compiled', '/home/u/.cache/offerline'],
  });
  expect(placesOf('/p', { XDG_CACHE_HOME: '/cache', HOME: '/home/u' }).read).toEqual([
    '/cache/offerline',
    '/p/compiled',
  ]);
  expect(placesOf('/p', { HOME: '' })).toEqual({ read: ['/p/compiled'], write: ['/p/compiled'] });
});

test('what was written is read again, each piece at an address that V8 likes', () => {
  const places = placesOf(tempFolder(), {});
  writeCompiled(places, NAME, () => ({ writes: 2, scripts: SCRIPTS }));
  const read = readCompiled(places, NAME);
  expect(read).toEqual({ writes: 2, scripts: SCRIPTS });
  const offsets = [...read!.scripts.values()].map(({ byteOffset }) => byteOffset % 8);
  expect(new Set(offsets).size).toBe(1);
  expect(globSync('compiled/build-1/*', { cwd: join(places.write[0]!, '..') })).toEqual(['compiled/build-1/cli.bin']);
});

test('everybody may read it, whatever the umask of who wrote it', () => {
  const places = placesOf(tempFolder(), {});
  const before = process.umask(0o077);
  writeCompiled(places, NAME, () => ({ writes: 1, scripts: SCRIPTS }));
  process.umask(before);
  const file = join(places.write[0]!, NAME);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  for (const folder of [join(file, '..'), places.write[0]!]) expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test.each([0, 10, -1])('a file that was cut to %i bytes counts as none', (length) => {
  const places = placesOf(tempFolder(), {});
  writeCompiled(places, NAME, () => ({ writes: 1, scripts: SCRIPTS }));
  const file = join(places.write[0]!, NAME);
  truncateSync(file, length < 0 ? readFileSync(file).length + length : length);
  expect(readCompiled(places, NAME)).toBeNull();
});

test('where the first place cannot be written the next one is, and where none can nothing is made', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'compiled'), 'Not a folder.');
  const cache = tempFolder();
  writeCompiled(placesOf(folder, { XDG_CACHE_HOME: cache }), NAME, () => ({ writes: 1, scripts: SCRIPTS }));
  expect(globSync('**/*.bin', { cwd: cache })).toEqual(['offerline/build-1/cli.bin']);
  writeCompiled(placesOf(folder, {}), NAME, () => expect.unreachable());
});

test('one place is enough', () => {
  const cache = tempFolder();
  writeCompiled(placesOf(tempFolder(), { XDG_CACHE_HOME: cache }), NAME, () => ({ writes: 1, scripts: SCRIPTS }));
  expect(globSync('**', { cwd: cache })).toEqual(['.']);
});

test('what older versions left is removed after a month, and nothing else', () => {
  const places = placesOf(tempFolder(), {});
  const [place] = places.write as [string];
  const old = new Date(Date.now() - 31 * 86_400_000);
  for (const name of ['build-old', 'build-young', 'mine']) mkdirSync(join(place, name), { recursive: true });
  for (const name of ['build-old', 'mine']) utimesSync(join(place, name), old, old);
  chmodSync(place, 0o700);
  writeCompiled(places, NAME, () => ({ writes: 1, scripts: SCRIPTS }));
  expect(globSync('*', { cwd: place }).sort()).toEqual(['build-1', 'build-young', 'mine']);
});
