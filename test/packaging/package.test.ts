import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { utils, write } from '@e965/xlsx';
import { beforeAll, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { packed } from '../support/packed.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const INSTALL = ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--silent'];

let folder = '';
let tarball = '';

beforeAll(async () => {
  tarball = await packed();
  folder = tempFolder();
  await run('npm', [...INSTALL, tarball], { cwd: folder });
});

/** Runs the installed command in an empty folder, without what a checkout has. */
function offerline(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { OFFERLINE_CONFIG: _config, OFFERLINE_HOME: _home, ...env } = process.env;
  return run(join(folder, 'node_modules/.bin/offerline'), args, { cwd: folder, env });
}

test('an installed package does the main job of the demo: sample suppliers go live in the built-in sandbox', async () => {
  const config = ['--config', 'node_modules/offerline/config/offerline.yaml', '--home', 'home'];
  const { stdout } = await offerline('ingest', 'north', '--wait', '--json', ...config);
  const answer = JSON.parse(stdout) as RunAnswer;
  expect(answer).toMatchObject({ outcome: 'partial', sandbox: true, rows: { read: 900, live: 895 } });
  expect(answer.receipt).toMatchObject({ verified: true });
  expect(readFileSync(answer.reports!.html, 'utf8')).toContain('<html lang="en"');
  const russian = await offerline('report', answer.run, '--language', 'ru', '--out', 'bericht.html', ...config);
  expect(russian.stderr).toContain('Written to bericht.html');
  expect((await offerline('status', ...config)).stdout).toContain('login main');
  expect((await offerline('doctor', ...config)).stdout).toContain('Everything can be reached');
});

test('threads, the kernel, the tables of makers and the child for old workbooks have moved along', async () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => `BOSCH;0 986 ${at};Filter number ${at}\n`);
  writeFileSync(join(folder, 'large.csv'), `brand;oem;name\n${rows.join('')}`);
  const large = JSON.parse((await offerline('check', 'large.csv', '--json')).stdout) as RunAnswer;
  expect(large).toMatchObject({ outcome: 'accepted', rows: { accepted: 150_000 } });
  const sheet = utils.aoa_to_sheet([
    ['brand', 'oem'],
    ['BOSCH', '0986424797'],
    ['SKF', 'VKBA6649'],
  ]);
  const book = { SheetNames: ['Offer'], Sheets: { Offer: sheet } };
  writeFileSync(join(folder, 'old.xls'), write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer);
  const old = JSON.parse((await offerline('check', 'old.xls', '--json')).stdout) as RunAnswer;
  expect(old).toMatchObject({ outcome: 'accepted', dialect: { format: 'xls', sheet: 'Offer' }, rows: { accepted: 2 } });
});

test('every address of a module in the package leads to a file that is there', () => {
  const root = join(folder, 'node_modules/offerline');
  const addresses = globSync('dist/src/**/*.js', { cwd: root }).flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    return [...code.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/gu)].map(([, to]) =>
      join(root, file, '..', to!),
    );
  });
  expect(addresses.length).toBeGreaterThan(20);
  expect(addresses.filter((path) => globSync(path.endsWith('/') ? path.slice(0, -1) : path).length === 0)).toEqual([]);
});

test('installed globally, the command is there', async () => {
  const prefix = tempFolder();
  await run('npm', [...INSTALL, '--global', '--prefix', prefix, tarball]);
  const program = join(prefix, 'bin/offerline');
  expect((await run(program, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  writeFileSync(join(prefix, 'a.csv'), 'brand;oem\nBOSCH;0986424797\n');
  expect((await run(program, ['detect', join(prefix, 'a.csv')])).stdout).toContain('utf-8');
});
