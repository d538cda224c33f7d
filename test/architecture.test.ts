import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

/** Folders of src/ and what each may import, apart from the ground that everything stands on. */
const STAGES = ['pull', 'detect', 'validate', 'compose', 'upload', 'report', 'notify'];
const GROUND = [
  'model.ts',
  'errors.ts',
  'redact.ts',
  'escapes.ts',
  'foreign-text.ts',
  'printable.ts',
  'dictionary.ts',
  'causes',
  'incidents.ts',
  'log.ts',
  'clock.ts',
  'due.ts',
  'context.ts',
  'lines.ts',
  'part-key.ts',
  'part-set.ts',
  'part-hash.ts',
  'offer-file.ts',
  'text-decode.ts',
  'text-writer.ts',
  'thread.ts',
  'show-url.ts',
  'byte-kind.ts',
  'replace-file.ts',
  'words.ts',
  'diff-words.ts',
  'side-by-side.ts',
  'advice.ts',
  'home.ts',
  'now-words.ts',
  'account.ts',
  'html.ts',
  'config',
];
const SHARED = ['ledger', 'archive', 'service'];

type Import = { file: string; from: string; to: string };

const imports = globSync('src/**/*.ts').flatMap(importsOf);

test('stages import neither each other nor what is above them', () => {
  expect(
    wrong(
      (place) => STAGES.includes(place),
      (place, to) => to === place || [...GROUND, ...SHARED].includes(to),
    ),
  ).toEqual([]);
});

test('ledger, archive, service and configuration stand on the ground only', () => {
  const allowed = (place: string, to: string) => to === place || GROUND.includes(to);
  expect(wrong((place) => [...SHARED, 'config'].includes(place), allowed)).toEqual([]);
});

test('the model imports nothing, the errors only what hides credentials in them', () => {
  const allowed: Record<string, string[]> = { 'errors.ts': ['redact.ts'], 'redact.ts': ['escapes.ts'] };
  expect(
    wrong(
      (place) => ['model.ts', 'errors.ts', 'redact.ts', 'escapes.ts'].includes(place),
      (place, to) => allowed[place]?.includes(to) === true,
    ),
  ).toEqual([]);
});

test('jobs import stages, never the command line', () => {
  expect(
    wrong(
      (place) => place === 'jobs',
      (_place, to) => !['cli', 'sandbox'].includes(to),
    ),
  ).toEqual([]);
});

test('the sandbox shares no code with the client side', () => {
  const allowed = ['sandbox', 'errors.ts', 'html.ts', 'log.ts'];
  expect(
    wrong(
      (place) => place === 'sandbox',
      (_place, to) => allowed.includes(to),
    ),
  ).toEqual([]);
});

test('only jobs import BullMQ, only the ledger speaks SQL', () => {
  expect(users('bullmq').filter((place) => place !== 'jobs')).toEqual([]);
  expect(users('kysely').filter((place) => place !== 'ledger')).toEqual([]);
  expect(users('node:sqlite').filter((place) => !['ledger', 'sandbox'].includes(place))).toEqual([]);
});

test('only the configuration and the command line read the environment', () => {
  const readers = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('process.env'));
  expect(readers.filter((file) => !/^src\/(config|cli)\//.test(file) && file !== 'src/builtin-sandbox.ts')).toEqual([]);
});

test('only the archive opens its files: everybody else is given bytes that are verified', () => {
  const openers = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('unverifiedPath'));
  expect(openers.filter((file) => !/^src\/archive\/(kept-file|folder)\.ts$/.test(file))).toEqual([]);
});

test('every relative import names a file of the repository', () => {
  const missing = imports.filter(({ to }) => to.startsWith('src/') && !globSync(to).length);
  expect(missing).toEqual([]);
});

/** Everywhere that npm is, or something whose use can only be tried: the machine may forbid it. */
const ALWAYS_TRIED = ['id', 'mkfifo', 'ps', 'mount', 'umount', 'unshare'];

test('a test that starts a program of the machine asks test/support/programs.ts for it', () => {
  const silent = globSync('test/**/*.ts').filter((file) => {
    const text = readFileSync(file, 'utf8');
    const started = text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync)\)?\(\s*'([^'/]+)'/g);
    const unasked = [...started].filter(([, name = '']) => !ALWAYS_TRIED.includes(name));
    return unasked.length > 0 && !text.includes("/programs.ts'");
  });
  expect(silent).toEqual([]);
});

/** Imports of the places that `of` picks which `allowed` does not allow, written so that the failure can be read. */
function wrong(of: (place: string) => boolean, allowed: (place: string, to: string) => boolean): string[] {
  return imports
    .filter(({ to }) => to.startsWith('src/'))
    .map(({ file, to }) => ({ file, place: placeOf(file), target: placeOf(to), to }))
    .filter(({ place, target }) => of(place) && !allowed(place, target))
    .map(({ file, to }) => `${file} imports ${to}`);
}

function users(module: string): string[] {
  return [...new Set(imports.filter(({ from }) => from === module).map(({ file }) => placeOf(file)))];
}

/** The folder of src/ that a file is in, or the file's own name at the top. */
function placeOf(path: string): string {
  return path.split('/')[1] ?? path;
}

function importsOf(file: string): Import[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  const spoken = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap((e) => (e.moduleRequest ? [e.moduleRequest.value] : [])),
    ),
    ...dynamicImports(file),
  ];
  return spoken.map((from) => ({
    file,
    from,
    to: from.startsWith('.') ? normalize(join(dirname(file), from)) : from,
  }));
}

function dynamicImports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\bimport\(\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}
