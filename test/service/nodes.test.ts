import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { OLDEST_NODE } from '../../src/service/http/needs-node.ts';
import { inCi } from '../support/programs.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { installed } from './installed.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** Fetched by npm for `npm run test:nodes` and in CI: one that is too old, the oldest that is not, and others of long support. */
const OTHERS = inCi || process.env['OFFERLINE_NODES'] === 'all' ? ['20.20.2', OLDEST_NODE, '22.23.3', '26.10.0'] : [];

type Node = { version: string; file: string };

/** Every Node that this machine has, each version once: that of the tests, and those on the PATH. */
async function nodesHere(): Promise<Node[]> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const files = new Set(
    [process.execPath, ...onPath].filter((file) => existsSync(file)).map((file) => realpathSync(file)),
  );
  const all = await Promise.all([...files].map(nodeOf));
  return [...new Map(all.map((node) => [node.version, node])).values()];
}

async function nodeOf(file: string): Promise<Node> {
  const { stdout } = await run(file, ['--version']);
  return { version: stdout.trim().slice(1), file };
}

/** A Node that npm has as a package for this platform. */
async function fetched(version: string): Promise<Node> {
  const folder = tempFolder();
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  writeFileSync(join(folder, 'package.json'), '{}');
  const settings = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...settings, `${name}@${version}`], { cwd: folder });
  return nodeOf(join(folder, 'node_modules', name, 'bin/node'));
}

const isOld = ({ version }: Node) => version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0;

const nodes = [...(await nodesHere()), ...(await Promise.all(OTHERS.map(fetched)))];
const [tooOld, supported] = [nodes.filter(isOld), nodes.filter((node) => !isOld(node))];

/** Searches and asks the catalog in both forms, so that every library is loaded. */
const USE = `
  const use = async ({ createService }) => {
    for (const catalogForm of ['rest', 'command']) {
      const service = createService({ baseUrl: process.argv[2], catalogForm });
      const [vehicle] = await service.catalog.findVehicle({ identString: 'YX9ZZZF1ACN104813' });
      await service.search.search.toArray({ query: 'pad' }, { limit: 1 });
      const { id } = await service.offers.process({ path: process.argv[3] });
      const { state } = await service.offers.waitUntilProcessed({ offerId: id });
      console.log(catalogForm, vehicle.name, state);
    }
  };`;

let folder = '';
let url = '';

beforeAll(async () => {
  folder = await installed();
  ({ url } = await sandboxForTest());
  writeFileSync(join(folder, 'portfolio.txt'), 'brand\toem\tname\ttags\nBOSCH\t0986\tPad\tfront\n');
  writeFileSync(join(folder, 'by-import.mjs'), `import * as client from 'offerline/service';${USE} await use(client);`);
  writeFileSync(join(folder, 'by-require.cjs'), `const client = require('offerline/service');${USE} void use(client);`);
  writeFileSync(
    join(folder, 'by-both.mjs'),
    `import { createRequire } from 'node:module';
     import * as imported from 'offerline/service';
     const required = createRequire(import.meta.url)('offerline/service');
     console.log(Object.keys(imported).every((name) => imported[name] === required[name]), Object.keys(imported).length);`,
  );
});

/** Each Node with each program. */
const withPrograms = (all: Node[]) =>
  all.flatMap(({ version, file }) =>
    ['by-import.mjs', 'by-require.cjs'].map((program) => ({ version, file, program })),
  );

const played = (node: Node, program: string) =>
  run(node.file, [program, url, join(folder, 'portfolio.txt')], { cwd: folder });

test('the Node of the tests is one of them', () => {
  expect(supported.map(({ version }) => version)).toContain(process.versions.node);
});

test.each(withPrograms(supported))(
  'the packed client works under Node $version, $program',
  async ({ program, ...node }) => {
    const { stdout, stderr } = await played(node, program);
    expect(stdout).toMatch(/^rest Fjell 1\.6 success\ncommand Fjell 1\.6 success\n$/u);
    expect(stderr).not.toMatch(/error/iu);
  },
);

test.each(supported)('both ways give the same functions under Node $version', async (node) => {
  expect((await played(node, 'by-both.mjs')).stdout).toMatch(/^true [1-9]/u);
});

test.each(withPrograms(tooOld))('it says what it needs under Node $version, $program', async ({ program, ...node }) => {
  const failure = played(node, program);
  const why = `offerline/service needs Node ${OLDEST_NODE} or newer; this is Node ${node.version}.`;
  await expect(failure).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(why) as string });
});

test('engines lets the program start where only Node 20 is, and the page names what the client needs', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('>=20');
  const page = readFileSync(join(root, 'docs/service-client.md'), 'utf8');
  expect(page).toContain(`Node ${OLDEST_NODE.replace(/\.0$/u, '')} or newer`);
});
