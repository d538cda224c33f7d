import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { offerFile, type Offer } from './offers.ts';

const OFFERLINE = fileURLToPath(new URL('../../bin/offerline', import.meta.url));

/** What loading the portfolio took: until it was live, until the first search was answered, and the longest wait of others. */
export type Loading = { liveMs: number; indexedMs: number; longestWaitMs: number };

/** A sandbox as its own process; `pace`: how long an upload waits and is processed. */
export async function startService(
  dataDir: string,
  pace = '0s/0s',
): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const words = ['sandbox', '--port', '0', '--data', dataDir, '--pace', pace, '--index-time', '0s', '--json'];
  const child = spawn(OFFERLINE, [...words, '--end-with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  for await (const line of createInterface(child.stdout)) {
    printed += line;
    if (line.endsWith('}')) break;
  }
  const { url } = JSON.parse(printed) as { url: string };
  return {
    url,
    pid: child.pid!,
    stop: async () => {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}

/** Uploads the offers and searches once; meanwhile somebody asks every 5 ms whether the service is up. */
export async function load(url: string, offers: readonly Offer[]): Promise<Loading> {
  const stop = new AbortController();
  const asking = askOften(url, stop.signal);
  const started = performance.now();
  const body = new FormData();
  body.append('offersFile', new Blob([offerFile(offers)]), 'offers.txt');
  await demand(await fetch(`${url}/us2/public/offer/process`, { method: 'POST', body }));
  const list = async () => (await demand(await fetch(`${url}/us2/public/offer/list`))).data as { state: string }[];
  while ((await list())[0]?.state !== 'success') await wait(20);
  const liveMs = performance.now() - started;
  await demand(await fetch(`${url}/us2/public/search/search?query=first`));
  const indexedMs = performance.now() - started;
  stop.abort();
  return { liveMs, indexedMs, longestWaitMs: await asking };
}

/** Identifies and indexes the first vehicle of a VIN; answers with its id. */
export async function indexVehicle(url: string, vin: string): Promise<number> {
  const { data } = await demand(await fetch(`${url}/us2/public/vehicle/identify?identString=${vin}`));
  const [vehicle] = data as { id: number }[];
  if (vehicle === undefined) throw new Error(`${vin} is no vehicle.`);
  await demand(await fetch(`${url}/us2/public/autoInfo/indexVehicle?autoInfoId=${vehicle.id}`));
  return vehicle.id;
}

async function askOften(url: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const started = performance.now();
    await (await fetch(`${url}/health`)).text();
    longest = Math.max(longest, performance.now() - started);
    await wait(5);
  }
  return longest;
}

async function demand(response: Response): Promise<Record<string, unknown>> {
  const answer = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${answer}`);
  return JSON.parse(answer) as Record<string, unknown>;
}
