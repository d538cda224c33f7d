/**
 * Measures the console of a large installation (20,000 runs, 200 feeds, 1,000 open incidents) over loopback: `npm run bench:web -- [ROUNDS]`
 * (20). Eight clients ask for every page; then 500 pages are followed; then every page is asked for once more beside hooks that hang, open pages of
 * suppliers and a slow provider. Results go to bench/web-results.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOORS, serveDoors } from './web/doors.ts';
import { configure, fillHome, LARGE } from './web/fill-ledger.ts';
import { measuredPages, type MeasuredPage } from './web/pages.ts';
import { serveConsole, type Served } from './web/served.ts';

const CLIENTS = 8;
const STREAMS = 500;
/** More connections of one address at once, before anybody is known by them, are closed. */
const OPENED_AT_ONCE = 100;
const MB = 1_000_000;
/** What every page is to keep to: milliseconds, and bytes of a page. */
const GOALS = { median: 100, most: 300, bytes: 150_000 };
const rounds = Number(process.argv[2] ?? '20');

type Taken = { path: string; first: number; times: number[]; bytes: number; cpu: number };
type Memory = Record<'fresh' | 'before' | 'after', number>;

const [load = 0] = loadavg();
const folder = mkdtempSync(join(tmpdir(), 'bench-web-'));
try {
  const file = configure(folder, LARGE);
  const home = join(folder, 'home');
  await fillHome(file, home, LARGE);
  const served = await serveConsole(file, home);
  const { rss: fresh } = await served.usage();
  const pages = await measuredPages(served);
  const taken: Taken[] = [];
  for (const { path } of pages) taken.push(await measure(path, served));
  const { rss: before } = await served.usage();
  const streams = await follow(pages, served);
  const { rss: after } = await served.usage();
  streams.abort();
  served.end();
  const doors = await serveDoors(folder, home, LARGE);
  const beside: Taken[] = [];
  for (const { path } of pages) beside.push(await measure(path, doors.served));
  await doors.end();
  const text = [report(taken, { fresh, before, after }), reportBeside(beside)].join('\n');
  console.log(text);
  writeFileSync(new URL('./web-results.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(path: string, served: Served): Promise<Taken> {
  // The first one finds nothing made; those after it share what does not change meanwhile.
  const { ms: first, bytes: size } = await ask(path, served);
  let bytes = size;
  const times: number[] = [];
  const { cpu: begun } = await served.usage();
  for (let round = 0; round < rounds; round += 1) {
    const asked = await Promise.all(Array.from({ length: CLIENTS }, () => ask(path, served)));
    times.push(...asked.map(({ ms }) => ms));
    bytes = Math.max(bytes, ...asked.map((one) => one.bytes));
  }
  const { cpu } = await served.usage();
  return { path, first, times, bytes, cpu: (cpu - begun) / times.length };
}

async function ask(path: string, served: Served): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const reply = await served.get(path);
  const text = await reply.text();
  const ms = performance.now() - began;
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 500)}`);
  return { ms, bytes: Buffer.byteLength(text) };
}

/** Follows so many pages at once, until the controller that it gives is aborted; waits until each has its first cells. */
async function follow(pages: MeasuredPage[], served: Served): Promise<AbortController> {
  const ending = new AbortController();
  const live = pages.filter((page) => page.live);
  const open = async (at: number) => {
    const of = encodeURIComponent(live[at % live.length]!.path);
    const reply = await served.get(`/live?of=${of}&at=`, ending.signal);
    const reader = reply.body!.getReader();
    const decoder = new TextDecoder();
    let text = '';
    while (!text.includes('event: cells')) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`a stream of ${of} ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    const drain = async () => {
      while (!(await reader.read()).done);
    };
    drain().catch(() => undefined);
  };
  for (let first = 0; first < STREAMS; first += OPENED_AT_ONCE)
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, at) => open(first + at)));
  return ending;
}

/** The pages that miss a goal, in words. */
function missed(taken: Taken[]): string {
  const missing = taken.filter(
    ({ times, bytes }) =>
      shareOf(times, 0.5) > GOALS.median || shareOf(times, 0.99) > GOALS.most || bytes > GOALS.bytes,
  );
  return missing.length === 0 ? 'no page' : missing.map(({ path }) => `\`${shown(path)}\``).join(', ');
}

function shareOf(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(share * times.length))]!;
}

function shown(path: string): string {
  return path.replaceAll(/\d{8}-\d{6}-\w+/gu, 'ID');
}

/** What the same pages take while much hangs at the doors. */
function reportBeside(taken: Taken[]): string {
  const { hooks, pages, signIns, answersAfter, askedEvery } = DOORS;
  const rows = taken.map(({ path, times }) => {
    const at = (share: number) => shareOf(times, share).toFixed(0);
    return `| \`${shown(path)}\` | ${at(0.5)} | ${at(0.99)} |`;
  });
  const all = taken.flatMap(({ times }) => times);
  return [
    '## Beside what hangs at the doors\n',
    `The same pages, ${rounds} times, while ${hooks} hooks do not answer, ${pages} suppliers have a page open and ask for it again every ${askedEvery / 1000} s, and`,
    `${signIns} people wait for a provider that answers after ${answersAfter / 1000} s. Of all requests the median is ${shareOf(all, 0.5).toFixed(0)} ms, the 99th percentile`,
    `${shareOf(all, 0.99).toFixed(0)} ms; over the goals (${GOALS.median} ms, ${GOALS.most} ms): ${missed(taken)}.\n`,
    '| page | median ms | 99th percentile ms |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function report(taken: Taken[], { fresh, before, after }: Memory): string {
  const rows = taken.map(({ path, first, times, bytes, cpu }) => {
    const at = (share: number) => shareOf(times, share).toFixed(0);
    return `| \`${shown(path)}\` | ${first.toFixed(0)} | ${at(0.5)} | ${at(0.99)} | ${cpu.toFixed(1)} | ${(bytes / 1000).toFixed(0)} |`;
  });
  const mb = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`;
  return [
    '# The console of a large installation\n',
    `\`npm run bench:web -- ${rounds}\`: 20,000 runs, 200 feeds, 1,000 open incidents, SQLite. An administrator has signed in. ${CLIENTS} clients ask for the`,
    `same page at once, over loopback, ${rounds} times; the time is that of one client, with the other seven in its way. The ledger does`,
    `not change meanwhile, so all after the first share what the console keeps until a change: \`first\` is one client alone that finds nothing kept.`,
    `Where the machine has other work, only the processor time of a page says something. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; load ${load.toFixed(1)} before.\n`,
    '| page | first ms | median ms | 99th percentile ms | ms of processor | KB |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    `\nOver the goals (${GOALS.median} ms, ${GOALS.most} ms, ${GOALS.bytes / 1000} KB): ${missed(taken)}.\n`,
    `${STREAMS} open pages that are followed take ${mb(after - before)}. The process, which is the console and what \`up\` loads, has ${mb(fresh)} before`,
    `the first page, ${mb(before)} after all of these, and ${mb(after)} with the pages that are followed.\n`,
  ].join('\n');
}
