/**
 * Measures the sandbox's searches with four clients at a time, each a process of its own, against looking through the same
 * offers: `npm run bench:sandbox -- [OFFERS] [CALLS]` (100000, and 200 of each kind). Writes bench/sandbox-results.md when
 * there are 100,000 offers or more.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { median, script } from './read/measure.ts';
import { offerFile, portfolio, type Offer } from './sandbox/offers.ts';
import { duckDb, sqliteLike, type Peer } from './sandbox/peers.ts';
import { queries, type Query } from './sandbox/queries.ts';
import { indexVehicle, load, startService, type Loading } from './sandbox/service.ts';

const CLIENTS = 4;
const VIN = 'YX9ZZZF2CFN114439';
const PEER_CALLS = 10;

const [count = 100_000, calls = 200] = process.argv.slice(2).map(Number);

type Taken = Map<string, number[]>;

async function main(): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'offerline-bench-'));
  try {
    const offers = portfolio(count);
    const service = await startService(join(temporary, 'data'));
    const loading = await load(service.url, offers);
    const asked = queries(offers, await indexVehicle(service.url, VIN), calls);
    await callAll(
      service.url,
      asked.filter((_, at) => at % 10 === 0),
    );
    const taken = await callAll(service.url, asked);
    await service.stop();
    const peers = await measurePeers(offers, asked, join(temporary, 'offers.txt'));
    const lines = report(loading, taken, peers);
    console.log(lines);
    if (count >= 100_000) writeFileSync(new URL('./sandbox-results.md', import.meta.url), lines);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** All clients at once; the milliseconds of all their calls by kind. */
async function callAll(url: string, asked: readonly Query[]): Promise<Taken> {
  const each = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => runClient(url, at, asked)));
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  return new Map(kinds.map((kind) => [kind, each.flatMap((one) => one[kind] ?? [])]));
}

async function runClient(url: string, share: number, asked: readonly Query[]): Promise<Record<string, number[]>> {
  const words = [script('../sandbox/client.ts'), url, String(share), String(CLIENTS)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(asked));
  return JSON.parse(await text(child.stdout)) as Record<string, number[]>;
}

/** One call after the other, in this process: nobody shares the machine with them. */
async function measurePeers(offers: Offer[], asked: readonly Query[], file: string): Promise<Map<string, Taken>> {
  writeFileSync(file, offerFile(offers));
  const results = new Map<string, Taken>();
  for (const peer of [sqliteLike(offers), await duckDb(offers, file)]) {
    results.set(peer.name, await measurePeer(peer, asked));
    peer.close();
  }
  return results;
}

async function measurePeer(peer: Peer, asked: readonly Query[]): Promise<Taken> {
  const taken: Taken = new Map();
  for (const { kind, words } of asked) {
    const list = taken.get(kind) ?? [];
    taken.set(kind, list);
    if (list.length >= PEER_CALLS) continue;
    const started = performance.now();
    await peer.find(words);
    list.push(performance.now() - started);
  }
  return taken;
}

function report(loading: Loading, taken: Taken, peers: Map<string, Taken>): string {
  const line = (kind: string, values: number[]) => {
    const own = median(values);
    const others = [...peers.values()].map((peer) => {
      const other = median(kind === 'all' ? [...peer.values()].flat() : (peer.get(kind) ?? []));
      return `${other.toFixed(1)} (${(other / own).toFixed(1)} ×)`;
    });
    return `| ${[kind, own.toFixed(1), percentile(values, 0.99).toFixed(1), ...others].join(' | ')} |`;
  };
  const names = [...peers.keys()];
  return [
    '# Searching in the sandbox\n',
    `\`npm run bench:sandbox -- ${count} ${calls}\`: ${count.toLocaleString('en')} offers, ${CLIENTS} clients at a time, each a process with`,
    `one connection that calls without a pause, ${calls} calls of each kind in mixed order. ${cpus().length} × ${cpus()[0]?.model.trim()}, Node`,
    `${process.versions.node}; clients and sandbox share the cores. The peers look through the same offers for the same words, one call`,
    'after the other, in their own process and without HTTP; × is how much longer than the sandbox’s median theirs is.\n',
    `| milliseconds | median | p99 | ${names.join(' | ')} |`,
    `| --- | --- | --- | ${names.map(() => '---').join(' | ')} |`,
    ...[...taken].map(([kind, values]) => line(kind, values)),
    line('all', [...taken.values()].flat()),
    '',
    `Live ${(loading.liveMs / 1000).toFixed(1)} s after the upload began, indexed and searched after ${(loading.indexedMs / 1000).toFixed(1)} s; meanwhile another`,
    `client waited ${loading.longestWaitMs.toFixed(0)} ms at most.`,
    '',
  ].join('\n');
}

function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

await main();
