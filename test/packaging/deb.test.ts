import { execFile } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sbom } from '../../scripts/package/sbom.ts';
import { VERSION } from '../../src/version.ts';
import type { RunAnswer } from '../../src/model.ts';
import { packed } from '../support/packed.ts';
import { findProgram, inCi, lacks } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const BUILD = resolve(import.meta.dirname, '../../packaging/build-deb');
/** Nobody's machine gets a package by its tests; one that is there for CI does. */
const installs = inCi && process.getuid?.() === 0;

const builds = !lacks('dpkg-deb', 'npm');

let root = '/';

beforeAll(async () => {
  if (!builds) return;
  const folder = tempFolder();
  await run(BUILD, [folder, (await packed()).folder]);
  const [file = ''] = globSync(join(folder, 'offerline_*.deb'));
  if (installs) return void (await run('dpkg', ['--install', file]));
  root = join(folder, 'root');
  await run('dpkg-deb', ['--extract', file, root]);
});

afterAll(async () => {
  if (installs) await run('dpkg', ['--purge', 'offerline']);
});

/** Runs the package's command, as its user where it is installed; answers with all that it says. */
async function offerline(...args: string[]): Promise<string> {
  const as = installs ? ['runuser', '-u', 'offerline', '--'] : [];
  const [program = '', ...rest] = [...as, join(root, 'usr/bin/offerline'), ...args];
  const { OFFERLINE_CONFIG: _config, OFFERLINE_HOME: _home, ...env } = process.env;
  const { stdout, stderr } = await run(program, rest, { cwd: '/', env });
  return stdout === '' ? stderr : stdout;
}

test.skipIf(!builds)('a Debian package is built, and the program in it does its main job', async () => {
  expect(await offerline('--version')).toBe(`${VERSION}\n`);
  expect(await offerline('config', 'check', '--config', join(root, 'etc/offerline/offerline.yaml'))).toContain(
    'is valid',
  );
  expect(existsSync(join(root, 'usr/share/doc/offerline/docs/tutorial.md'))).toBe(true);
  expect(existsSync(join(root, 'lib/systemd/system/offerline.service'))).toBe(true);
  const beside = globSync('usr/lib/offerline/node_modules/**', { cwd: root, withFileTypes: true });
  expect(
    beside
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['LICENSE', 'node', 'package.json']);
  expect(existsSync(join(root, 'usr/share/doc/offerline/THIRD-PARTY-LICENSES'))).toBe(true);
  const sbom = JSON.parse(readFileSync(join(root, 'usr/share/doc/offerline/sbom.cdx.json'), 'utf8')) as Sbom;
  const nodes = sbom.components.filter(({ type }) => type === 'platform');
  expect(nodes).toMatchObject([{ name: expect.stringMatching(/^node-linux-/u) as string, scope: 'required' }]);

  const shop = tempFolder();
  mkdirSync(join(shop, 'inbox'));
  writeFileSync(join(shop, 'inbox/a.csv'), 'brand;oem;name\nBOSCH;0986424797;Brake pads\n');
  const feeds = { north: { login: 'main', source: { type: 'directory', path: 'inbox' } } };
  writeFileSync(join(shop, 'offerline.yaml'), JSON.stringify({ logins: { main: {} }, feeds }));
  chmodSync(shop, 0o777);
  const where = ['--config', join(shop, 'offerline.yaml'), '--home', join(shop, 'home')];
  const answer = JSON.parse(await offerline('ingest', 'north', '--wait', '--json', ...where)) as RunAnswer;
  expect(answer).toMatchObject({ outcome: 'live', receipt: { verified: true } });
});

test.skipIf(!builds)('what its Node compiles comes along, so that nobody has to be able to write it', async () => {
  const program = join(root, 'usr/lib/offerline/program');
  const names = globSync('compiled/build-*/*.bin', { cwd: program }).map((file) => basename(file));
  expect(names).toEqual(expect.arrayContaining(['cli-main.check.bin', 'cli-main.help.bin', 'cli-main.runs.bin']));
});

test.skipIf(!installs)('an installed package has its user, and lets nobody else read its secrets', async () => {
  const { stdout } = await run('id', ['-un', String(statSync(join(root, 'var/lib/offerline')).uid)]);
  expect(stdout.trim()).toBe('offerline');
  expect(statSync(join(root, 'etc/offerline/secrets')).mode & 0o777).toBe(0o750);
});

test.skipIf(findProgram('systemd-analyze') === undefined || !installs)('systemd accepts the unit', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', '/lib/systemd/system/offerline.service']);
  expect(stderr).toBe('');
});
