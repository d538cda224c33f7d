import type { ListingSource } from '../../config/schema/source-schema.ts';
import { OfferlineError, retryAfterMs } from '../../errors.ts';
import { choose, type Choice, type Listed, nothingIn, waitingIn } from '../choose/choose.ts';
import { isSameFile, type Past } from '../choose/past.ts';
import {
  type Checkpoint,
  cleanName,
  hasUniqueNames,
  originOf,
  type Pulled,
  type PulledFile,
  type PullInput,
} from '../source.ts';
import type { PushedFiles } from '../source.ts';
import { sourceRetryDelay } from '../retry.ts';
import { discard } from '../save/save.ts';
import { patternIn, severalOf } from '../several/wanted.ts';
import { fetchFile, isBegun, type Transfer } from './fetch.ts';
import { withServer } from './open.ts';
import { PATIENCE, urlOf } from './place.ts';
import type { ServerFolder } from './server.ts';

/** How often in a row a transfer that was cut before it brought this many bytes more is gone on with, over a new connection each time. */
const RECONNECTS = 3;
const LEAST_PROGRESS = 64 * 1024;

/**
 * Pulls the newest file of a place on a server. A file counts once its size and time are the same in two looks, `settle`
 * apart, whatever the server's clock says, or its marker lies beside it; one that is still written to after twelve looks is
 * left for the next run. A transfer that is cut goes on where it ended, as long as the file there is the same; `source.ts` has
 * the errors.
 */
export async function pullServer(source: ListingSource, input: PullInput): Promise<Pulled> {
  const transfer: Transfer = {};
  const brought = () => transfer.begun?.part.bytes ?? null;
  try {
    const pulled = await reconnecting(source, input, brought, (server) => pullFrom(source, server, input, transfer));
    if (pulled.kind !== 'file' && transfer.begun !== undefined) await discard(input.target);
    return pulled;
  } catch (error) {
    if (transfer.begun !== undefined) await discard(input.target);
    throw error;
  }
}

/**
 * Asks a server, and once more over a new connection when a transfer is cut, as long as that brings more of it. `brought`: the bytes so far;
 * null before a transfer has begun.
 */
export async function reconnecting<T>(
  source: ListingSource,
  input: PullInput,
  brought: () => number | null,
  work: (server: ServerFolder) => Promise<T>,
): Promise<T> {
  let [cuts, before] = [0, 0];
  for (;;) {
    try {
      return await withServer(source, input.signal, work, input);
    } catch (error) {
      const bytes = brought();
      if (bytes === null) throw error;
      cuts = bytes >= before + LEAST_PROGRESS ? 0 : cuts + 1;
      before = Math.max(before, bytes);
      if (cuts > RECONNECTS || !isPassing(error)) throw error;
      await input.wait(sourceRetryDelay(Math.max(0, cuts - 1), retryAfterMs(error) ?? 0), input.signal);
    }
  }
}

async function pullFrom(
  source: ListingSource,
  server: ServerFolder,
  input: PullInput,
  transfer: Transfer,
): Promise<Pulled> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const choice = await chosen(source, server, input.past, input.now());
    const { newest, older, near, changes } = choice;
    const told = near.length > 0 ? { near } : {};
    const known = newest ?? changes?.known;
    if (known !== undefined && isKnown(known, source, input.checkpoint))
      return { kind: 'unchanged', checkpoint: input.checkpoint, ...waitingIn(choice), ...told };
    if (newest === undefined) return { ...nothingIn(urlOf(source), source.pattern, choice), ...told };
    if (!isBegun(newest, transfer) && !(await hasSettled(newest, source, server, input))) continue;
    const saved = await fetchFile(newest, source, server, input, transfer);
    if (saved !== undefined) return { ...asPulled(newest, older, saved, source, input.target), ...waitingIn(choice) };
  }
  return { kind: 'nothing', reason: `the newest file in ${urlOf(source)} is still being written` };
}

function isPassing(error: unknown): boolean {
  return error instanceof OfferlineError && error.code === 'pull-failed' && error.retryable;
}

/** What the place of a source holds now, and what of it would be taken. Throws as a pull does. */
export function lookAtServer(
  source: ListingSource,
  past: Past | undefined,
  now: number,
  { signal, pushed }: { signal?: AbortSignal | undefined; pushed?: PushedFiles | undefined } = {},
): Promise<Choice<Listed>> {
  return withServer(source, signal, (server) => chosen(source, server, past, now), { pushed });
}

/** The files of a place on a server that may be taken, and why others are not. */
export async function chosen(
  source: ListingSource,
  server: ServerFolder,
  past: Past | undefined,
  now: number,
): Promise<Choice<Listed> & { marker?: Listed }> {
  const several = severalOf(source);
  const pattern = patternIn(source);
  const { ready } = source;
  const uniqueNames = hasUniqueNames(source);
  const files = await server.list((name) => pattern.matches(name) || (several !== null && name === ready));
  const choice = choose(files, { pattern, ready, past, uniqueNames, all: several !== null, now });
  const marker = files.find(({ name }) => name === ready);
  const passedOver = [...choice.passedOver, ...(server.ignored?.() ?? [])];
  return { ...choice, passedOver, ...(marker === undefined ? {} : { marker }) };
}

function isKnown(file: Listed, source: ListingSource, checkpoint: Checkpoint | null): checkpoint is Checkpoint {
  if (checkpoint?.origin !== originOf(source) || checkpoint.name !== cleanName(file.name)) return false;
  // Without a time or an id nothing but the bytes can tell that it is the same.
  if (file.mtimeMs === null && file.id === undefined) return false;
  const { size, mtimeMs, id } = checkpoint;
  return (file.inexact === true || size === file.size) && mtimeMs === file.mtimeMs && id === file.id;
}

async function hasSettled(
  file: Listed,
  source: ListingSource,
  server: ServerFolder,
  input: PullInput,
): Promise<boolean> {
  if (source.ready !== undefined || server.whole === true) return true;
  await input.wait(source.settle, input.signal);
  return isSameFile(file, await server.look(file));
}

function asPulled(
  taken: Listed,
  superseded: Listed[],
  { bytes, sha256 }: { bytes: number; sha256: string },
  source: ListingSource,
  path: string,
): PulledFile {
  const { mtimeMs, id } = taken;
  const name = cleanName(taken.name);
  const checkpoint: Checkpoint = {
    origin: originOf(source),
    name,
    size: bytes,
    sha256,
    mtimeMs,
    ...(id === undefined ? {} : { id }),
  };
  return {
    kind: 'file',
    name,
    path,
    bytes,
    sha256,
    checkpoint,
    superseded: superseded.map((file) => cleanName(file.name)),
    listed: { taken, superseded },
    modifiedAt: mtimeMs,
  };
}
