import iconv from 'iconv-lite';
import { expect } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import type { Client, ConsoleUnderTest } from './console.ts';
import { until } from './until.ts';

/** A list of so many good rows of one brand; with `feed` of parts that no other feed has, so that nothing looks like a mix-up. */
export function goodRows(count: number, feed?: string): string {
  const prefix = feed === undefined ? '' : `${feed} `;
  return `brand;oem\n${Array.from({ length: count }, (_, at) => `BOSCH;${prefix}${at + 1}\n`).join('')}`;
}

/** A list whose columns can only be guessed. */
export function strangeColumns(count = 60): string {
  const rows = Array.from({ length: count }, (_, at) => `${['BOSCH', 'ATE', 'BREMBO'][at % 3]};AB ${1000 + at * 7}\n`);
  return `Qwert;Zuiop\n${rows.join('')}`;
}

/** A list with one letter that several charsets have. */
export function unsureLetter(count = 1): Buffer {
  const rows = Array.from({ length: count }, (_, at) => `ATE;${at + 1};${at === 0 ? 'Ф' : ''}\n`);
  return iconv.encode(`brand;oem;name\n${rows.join('')}`, 'windows-1251');
}

/** Runs a feed by its form, by a client that may; answers with its run. */
export async function startRun(feed: string, client: Client): Promise<string> {
  const reply = await client.post(`/feeds/${feed}/run`);
  return /\/runs\/([\w-]+)/u.exec(reply.headers.get('location') ?? '')?.[1] ?? '';
}

/** The answer of a run that has come to its end. */
export async function endOf(run: string, client: Client): Promise<RunAnswer> {
  return until(async () => {
    const answer = (await (await client.get(`/api/v1/runs/${run}`)).json()) as RunAnswer;
    return answer.outcome !== null && answer.stage === 'done' ? answer : undefined;
  });
}

let files = 0;

/** Delivers a file to a feed, and runs it to its end. */
export async function deliverAndRun(
  feed: string,
  content: string | Buffer,
  client: Client,
  { shop }: Pick<ConsoleUnderTest, 'shop'>,
): Promise<RunAnswer> {
  files += 1;
  shop.deliver(feed, `${String(files).padStart(4, '0')}.csv`, content);
  return endOf(await startRun(feed, client), client);
}

/** A held run of a feed: what is live has shrunk. */
export async function heldRun(feed: string, client: Client, served: Pick<ConsoleUnderTest, 'shop'>): Promise<string> {
  expect((await deliverAndRun(feed, goodRows(40, feed), client, served)).outcome).toMatch(/live|partial|unchanged/u);
  const held = await deliverAndRun(feed, goodRows(2, feed), client, served);
  expect(held.outcome).toBe('held');
  return held.run;
}
