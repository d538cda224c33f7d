import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

/** The rooms and files of src/, from the ground up. Each may import what is below it; only rooms of one line that is marked may import each other. */
const LAYERS = [
  ['model'],
  ['model.ts', 'version.ts', 'gauge.ts', 'unicode-pattern.ts', 'remembered.ts', 'trace.ts'],
  ['errors.ts', 'wording', 'incidents.ts'],
  ['log-words.ts'],
  ['log.ts', 'clock.ts', 'calendar', 'io', 'parts', 'columns', 'values', 'threads', 'documentation'],
  ['config', 'archive', 'tables'],
  ['ledger', 'service', 'explain'],
  ['notify'],
  ['context.ts'],
  ['pull', 'detect', 'validate', 'signals', 'compose', 'upload', 'report', 'backup'],
  ['app', 'access'],
  ['jobs'],
  ['web'],
  ['cli'],
];

/** Errors hide credentials, and what is said of incidents is worded beside what is said of runs. */
const INTERWOVEN = ['errors.ts', 'wording', 'incidents.ts'];

/** The rooms of src/jobs, from the ground up. */
const JOBS = [
  'redis',
  'read',
  'workers',
  'logins',
  'archive',
  'findability',
  'feeds',
  'push',
  'guards',
  'queries',
  'dossier',
  'propose',
  'rows',
  'alerts',
  'hooks',
  'decisions',
  'settle',
  'watch',
  'run',
  'lane',
  'maintenance',
  'restored',
  'queue',
  'rehearse',
  'trial',
  'doctor',
  'standing',
];

type Import = { file: string; from: string; to: string };

const imports = globSync('src/**/*.ts').flatMap(importsOf);

test('imports point one way, from the command line to the model', () => {
  const layer = (place: string) => LAYERS.findIndex((places) => places.includes(place));
  const allowed = (place: string, to: string) =>
    to === place || layer(to) < layer(place) || (INTERWOVEN.includes(place) && INTERWOVEN.includes(to));
  const places = [...new Set(imports.map(({ file }) => placeOf(file)))];
  expect(places.filter((place) => layer(place) < 0)).toEqual(['sandbox']);
  expect(
    wrong(
      (place) => !['sandbox', 'cli'].includes(place),
      (place, to) => layer(to) >= 0 && allowed(place, to),
    ),
  ).toEqual([]);
});

test('the rooms of jobs build on one another in one order', () => {
  const rank = (path: string) => JOBS.indexOf(path.split('/')[2] ?? '');
  const inJobs = imports.filter(({ file, to }) => file.startsWith('src/jobs/') && to.startsWith('src/jobs/'));
  expect(
    globSync('src/jobs/*', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...JOBS].sort());
  expect(inJobs.filter(({ file, to }) => rank(to) > rank(file)).map(({ file, to }) => `${file} imports ${to}`)).toEqual(
    [],
  );
});

test('no file imports itself by way of others', () => {
  expect(circles()).toEqual([]);
});

test('a room has at most 16 files', () => {
  const files = globSync(['src/**/*', 'scripts/**/*'], { withFileTypes: true }).filter((entry) => entry.isFile());
  const rooms = Map.groupBy(files, ({ parentPath }) => relative('.', parentPath));
  expect(
    [...rooms].filter(([, files]) => files.length > 16).map(([room, files]) => `${room}: ${files.length}`),
  ).toEqual([]);
});

test('a file of a few lines that serves one file of its room is part of it', () => {
  const ownThread = (file: string) =>
    globSync('src/**/*.ts').some((other) => readFileSync(other, 'utf8').includes(`new URL('./${basename(file)}'`));
  const small = globSync('src/**/*.ts').filter((file) => {
    const users = new Set(imports.filter(({ to }) => to === file).map((entry) => entry.file));
    const [user = ''] = users;
    const lines = readFileSync(file, 'utf8').split('\n').length - 1;
    return lines < 25 && users.size === 1 && dirname(user) === dirname(file) && !ownThread(file);
  });
  expect(small).toEqual([]);
});

