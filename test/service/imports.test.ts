import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { assertNode, OLDEST_NODE } from '../../src/service/http/needs-node.ts';

const root = resolve(import.meta.dirname, '../..');
const ENTRY = join(root, 'src/service/service.ts');

/** What the client stands on besides its own room: how settings are spelled, errors and texts, none of it a part of the worker. */
const GROUND = /^src\/(service|wording|config\/(read|schema|secrets)|io)\/|^src\/(errors|clock|trace)\.ts$/;
/** The libraries that a program with the client loads; the API for traces only where that program has loaded an SDK for them. */
const LIBRARIES = ['@opentelemetry/api', 're2js', 'saxes', 'undici', 'zod'];
/** Modules of Node by which a program would start others, open a database or listen. */
const OUT_OF_PLACE = [
  'node:child_process',
  'node:cluster',
  'node:http',
  'node:net',
  'node:sqlite',
  'node:worker_threads',
];

/** What a file loads when it runs, at once or later: imports of types are gone by then. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const isLoaded = (entries: { isType: boolean }[]) => entries.length === 0 || entries.some(({ isType }) => !isType);
  return [
    ...staticImports.filter(({ entries }) => isLoaded(entries)).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ isType, moduleRequest }) => (isType || moduleRequest === null ? [] : [moduleRequest.value])),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
}

/** Every file of ours that the entry loads, and every name of what is not ours. */
function loadedBy(entry: string): { files: string[]; modules: string[] } {
  const files = new Set([entry]);
  const modules = new Set<string>();
  for (const file of files) {
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name));
      else modules.add(name);
    }
  }
  return { files: [...files].map((file) => relative(root, file)).sort(), modules: [...modules].sort() };
}

const loaded = loadedBy(ENTRY);

test('the client imports nothing of the worker', () => {
  expect(loaded.files).toContain('src/service/command/command.ts');
  expect(loaded.files.filter((file) => !GROUND.test(file))).toEqual([]);
});

test('it loads few libraries, and nothing of Node that a client has no use for', () => {
  const isOfNode = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
  expect(loaded.modules.filter((name) => !isOfNode(name))).toEqual(LIBRARIES);
  expect(loaded.modules.filter((name) => OUT_OF_PLACE.includes(name))).toEqual([]);
});

test('a file of the worker is found where it is loaded, however deep', () => {
  const { files, modules } = loadedBy(join(root, 'src/app/open-service.ts'));
  expect(files.filter((file) => !GROUND.test(file))).not.toEqual([]);
  expect(modules).not.toEqual(loaded.modules);
});

test('the client asks for the oldest Node that its libraries run under', () => {
  const enginesOf = (folder: string) =>
    (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { engines?: { node?: string } }).engines;
  const needed = LIBRARIES.map((name) => (enginesOf(`node_modules/${name}`)?.node ?? '>=0').replace(/^>=\s*v?/u, ''));
  const newest = needed.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  expect(OLDEST_NODE).toBe(newest);
});

test.each([
  ['20.20.2', false],
  ['22.9.0', false],
  ['22.18.9', false],
  ['22.19.0', true],
  ['22.19.0-nightly', true],
  ['22.100.0', true],
  ['24.0.0', true],
  ['100.0.0', true],
])('Node %s: %s', (version, isNewEnough) => {
  const why = `offerline/service needs Node ${OLDEST_NODE} or newer; this is Node ${version}.`;
  const said = (() => {
    try {
      return assertNode(version);
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(said).toBe(isNewEnough ? undefined : why);
});
