import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Blob } from '../../archive/archive.ts';
import { bytesOf, hashBytes } from '../../archive/durable.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { beginPart, holdPart, partPath, partSize } from '../../jobs/push/parts.ts';
import { problem } from '../http/problem.ts';
import type { Answer } from '../route.ts';
import { senderOf, type Visit } from '../visit.ts';
import type { Asked } from './asked.ts';
import { receiveBody } from './receive-body.ts';
import { holdRoom, type Room } from './room.ts';

/** Of a file with more bytes than these what came is kept when its connection is cut, so that only the rest has to be sent. */
const RESUMABLE = 64 * 1024 * 1024;

/** What a request came to: the whole file, or the answer that says how many bytes have come. Nobody else writes the file until it is disposed of. */
type Received = AsyncDisposable &
  ({ whole: { path: string; blob: Blob }; answer: null } | { whole: null; answer: Answer });

/** Whether what comes of a file is kept until the rest has come. */
export function comesInParts({ range, length }: Asked): boolean {
  return range !== null || (length ?? 0) > RESUMABLE;
}

/** Takes the bytes of a file that a request brings, after those that have come before. A newer request for the same file ends an older one. */
export async function receivePart(visit: Visit, { feed, name, asked }: Named): Promise<Received> {
  const total = asked.range?.total ?? asked.length ?? 0;
  const path = partPath(visit.ctx.home, { sender: senderOf(visit.visitor), feed, name, total });
  const { signal, end: endTurn } = await takeTurn(path);
  let release: () => Promise<void> = async () => {};
  const end = async () => {
    await release().finally(endTurn);
  };
  const hold = async () => {
    await beginPart(path, visit.ctx.clock.now());
    release = await holdPart(path);
  };
  try {
    const answer = await receiveAt({ path, total, hold }, asked, visit, signal);
    const disposal = { [Symbol.asyncDispose]: end };
    return 'sha256' in answer
      ? { whole: { path, blob: answer }, answer: null, ...disposal }
      : { whole: null, answer, ...disposal };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A part, its size once it is whole, and what makes its place and keeps others from it. */
type Place = { path: string; total: number; hold: () => Promise<void> };

async function receiveAt(
  { path, total, hold }: Place,
  { range }: Asked,
  { ctx, request, letBodyCome }: Visit,
  signal: AbortSignal,
): Promise<Blob | Answer> {
  const have = await partSize(path);
  if (range?.bytes === null) return incomplete(have, total);
  const { from, to } = range?.bytes ?? { from: 0, to: total - 1 };
  if (from > have) return missing(have, from);
  // All that is still to come of the file has to have room, or the pieces that come first would be for nothing.
  using room = await holdRoom(ctx.home, total - from);
  await hold();
  // Before that it was nobody's: it may have been thrown away, or another console may have taken it.
  const held = await partSize(path);
  if (from > held) return missing(held, from);
  letBodyCome();
  const blob = await write(path, request, { from, to, room, signal });
  const come = from + blob.bytes;
  if (come < total) return incomplete(come, total);
  return from === 0 ? blob : hashBytes(bytesOf(path));
}

/** A file that a request brings, and to which feed. */
type Named = { feed: string; name: string; asked: Asked };

type Piece = { from: number; to: number; room: Room; signal: AbortSignal };

/** Writes a piece where it belongs. Of one whose body is longer or shorter than was announced nothing stays. */
async function write(path: string, request: Request, { from, to, room, signal }: Piece): Promise<Blob> {
  const announced = to - from + 1;
  const wrong = (bytes: string | number) =>
    new OfferlineError('usage', `The body has ${bytes} bytes, but ${announced} were announced. Send them again.`);
  const over = wrong(`more than ${announced}`);
  const file = await open(path, 'r+').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return open(path, 'w', 0o600);
    throw error;
  });
  try {
    await file.truncate(from);
    const folder = dirname(path);
    const received = receiveBody(request, { file, at: from, folder, limit: to + 1, over, room, signal });
    const blob = await received.catch(async (error: unknown) => {
      if (error === over) await file.truncate(from);
      throw error;
    });
    if (blob.bytes === announced) return blob;
    await file.truncate(from);
    throw wrong(blob.bytes);
  } finally {
    // What came is kept until the rest comes, and must be there then.
    await file.datasync().catch(() => undefined);
    await file.close();
  }
}

/** How many bytes of a file have come, as programs know it: 308 with the range that is there. */
function incomplete(come: number, total: number): Answer {
  return { json: { received: come, total }, status: 308, headers: rangeOf(come) };
}

function missing(have: number, from: number): Answer {
  const message = `${have} bytes of the file have come, so that none can follow at byte ${from}. Go on at byte ${have}.`;
  return problem(409, 'conflict', message, rangeOf(have));
}

function rangeOf(come: number): Record<string, string> {
  return come === 0 ? {} : { range: `bytes=0-${come - 1}` };
}

type Turn = { stop: AbortController; ended: Promise<void> };

const turns = new Map<string, Turn>();

/** Waits until nobody else writes a file, whom it stops: a connection that is cut may go on for a while on our side. */
async function takeTurn(path: string): Promise<{ signal: AbortSignal; end: () => void }> {
  for (let other = turns.get(path); other !== undefined; other = turns.get(path)) {
    other.stop.abort();
    await other.ended;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  turns.set(path, { stop, ended: promise });
  return {
    signal: stop.signal,
    end: () => {
      turns.delete(path);
      resolve();
    },
  };
}
