import { rm } from 'node:fs/promises';
import type { ServerSource } from '../../config/schema/source-schema.ts';
import { OfferlineError } from '../../errors.ts';
import { choose, type Choice, type Listed } from '../choose/choose.ts';
import { patternOf } from '../choose/pattern.ts';
import { interrupted, save, tooLarge } from '../save.ts';
import { type Checkpoint, cleanName, originOf, type Pulled, type PullInput } from '../source.ts';
import { openFtp } from '../ftp/open-ftp.ts';
import { openSftp } from '../sftp/open-sftp.ts';
import { PATIENCE, urlOf } from './place.ts';
import type { ServerFolder } from './server.ts';

/**
 * Pulls the newest file of a folder on a server. A file counts once its size and time are the same in two looks, `settle`
 * apart, whatever the server's clock says, or its marker lies beside it; one that is still written to after twelve looks is
 * left for the next run. What was fetched must be as long as the listing said and unchanged afterwards.
 */
export async function pullServer(source: ServerSource, input: PullInput): Promise<Pulled> {
  return withServer(source, input.signal, async (server) => {
    for (let attempt = 0; attempt < PATIENCE; attempt++) {
      const { newest, older, passedOver } = await chosen(source, server);
      if (newest === undefined) return { kind: 'nothing', reason: whyNothing(source, passedOver) };
      if (isKnown(newest, source, input.checkpoint)) return { kind: 'unchanged', checkpoint: input.checkpoint };
      if (!(await hasSettled(newest, source, server, input))) continue;
      const pulled = await fetch(newest, source, server, input);
      if (pulled !== undefined) return { ...pulled, superseded: older.map(({ name }) => cleanName(name)) };
    }
    return { kind: 'nothing', reason: `the newest file in ${urlOf(source)} is still being written` };
  });
}

/** What the folder of a source holds now, and what of it would be taken. Throws as a pull does. */
export function lookAtServer(source: ServerSource, signal?: AbortSignal): Promise<Choice<Listed>> {
  return withServer(source, signal, (server) => chosen(source, server));
}

/** Connects, and disconnects at once when the work ends or `signal` fires. */
async function withServer<T>(
  source: ServerSource,
  signal: AbortSignal | undefined,
  work: (server: ServerFolder) => Promise<T>,
): Promise<T> {
  const stopped = () => signal?.aborted === true;
  if (stopped()) throw interrupted(urlOf(source));
  const place = { url: urlOf(source), timeout: source.timeout };
  let close = () => {};
  try {
    const server = await (source.type === 'sftp' ? openSftp(source, place, signal) : openFtp(source, place, signal));
    close = () => server.close();
    signal?.addEventListener('abort', close, { once: true });
    return await work(server);
  } catch (error) {
    throw stopped() ? interrupted(urlOf(source)) : error;
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

async function chosen({ pattern, ready }: ServerSource, server: ServerFolder): Promise<Choice<Listed>> {
  const read = patternOf(pattern);
  return choose(await server.list(read.matches), read, ready);
}

const SHOWN = 3;

function whyNothing(source: ServerSource, passedOver: Choice<Listed>['passedOver']): string {
  const told = passedOver.filter(({ why }) => why !== 'does not match the pattern');
  const shown = told.slice(0, SHOWN).map(({ name, why }) => `${cleanName(name)} ${why}`);
  return [`no file in ${urlOf(source)} matches ${source.pattern}`, ...shown].join('; ');
}

function isKnown(file: Listed, source: ServerSource, checkpoint: Checkpoint | null): checkpoint is Checkpoint {
  if (checkpoint?.origin !== originOf(source) || checkpoint.name !== cleanName(file.name)) return false;
  // Without a time nothing but the bytes can tell that it is the same.
  return file.mtimeMs !== null && checkpoint.size === file.size && checkpoint.mtimeMs === file.mtimeMs;
}

async function hasSettled(
  file: Listed,
  source: ServerSource,
  server: ServerFolder,
  input: PullInput,
): Promise<boolean> {
  if (source.ready !== undefined) return true;
  await input.wait(source.settle, input.signal);
  return isSame(file, await server.look(file.name));
}

function isSame(before: Listed, now: Listed | undefined): boolean {
  return now?.size === before.size && now.mtimeMs === before.mtimeMs;
}

/** The file at the target, or undefined when it was changed or replaced meanwhile and must be chosen again. */
async function fetch(file: Listed, source: ServerSource, server: ServerFolder, input: PullInput) {
  const name = cleanName(file.name);
  const what = `${urlOf(source)}/${name}`;
  const { target, signal, received } = input;
  const limit = input.limits.fileSize;
  if (file.size > limit) throw tooLarge(what, `${file.size} bytes`, limit);
  const { bytes, sha256 } = await save(server.read(file.name), { target, limit, what, signal, received });
  const unchanged = isSame(file, await server.look(file.name));
  if (!unchanged || bytes !== file.size) await rm(target, { force: true });
  if (!unchanged) return undefined;
  if (bytes !== file.size) {
    const message = `${what} ended after ${bytes} of ${file.size} bytes.`;
    throw new OfferlineError('pull-failed', message, { retryable: true, details: { url: urlOf(source) } });
  }
  const checkpoint: Checkpoint = { origin: originOf(source), name, size: bytes, sha256, mtimeMs: file.mtimeMs };
  return { kind: 'file' as const, name, path: target, bytes, sha256, checkpoint, modifiedAt: file.mtimeMs };
}
