/**
 * Measures the console of a large installation (20,000 runs, 200 feeds, 1,000 open incidents) over loopback: `npm run bench:web -- [ROUNDS]`
 * (20). Eight clients ask for every page; then 500 pages are followed. Results go to bench/web-results.md.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { configure, feedNames, fillHome, LARGE, loginNames } from './web/fill-ledger.ts';

const CLIENTS = 8;
const STREAMS = 500;
const MB = 1_000_000;
const rounds = Number(process.argv[2] ?? '20');

type Taken = { page: string; times: number[]; bytes: number };

const folder = mkdtempSync(join(tmpdir(), 'bench-web-'));
try {
  const file = configure(folder, LARGE);
  const home = join(folder, 'home');
  await fillHome(file, home, LARGE);
  const server = await serve(file, home);
  const pages = await addresses(server.url);
  for (const page of pages) await ask(server.url, page);
  const taken: Taken[] = pages.map((page) => ({ page, times: [], bytes: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of taken) {
      const asked = await Promise.all(Array.from({ length: CLIENTS }, () => ask(server.url, one.page)));
      one.times.push(...asked.map(({ ms }) => ms));
      one.bytes = asked[0]!.bytes;
    }
  }
  const before = await server.rss();
  const streams = await follow(
    server.url,
    pages.filter((page) => !page.includes('/rows')),
  );
  const after = await server.rss();
  streams.abort();
  server.end();
  const text = report(taken, { before, after });
  console.log(text);
  writeFileSync(new URL('./web-results.md', import.meta.url), text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function serve(file: string, home: string) {
  const path = fileURLToPath(new URL('./web/serve.ts', import.meta.url));
  const flags = ['--min-semi-space-size=1', '--max-semi-space-size=1'];
  const child: ChildProcess = spawn(process.execPath, [...flags, path, file, home], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const url = await new Promise<string>((resolve) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const found = /"url":"(http[^"]+)\/","msg":"console ready"/u.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const lines = createInterface({ input: child.stdout! });
  return {
    url,
    rss: async (): Promise<number> => {
      child.stdin!.write('\n');
      const [line] = (await once(lines, 'line')) as [string];
      return (JSON.parse(line) as { rss: number }).rss;
    },
    end: () => void child.stdin!.end(),
  };
}

/** Every page of the console, of a feed, login, run, upload and incident that there are. */
async function addresses(url: string): Promise<string[]> {
  const api = async <T>(path: string) => (await (await fetch(`${url}/api/v1${path}`)).json()) as T;
  const [feed, login] = [feedNames(LARGE)[3]!, loginNames(LARGE)[0]!];
  const [run] = await api<{ run: string }[]>(`/runs?outcome=partial&feed=${feed}`);
  const [incident] = await api<{ incident: string }[]>('/incidents');
  const [upload] = await api<{ upload: string }[]>(`/logins/${login}/rollback-targets`);
  return [
    '/',
    '/runs',
    '/runs?text=price',
    `/runs?feed=${feed}&outcome=held`,
    `/runs/${run!.run}`,
    `/runs/${run!.run}/rows?group=read`,
    `/feeds/${feed}`,
    `/logins/${login}`,
    '/incidents',
    `/incidents/${incident!.incident}`,
    '/uploads',
    `/uploads/${upload!.upload}`,
    '/audit',
    '/suppliers',
    '/system',
    '/part',
    '/check',
    '/api/v1/status',
    '/metrics',
  ];
}

async function ask(url: string, page: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const reply = await fetch(`${url}${page}`);
  const text = await reply.text();
  const ms = performance.now() - began;
  if (reply.status !== 200) throw new Error(`${page} answered ${reply.status}: ${text.slice(0, 500)}`);
  return { ms, bytes: Buffer.byteLength(text) };
}

/** Follows so many pages at once, until the controller that it gives is aborted; waits until each has its first lines. */
async function follow(url: string, pages: string[]): Promise<AbortController> {
  const ending = new AbortController();
  const live = pages.filter(
    (page) =>
      !page.startsWith('/api') &&
      !['/metrics', '/part', '/check', '/audit', '/suppliers'].includes(page) &&
      !page.startsWith('/incidents/'),
  );
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, at) => {
      const of = encodeURIComponent(live[at % live.length]!);
      const reply = await fetch(`${url}/live?of=${of}&at=`, { signal: ending.signal });
      if (reply.status !== 200) throw new Error(`a stream answered ${reply.status}`);
      const reader = reply.body!.getReader();
      await reader.read();
      const drain = async () => {
        while (!(await reader.read()).done);
      };
      drain().catch(() => undefined);
    }),
  );
  return ending;
}

function report(taken: Taken[], { before, after }: { before: number; after: number }): string {
  const rows = taken.map(({ page, times, bytes }) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
    return `| \`${page.replaceAll(/\d{8}-\d{6}-\w+/gu, 'ID')}\` | ${at(0.5)} | ${at(0.99)} | ${(bytes / 1000).toFixed(0)} |`;
  });
  return [
    '# The console of a large installation\n',
    `\`npm run bench:web -- ${rounds}\`: 20,000 runs, 200 feeds, 1,000 open incidents, SQLite. ${CLIENTS} clients ask for the same page at once, over loopback,`,
    `${rounds} times; the time is that of one client, with the other seven in its way. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.\n`,
    '| page | median ms | 99th percentile ms | KB |',
    '| --- | --- | --- | --- |',
    ...rows,
    `\n${STREAMS} open pages that are followed take ${((after - before) / MB).toFixed(0)} MB: the process has ${(before / MB).toFixed(0)} MB before and ${(after / MB).toFixed(0)} MB with them.\n`,
  ].join('\n');
}
