import { systemClock } from '../../clock.ts';
import type { OfferlineError } from '../../errors.ts';
import { showUrl } from '../../wording/show-url.ts';
import type { Listed } from '../choose/choose.ts';
import { lengthOf, readBody } from './body.ts';
import { isAnswer, type Place, pullError, statusError } from './errors.ts';
import { refusePages } from './page.ts';
import { ask, headerOf, type Reply, type Web } from './request.ts';

type Reading = {
  url: URL;
  file: Listed;
  /** The byte to begin with. */
  from: number;
  signal: AbortSignal | undefined;
  /** For a place that may answer with a page in place of a file. */
  refusesPages?: boolean;
};

/**
 * The bytes of a file, from a byte on. A server that sends the whole file all the same is read from there, and one whose file
 * is another by now is refused as `changed`: halves of two files are never sewn together.
 */
export async function* readFrom(
  web: Web,
  { url, file, from, signal, refusesPages = false }: Reading,
): AsyncGenerator<Uint8Array> {
  const version = versionOf(file);
  if (from > 0 && version === undefined) throw changedError({ url: showUrl(url.href), timeout: web.source.timeout });
  const part = from === 0 || version === undefined ? {} : { range: `bytes=${from}-`, 'if-range': version };
  const reply = await ask(web, { url, headers: { 'accept-encoding': 'identity', ...part }, signal });
  const { place, statusCode } = reply;
  if (!isAnswer(statusCode) && statusCode !== 206) {
    if (statusCode === 416) throw changedError(place);
    throw statusError(statusCode, place, headerOf(reply, 'retry-after'), systemClock.now());
  }
  const isPart = statusCode === 206;
  if (isPart ? !isRest(reply, from) : from > 0 && !isVersion(reply, file)) throw changedError(place);
  const bounds = { length: lengthOf(reply), limits: { fileSize: Infinity, unpackRatio: Infinity } };
  const label = {
    type: headerOf(reply, 'content-type'),
    disposition: headerOf(reply, 'content-disposition'),
    isSignIn: web.isSignIn,
  };
  const bytes = readBody(reply, bounds);
  if (from === 0 && refusesPages) yield* refusePages(bytes, place, label);
  else yield* isPart || from === 0 ? bytes : after(bytes, from);
}

/**
 * The bytes of a reply to a question for those from a byte on, whose version the caller compares; a server that sends the whole file all
 * the same is read from there.
 */
export function restOf(reply: Reply, from: number): AsyncGenerator<Uint8Array> {
  const bytes = readBody(reply, {
    length: lengthOf(reply),
    limits: { fileSize: Infinity, unpackRatio: Infinity },
  });
  if (reply.statusCode !== 206) return from === 0 ? bytes : after(bytes, from);
  if (isRest(reply, from)) return bytes;
  throw changedError(reply.place);
}

/** What an ETag says of the content, without whether the bytes are the very same. */
export function tagOf(etag: string | undefined): string | undefined {
  return etag?.trim().replace(/^W\//u, '') || undefined;
}

/** The time of a header; null when it is none. */
export function timeOf(text: string | undefined): number | null {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** What a part is asked for with, so that it is one of this very file; undefined where nothing tells. */
function versionOf({ id, mtimeMs }: Listed): string | undefined {
  if (id?.startsWith('"') === true) return id;
  return mtimeMs === null ? undefined : new Date(mtimeMs).toUTCString();
}

function isRest(reply: Reply, from: number): boolean {
  return new RegExp(`^bytes ${from}-`, 'u').test(headerOf(reply, 'content-range') ?? '');
}

function isVersion(reply: Reply, { id, mtimeMs, size, inexact }: Listed): boolean {
  if (inexact !== true && (lengthOf(reply) ?? size) !== size) return false;
  if (id !== undefined && tagOf(headerOf(reply, 'etag')) === id) return true;
  return mtimeMs !== null && timeOf(headerOf(reply, 'last-modified')) === mtimeMs;
}

async function* after(chunks: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<Uint8Array> {
  let left = from;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** A file that is not the one that was listed. */
export function changedError(place: Place): OfferlineError {
  return pullError(place, 'was changed or replaced meanwhile; it will be looked at again.', { changed: true });
}
