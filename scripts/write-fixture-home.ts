// Writes test/fixtures/home-0.1: an installation with as many kinds of state as sensible, and what its version says of them.
// It is a record of how that was made: run it with the version whose installation is wanted, on a machine with libfaketime and
// a redis-server, as `node bin/pinned.mjs scripts/write-fixture-home.ts`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { stringify } from 'yaml';
import {
  copyOlderHome,
  CREDENTIALS,
  FOLDER,
  OLDER_HOME,
  questionsTo,
  rewrite,
  SERVICE_SETTINGS,
  type Notes,
} from '../test/support/older-home.ts';

const PROGRAM = fileURLToPath(new URL('../bin/offerline', import.meta.url));
const HOUR = 3_600_000;
/** Stands for the address of the service. */
const ADDRESS = 'http://127.0.0.1:8085';
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
if (library === undefined) throw new Error('This needs libfaketime: install the package faketime.');

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'offerline-home-')));
const delivered: Record<string, number> = {};

// --- its time: that of the machine, moved to a Monday morning, and on from there ---

let ahead = Date.UTC(2025, 2, 3, 6, 0, 0) - Date.now();
const now = () => Date.now() + ahead;

function pass(hours: number): void {
  ahead += hours * HOUR;
  writeFileSync(join(folder, 'offset'), `${Math.floor(ahead / 1000)}\n`);
}

pass(0);
const env: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  NO_COLOR: '1',
  ...CREDENTIALS,
  OFFERLINE_CONFIG: join(folder, 'offerline.yaml'),
  OFFERLINE_HOME: join(folder, 'home'),
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
};

// --- the service, a sandbox in a process of its own ---

