import type { HttpSource } from '../../config/schema/source-schema.ts';
import { systemClock } from '../../clock.ts';
import { setTotal } from '../../gauge.ts';
import { redactForeign } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { BEGINNING } from '../limits.ts';
import { lengthOf, readBody, readLimited } from './body.ts';
import { isCompressed } from './encoding.ts';
import { isAnswer } from './errors.ts';
import { nameOf } from './name.ts';
import { timeOf } from './ranged.ts';
import { refusePages } from './page.ts';
import { refusalOf } from './refused.ts';
import { ask, headerOf, openWeb, type Question, type Reply, type Web } from './request.ts';
import type { Listed } from '../choose/choose.ts';
import { interrupted, save, tooLarge } from '../save/save.ts';
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
    const reply = await askForFile(source, web, known, input.signal);
    if (reply.statusCode === 304 && known !== null) return { kind: 'unchanged', checkpoint: known };
    if (reply.statusCode === 204) return { kind: 'nothing', reason: `${reply.place.url} currently has no file (204)` };
    if (!isAnswer(reply.statusCode)) throw await refusalOf(web, questionFor(source, input.signal), reply, input.now());
    return await download(reply, web, origin, input);
  } catch (error) {
    throw input.signal?.aborted === true ? interrupted(showUrl(source.url)) : error;
  } finally {
    await web.close();
  }
}

/** What is at an address, as its headers say; the file is left after its first bytes. Undefined when there is none at the moment. */
export async function lookAtAddress(source: HttpSource, signal?: AbortSignal): Promise<Listed | undefined> {
  const web = openWeb(source);
  try {
    const reply = await askForFile(source, web, null, signal);
    const { place, statusCode, url } = reply;
    if (statusCode === 204) return undefined;
    if (!isAnswer(statusCode)) throw await refusalOf(web, questionFor(source, signal), reply, systemClock.now());
    const disposition = headerOf(reply, 'content-disposition');
    const label = { type: headerOf(reply, 'content-type'), disposition, isSignIn: web.isSignIn };
    // Its beginning shows whether it is a page in place of the file.
    for await (const _ of refusePages(readLimited(reply, BEGINNING), place, label)) break;
    const name = nameOf(url, disposition);
    return { name, size: lengthOf(reply) ?? 0, mtimeMs: timeOf(headerOf(reply, 'last-modified')) };
  } finally {
    await web.close();
  }
}

async function askForFile(
  source: HttpSource,
  web: Web,
  known: Checkpoint | null,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  if (source.login !== undefined) {
    const { signIn } = await import('./sign-in/sign-in.ts');
    await signIn(web, source.login, signal);
  }
  return ask(web, { ...questionOf(source, known), signal });
}

/** What is asked for a file, whatever of it is known. */
function questionFor(source: HttpSource, signal: AbortSignal | undefined): Question {
  return { ...questionOf(source, null), signal };
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
  const { target, signal, meter } = input;
  setTotal(meter, isCompressed(headerOf(reply, 'content-encoding')) ? null : (length ?? null));
  const saved = await save(chunks, { target, limit, what: place.url, signal, meter });
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
  return value !== undefined && value.length <= LONGEST_VERSION && redactForeign(value) === value ? value : undefined;
}

/** A version of a file is a short text. */
const LONGEST_VERSION = 1000;
