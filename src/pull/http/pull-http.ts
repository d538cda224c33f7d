import { systemClock } from '../../clock.ts';
import type { HttpSource } from '../../config/schema/source-schema.ts';
import { redact } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { lengthOf, readBody } from './body.ts';
import { statusError } from './errors.ts';
import { nameOf } from './name.ts';
import { refusePages } from './page.ts';
import { timeOf } from './ranged.ts';
import { ask, headerOf, openWeb, type Question, type Reply, type Web } from './request.ts';
import { interrupted, save, tooLarge } from '../save.ts';
import { type Checkpoint, originOf, type Pulled, type PulledFile, type PullInput } from '../source.ts';

/**
 * Pulls the file at an address. A server that remembers versions (ETag, Last-Modified) is asked for a newer one only.
 * A web page instead of a file, a body that ends early and every status but success are refused with what to do.
 */
export async function pullHttp(source: HttpSource, input: PullInput): Promise<Pulled> {
  const web = openWeb(source);
  const origin = originOf(source);
  const known = input.checkpoint?.origin === origin ? input.checkpoint : null;
  try {
    const reply = await askForFile(web, source, known, input.signal);
    if (reply.statusCode === 304 && known !== null) return { kind: 'unchanged', checkpoint: known };
    if (reply.statusCode === 204) return { kind: 'nothing', reason: `${reply.place.url} currently has no file (204)` };
    if (reply.statusCode !== 200) {
      throw statusError(reply.statusCode, reply.place, headerOf(reply, 'retry-after'), input.now());
    }
    return await download(reply, web, origin, input);
  } catch (error) {
    throw input.signal?.aborted === true ? interrupted(showUrl(source.url)) : error;
  } finally {
    await web.close();
  }
}

/**
 * Asks for the file at an address as a pull does, and ends the connection when its first bytes show that it is one. Null where
 * there is none now. Throws as `pullHttp`.
 */
export async function lookAtHttp(source: HttpSource, signal?: AbortSignal): Promise<Address | null> {
  const web = openWeb(source);
  try {
    const reply = await askForFile(web, source, null, signal);
    if (reply.statusCode === 204) return null;
    if (reply.statusCode !== 200) {
      throw statusError(reply.statusCode, reply.place, headerOf(reply, 'retry-after'), systemClock.now());
    }
    const limits = { fileSize: Infinity, unpackRatio: Infinity };
    const disposition = headerOf(reply, 'content-disposition');
    const label = { type: headerOf(reply, 'content-type'), disposition, isSignIn: web.isSignIn };
    for await (const _bytes of refusePages(readBody(reply, { length: undefined, limits }), reply.place, label)) break;
    const modifiedAt = timeOf(headerOf(reply, 'last-modified'));
    return { name: nameOf(reply.url, disposition), size: lengthOf(reply) ?? null, modifiedAt };
  } catch (error) {
    throw signal?.aborted === true ? interrupted(showUrl(source.url)) : error;
  } finally {
    await web.close();
  }
}

/** What a server says of the file at an address; null where it does not say it. */
type Address = { name: string; size: number | null; modifiedAt: number | null };

async function askForFile(
  web: Web,
  source: HttpSource,
  known: Checkpoint | null,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  if (source.login !== undefined) {
    const { signIn } = await import('./sign-in/sign-in.ts');
    await signIn(web, source.login, signal);
  }
  return ask(web, { ...questionOf(source, known), signal });
}

function questionOf(source: HttpSource, known: Checkpoint | null): Question {
  const headers = conditionsOf(known);
  const body = source.body?.reveal() ?? '';
  if (source.method !== 'POST') return { headers };
  // A header of the feed says otherwise.
  const type = /^\s*[[{]/u.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  return { method: 'POST', headers, body: { text: body, type } };
}

function conditionsOf(known: Checkpoint | null): Record<string, string> {
  return {
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known?.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
  };
}

async function download(reply: Reply, web: Web, origin: string, input: PullInput): Promise<PulledFile> {
  const { url, place } = reply;
  const limit = input.limits.fileSize;
  const length = lengthOf(reply);
  if (length !== undefined && length > limit) throw tooLarge(place.url, `${length} bytes`, limit);
  const bounds = { length, limits: input.limits, received: input.received };
  const disposition = headerOf(reply, 'content-disposition');
  const label = { type: headerOf(reply, 'content-type'), disposition, isSignIn: web.isSignIn };
  const chunks = refusePages(readBody(reply, bounds), place, label);
  const saved = await save(chunks, { target: input.target, limit, what: place.url, signal: input.signal });
  const name = nameOf(url, disposition);
  const etag = keptHeader(reply, 'etag');
  const lastModified = keptHeader(reply, 'last-modified');
  const mtimeMs = timeOf(lastModified);
  const checkpoint: Checkpoint = {
    origin,
    name,
    size: saved.bytes,
    sha256: saved.sha256,
    mtimeMs,
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
  return {
    kind: 'file',
    name,
    path: input.target,
    ...saved,
    checkpoint,
    superseded: [],
    listed: null,
    modifiedAt: mtimeMs,
  };
}

/** A header that is kept for the next question; one that repeats a credential, or is no version but a text, is not. */
function keptHeader(reply: Reply, name: string): string | undefined {
  const value = headerOf(reply, name);
  return value !== undefined && value.length <= LONGEST_VERSION && redact(value) === value ? value : undefined;
}

/** A version of a file is a short text. */
const LONGEST_VERSION = 1000;
