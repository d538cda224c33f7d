import { threadId } from 'node:worker_threads';
import { OfferlineError } from '../../src/errors.ts';
import { redact } from '../../src/wording/redact.ts';

/** Functions that tests run in a thread. */
export function double(input: { n: number }): { n: number; main: boolean } {
  return { n: input.n * 2, main: process.env['NOT_SET'] !== undefined };
}

export function refuse(): never {
  throw new OfferlineError('file-rejected', 'north.csv is empty.', { details: { code: 'file-empty', line: 3 } });
}

export function askAgain(): never {
  throw new OfferlineError('disk-full', 'No space.', { retryable: true });
}

export function fault(): never {
  throw Object.assign(new TypeError('n is not a number'), { code: 'ENOSPC' });
}

export function throwText(): never {
  throw 'just text';
}

export function uncloneable(): unknown {
  return () => 1;
}

export async function forEver(input: { shared: SharedArrayBuffer }): Promise<void> {
  const state = new Int32Array(input.shared);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  for (;;) Atomics.add(state, 1, 1);
}

export function exit(): never {
  // oxlint-disable-next-line unicorn/no-process-exit -- inside a thread it ends the thread
  process.exit(7);
}

export function thread(): number {
  return threadId;
}

const filled: number[][] = [];

/** Leaves objects behind. */
export function fill({ entries }: { entries: number }): void {
  for (let at = 0; at < entries; at++) filled.push([at]);
}

export function redacted({ text }: { text: string }): string {
  return redact(text);
}

/** Fills the memory with objects of many sizes, for ever. */
export function hoard({ kind }: { kind: 'objects' | 'array' | 'map' | 'texts' }): never {
  const [array, map, texts] = [[] as unknown[], new Map<string, number>(), [] as string[]];
  for (let at = 0; ; at++) {
    if (kind === 'objects') array.push({ at });
    else if (kind === 'array') array.push(at);
    else if (kind === 'map') map.set(`k${at}`, at);
    else texts.push(Buffer.from(`${at}`.repeat(1000)).toString('utf16le'));
  }
}