async function serve(data: string, env: NodeJS.ProcessEnv) {
  const settings = join(folder, 'settings.json');
  mkdirSync(data, { recursive: true });
  writeFileSync(settings, JSON.stringify(SERVICE_SETTINGS));
  const child = spawn(
    PROGRAM,
    `sandbox --port 0 --json --control --end-with-parent --pace 10ms/30ms --data ${data} --settings ${settings}`.split(
      ' ',
    ),
    { env: { ...env, LOG_LEVEL: 'silent' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const end = () => {
    child.kill('SIGTERM');
    return once(child, 'close');
  };
  return { ...(JSON.parse(line) as { url: string }), end };
}

const service = await serve(join(folder, 'service'), env);
const { url } = service;
env['SERVICE_URL'] = url;

async function fault(what: Record<string, unknown>): Promise<void> {
  // A connection that was kept would be closed by now: the program is waited for without looking at it.
  const headers = { connection: 'close' };
  const body = JSON.stringify({ faults: [what] });
  const reply = await fetch(`${url}/control/faults`, { method: 'PUT', headers, body });
  if (!reply.ok) throw new Error(await reply.text());
}

// --- the program ---

function configure(feeds: string[], deadline = '2h'): void {
  const config = {
    service: {
      baseUrl: '${SERVICE_URL}',
      poll: {
        initial: '20ms',
        max: '200ms',
        settle: '300ms',
        patience: '1s',
        index: '1s',
        watch: '1s',
        stall: '5s',
        deadline,
      },
    },
    worker: { lease: '3s', lock: '2s', stalled: '1s', sweep: '500ms' },
    logins: {
      main: {
        auth: { type: 'basic', user: 'main', password: '${MAIN_PASSWORD}' },
        coalesce: '0s',
        guard: { maxRowDrop: '20%', maxBrandDrop: '60%' },
      },
      west: { auth: { type: 'bearer', token: '${WEST_TOKEN}' }, coalesce: '0s' },
      shared: { auth: { type: 'header', name: 'X-Api-Key', value: '${SHARED_KEY}' }, coalesce: '0s' },
      slow: { auth: { type: 'bearer', token: '${SLOW_TOKEN}' }, coalesce: '0s' },
      closed: { auth: { type: 'bearer', token: 'old' }, coalesce: '0s' },
    },
    feeds: Object.fromEntries(feeds.map((name) => [name, { ...FEEDS[name], source: source(name) }])),
    managers: [
      { email: 'chief@example.com' },
      { email: 'north@example.com', feeds: ['north'], when: ['always'] },
      { email: 'brakes@example.com', feeds: ['south'], brands: ['ATE'], when: ['problem'] },
    ],
  };
  writeFileSync(join(folder, 'offerline.yaml'), stringify(config));
}

const source = (feed: string) => ({ type: 'directory', path: `./inbox/${feed}`, settle: '0s' });

const FEEDS: Record<string, object> = {
  north: { login: 'main', priority: 10, schedule: { cron: '0 6 1 1 *', timezone: 'Europe/Berlin' } },
  south: { login: 'main' },
  gone: { login: 'main' },
  rhein: { login: 'main', columns: { oem: ['Kat-Nr'] } },
  paused: { login: 'main' },
  tardy: { login: 'main', expectEvery: '26h' },
  dry: { login: 'main', expires: '8d' },
  nameless: { login: 'main' },
  inlet: { login: 'main' },
  coast: { login: 'west' },
  hills: { login: 'west' },
  plains: { login: 'shared' },
  lakes: { login: 'slow' },
  marsh: { login: 'closed' },
};

/** Runs the program to its end; `status` is how it must end. */
function offerline(args: string[], status = 0, more: NodeJS.ProcessEnv = {}): string {
  const ended = spawnSync(PROGRAM, args, { cwd: folder, env: { ...env, ...more }, encoding: 'utf8' });
  process.stderr.write(`${new Date(now()).toISOString()} ${args.join(' ')} → ${ended.status}\n`);
  if (ended.status !== status) throw new Error(`${ended.status} instead of ${status}: ${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}

function deliver(feed: string, name: string, content: string | Buffer): void {
  const file = join('inbox', feed, name);
  const at = Math.floor(now() / 1000) * 1000;
  mkdirSync(join(folder, 'inbox', feed), { recursive: true });
  writeFileSync(join(folder, file), content);
  utimesSync(join(folder, file), at / 1000, at / 1000);
  delivered[file] = at;
}

type Answer = { run: string; outcome: string };

/** Ingests a feed, and fails unless it ends as expected; answers with the run. */
function ingest(feed: string, outcome: string, more: NodeJS.ProcessEnv = {}): string {
  const status = { held: 3, rejected: 3, failed: 4 }[outcome] ?? 0;
  const answer = JSON.parse(offerline(['ingest', feed, '--wait', '--json'], status, more)) as Answer;
  if (answer.outcome !== outcome) throw new Error(`${feed}: ${answer.outcome} instead of ${outcome}`);
  return answer.run;
}

/** Lets `up` run until it has swept for so long. */
async function up(seconds: number): Promise<void> {
  const child = spawn(PROGRAM, ['up'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await sleep(seconds * 1000);
  child.kill('SIGTERM');
  await once(child, 'close');
  process.stderr.write(`${new Date(now()).toISOString()} up for ${seconds} s\n`);
}

const rows = (brand: string, count: number, more = '') =>
  Array.from({ length: count }, (_, at) => `${brand};${brand[0]}${at + 1};${more}\n`).join('');
const list = (...parts: string[]) => `brand;oem;name\n${parts.join('')}`;
const WITHOUT_GONE = Object.keys(FEEDS).filter((feed) => feed !== 'gone');

// Monday: the suppliers become live. The service rejects two rows of north; south has rows that cannot be used, duplicates,
// and parts that north offers first.
configure(Object.keys(FEEDS));
deliver('north', 'north-1.csv', list(rows('BOSCH', 20, 'Brake pads'), rows('NO NAME', 2)));
ingest('north', 'partial');
deliver(
  'south',
  'south-1.csv',
  list(rows('ATE', 20, 'Disc'), 'ATE;A1;Disc\n', ';A77;\n', 'ATE;;\n', rows('BOSCH', 2), 'ATE;A2;Other\n'),
);
ingest('south', 'partial');
deliver('gone', 'gone-1.csv', list(rows('SKF', 30)));
ingest('gone', 'live');
deliver('rhein', 'rhein-1.csv', list(rows('MANN', 10), rows('KNECHT', 2)).replace('oem', 'Kat-Nr'));
ingest('rhein', 'live');
deliver('paused', 'paused-1.csv', iconv.encode(list(rows('SACHS', 6, 'Амортизатор задний левый')), 'windows-1251'));
ingest('paused', 'live');
deliver('tardy', 'tardy-1.csv.gz', gzipSync(list(rows('LUK', 5))));
ingest('tardy', 'live');
deliver('dry', 'dry-1.csv', list(rows('VALEO', 4)));
ingest('dry', 'live');
deliver('coast', 'coast-1.csv', list(rows('BREMBO', 6)));
ingest('coast', 'live');
deliver('hills', 'hills-1.csv', list(rows('TRW', 6)));
ingest('hills', 'live');
deliver('plains', 'plains-1.csv', list(rows('FEBI', 4)));
ingest('plains', 'live');
deliver('lakes', 'lakes-1.csv', list(rows('NGK', 4)));
ingest('lakes', 'live');

// Tuesday: unchanged, nothing, rejected for want of a brand, a guard overruled and one obeyed, an upload that the service
// fails, one that it aborts, and what ends them.
pass(24);
ingest('north', 'unchanged');
mkdirSync(join(folder, 'inbox/inlet'), { recursive: true });
ingest('inlet', 'nothing');
deliver('nameless', 'nameless-1.csv', 'oem;name\nB1;Pads\n');
ingest('nameless', 'rejected');
deliver('rhein', 'rhein-2.csv', list(rows('MANN', 11)).replace('oem', 'Kat-Nr'));
offerline(['approve', ingest('rhein', 'held'), '--reason', 'KNECHT was sold', '--wait']);
deliver('rhein', 'rhein-3.csv', list(rows('MANN', 2)).replace('oem', 'Kat-Nr'));
offerline(['reject', ingest('rhein', 'held'), '--reason', 'half a file']);
await fault({ fault: 'fail', error: 'Out of memory' });
deliver('coast', 'coast-2.csv', list(rows('BREMBO', 7)));
ingest('coast', 'failed');
await fault({ fault: 'abort' });
deliver('coast', 'coast-3.csv', list(rows('BREMBO', 8)));
ingest('coast', 'failed');
deliver('coast', 'coast-4.csv', list(rows('BREMBO', 9)));
ingest('coast', 'live');
offerline(['pause', 'paused', '--reason', 'a new system at the supplier']);
offerline(['pause', 'dry', '--reason', 'stock-taking']);
offerline(['resume', 'dry', '--reason', 'stock-taking is over']);

// Wednesday: gone leaves the configuration, and a guard keeps its rows. An upload is accepted an hour late.
pass(24);
configure(WITHOUT_GONE);
await fault({ fault: 'reject-rows', oems: ['A3', 'A4'] });
deliver('north', 'north-2.csv', list(rows('BOSCH', 21, 'Brake pads'), rows('NO NAME', 1)));
ingest('north', 'partial');
await fault({ fault: 'late-accept', after: '1h' });
deliver('plains', 'plains-2.csv', list(rows('FEBI', 5)));
ingest('plains', 'live');
deliver('plains', 'plains-3.csv', list(rows('FEBI', 6)));
ingest('plains', 'live');
pass(2);
await up(6);

// Friday: what was expected did not come, dry expires soon; reminders.
pass(48);
await up(4);

// Saturday, within minutes: a rollback and what it freezes, a file that a guard holds, somebody else's upload, an upload that
// stands still, refused credentials, a mail that cannot be sent, and a run that nobody has begun.
pass(25);
await up(4);
offerline(['rollback', 'west', '--reason', 'wrong prices', '--wait']);
offerline(['release', 'hills', '--reason', 'hills was right']);
deliver('coast', 'coast-5.csv', list(rows('BREMBO', 10)));
ingest('coast', 'held');
deliver('rhein', 'rhein-4.csv', list(rows('MANN', 1)).replace('oem', 'Kat-Nr'));
ingest('rhein', 'held');
await fault({ fault: 'foreign-upload', operation: 'list', login: SERVICE_SETTINGS.logins[2].auth });
await up(4);
await fault({ fault: 'stuck' });
deliver('lakes', 'lakes-2.csv', list(rows('NGK', 5)));
configure(WITHOUT_GONE, '8s');
ingest('lakes', 'failed');
configure(WITHOUT_GONE);
deliver('marsh', 'marsh-1.csv', list(rows('KYB', 3)));
ingest('marsh', 'failed');
await up(4);
deliver('nameless', 'nameless-2.csv', 'oem;name\nB1;Pads\nB2;Pads\n');
const unsent = ingest('nameless', 'rejected', { SMTP_URL: 'smtp://127.0.0.1:1' });
deliver('inlet', 'inlet-1.csv', list(rows('HELLA', 3)));
offerline(['ingest', 'inlet']);
const endedAt = Math.floor(now() / 1000) * 1000;
await service.end();

// --- the fixture: what a backup holds, without this machine's names ---

for (const part of ['answers', 'home', 'inbox', 'service']) {
  rmSync(join(OLDER_HOME, part), { recursive: true, force: true });
}
const keep = (path: string) => cpSync(join(folder, path), join(OLDER_HOME, path), { recursive: true });
// The mail that waits takes its rows from the report of its run.
const parts = ['offerline.yaml', 'inbox', 'home/archive', `home/reports/${unsent}/report.csv`, 'service/files'];
parts.forEach(keep);
globSync('{home/ledger,service/sandbox}.sqlite{,-wal}', { cwd: folder }).forEach(keep);
const who = new RegExp(String.raw`\b${userInfo().username}\b`, 'gu');
const owner = new RegExp(String.raw`\b${hostname()}(?=-\d+-[\da-f]{8}-)`, 'gu');
const nameless = (text: string, address: string) =>
  text.replaceAll(folder, FOLDER).replaceAll(address, ADDRESS).replaceAll(owner, 'host').replaceAll(who, 'ops');
for (const file of ['home/ledger.sqlite', 'service/sandbox.sqlite']) {
  rewrite(join(OLDER_HOME, file), { by: 0, text: (text) => nameless(text, url) });
}
writeFileSync(join(OLDER_HOME, 'notes.json'), `${JSON.stringify({ endedAt, delivered } satisfies Notes, null, 2)}\n`);

// --- what this version answers, of a copy as the test makes one ---

const copied = join(folder, 'copy');
mkdirSync(copied);
const copy = copyOlderHome(copied);
const copyEnv = { PATH: process.env['PATH'], NO_COLOR: '1', ...CREDENTIALS };
const again = await serve(copy.service, copyEnv);
const ask = (args: string[]) => {
  const { stdout, stderr } = spawnSync(PROGRAM, args, {
    cwd: copied,
    env: {
      ...copyEnv,
      OFFERLINE_CONFIG: join(copied, 'offerline.yaml'),
      OFFERLINE_HOME: copy.home,
      SERVICE_URL: again.url,
    },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(nameless(copy.moved(stdout), again.url)) as unknown;
};
const runs = (ask(['runs', '--json', '--limit', '1000']) as Answer[]).map(({ run }) => run);
mkdirSync(join(OLDER_HOME, 'answers'));
for (const [name, args] of Object.entries(questionsTo(runs))) {
  writeFileSync(join(OLDER_HOME, 'answers', `${name}.json`), `${JSON.stringify(ask(args), null, 1)}\n`);
}
await again.end();
rmSync(folder, { recursive: true });