test('the sandbox shares no code with the client side', () => {
  const allowed = ['sandbox', 'errors.ts', 'log.ts', 'wording'];
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

test('only the ledger asks its tables, and nothing else parses JSON that is not a file or a reply', () => {
  const holding = (pattern: RegExp) =>
    globSync('src/**/*.ts').filter((file) => pattern.test(readFileSync(file, 'utf8')));
  const asking = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/;
  expect(holding(asking).filter((file) => !file.startsWith('src/ledger/'))).toEqual([]);
  // Rows come with values; what is parsed here is a file.
  const files = ['src/jobs/redis/record.ts', 'src/jobs/archive/stored-lines.ts', 'src/jobs/queries/reports-here.ts'];
  const parsing = holding(/JSON\.parse\(/).filter((file) =>
    /^src\/(jobs|cli\/queries|upload\/protocol|ledger)\//.test(file),
  );
  const inLedger = ['src/ledger/schema/json-plugin.ts', 'src/ledger/alerts/notes.ts'];
  expect(parsing.filter((file) => ![...files, ...inLedger].includes(file))).toEqual([]);
});

test('only the configuration and the command line read the environment', () => {
  const readers = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('process.env'));
  expect(readers.filter((file) => !/^src\/(config|cli)\//.test(file))).toEqual([]);
});

test('only the archive opens its files: everybody else is given bytes that are verified', () => {
  const openers = globSync('src/**/*.ts').filter((file) => readFileSync(file, 'utf8').includes('unverifiedPath'));
  expect(openers.filter((file) => !/^src\/archive\/(kept-file|folder|damage|s3\/[\w-]+)\.ts$/.test(file))).toEqual([]);
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

/** Files that import one another in a circle, types included; each circle once, by its strongly connected files. */
function circles(): string[][] {
  const next = Map.groupBy(imports, ({ file }) => file);
  const reach = (start: string) => {
    const met = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const { to } of next.get(file) ?? []) {
        if (!met.has(to) && met.add(to)) open.push(to);
      }
    }
    return met;
  };
  const reached = new Map([...next.keys()].map((file) => [file, reach(file)]));
  const inCircles = [...reached].filter(([file, met]) => met.has(file)).map(([file]) => file);
  const grouped = Map.groupBy(inCircles, (file) =>
    inCircles.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)).join(),
  );
  return [...grouped.values()];
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

/** The rooms and files of each of these folders, from the ground up: nobody imports what stands above. */
const ROOMS: Record<string, string[]> = {
  'src/sandbox': [
    'store.ts',
    'settings.ts',
    'clock.ts',
    'duration.ts',
    'later.ts',
    'http',
    'logins.ts',
    'ssd.ts',
    'arrivals.ts',
    'reference',
    'faults',
    'calls',
    'offers',
    'vehicles',
    'search',
    'catalog',
    'openapi',
    'page',
    'control.ts',
    'service.ts',
    'server.ts',
  ],
  'src/service': [
    'xml',
    'http',
    'fingerprint.ts',
    'operation',
    'hooks.ts',
    'client.ts',
    'command',
    'call',
    'options.ts',
    'check-options.ts',
    'offers',
    'search',
    'vehicles',
    'catalog',
    'operations.ts',
    'service.ts',
  ],
  'src/config': [
    'search-path.ts',
    'loopback.ts',
    'networks.ts',
    'read',
    'secrets',
    'schema',
    'supplier.ts',
    'local-users.ts',
    'public-origin.ts',
    'serves.ts',
    'parse',
    'brands',
    'row-rules',
    'holiday-files.ts',
    'rules',
    'show',
    'learned',
    'warnings.ts',
    'load.ts',
    'tried-settings.ts',
  ],
};

test.each(Object.entries(ROOMS))('the rooms of %s build on one another in one order', (folder, rooms) => {
  const rank = (path: string) => rooms.indexOf(path.slice(folder.length + 1).split('/')[0] ?? '');
  const inside = imports.filter(({ file, to }) => file.startsWith(`${folder}/`) && to.startsWith(`${folder}/`));
  expect(
    globSync(`${folder}/*`, { withFileTypes: true })
      .map(({ name }) => name)
      .filter((name) => !name.endsWith('.md'))
      .sort(),
  ).toEqual([...rooms].sort());
  expect(inside.filter(({ file, to }) => rank(to) > rank(file)).map(({ file, to }) => `${file} imports ${to}`)).toEqual(
    [],
  );
});

test('no two migrations have the same number', () => {
  const numbers = globSync('src/ledger/migrations/**/[0-9]*.ts').map((file) => basename(file).slice(0, 3));
  expect(numbers.filter((number, at) => /^\d{3}$/.test(number) && numbers.indexOf(number) !== at)).toEqual([]);
});

/** Tests in which time that passes is not luck: harm strikes at a random moment, a limit ends what hangs, a lock is held. */
const MAY_SLEEP = [
  'test/e2e/soak.test.ts',
  'test/e2e/machine-histories.test.ts',
  'test/e2e/machines/random-harms.ts',
  'test/e2e/faults/cell.ts',
  'test/e2e/pull-faults/cell.ts',
];

test('no test waits a while and hopes: test/support asks until something has happened', () => {
  const sleepers = globSync('test/**/*.ts').filter(
    (file) =>
      !file.startsWith('test/support/') &&
      /import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'/.test(readFileSync(file, 'utf8')),
  );
  expect(sleepers.filter((file) => !MAY_SLEEP.includes(file))).toEqual([]);
});
