import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { HttpSource } from '../../config/schema/source-schema.ts';
import { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { redact } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { bodyError, type Place, pullError, statusError } from './errors.ts';
import { nameOf } from './name.ts';
import { refusePages } from './page.ts';
import { ask, createAgent, headerOf, type Reply } from './request.ts';
import { interrupted, save, tooLarge } from '../save.ts';
import { type Checkpoint, originOf, type Pulled, type PulledFile, type PullInput } from '../source.ts';

/**
 * Pulls the file at an address. A server that remembers versions (ETag, Last-Modified) is asked for a newer one only.
 * A web page instead of a file, a body that ends early and every status but success are refused with what to do.
 */
export async function pullHttp(source: HttpSource, input: PullInput): Promise<Pulled> {
  const agent = createAgent(source);
  const origin = originOf(source);
  const known = input.checkpoint?.origin === origin ? input.checkpoint : null;
  try {
    const reply = await ask(source, { agent, conditions: conditionsOf(known), signal: input.signal });
    if (reply.statusCode === 304 && known !== null) return { kind: 'unchanged', checkpoint: known };
    if (reply.statusCode === 204) return { kind: 'nothing', reason: `${reply.place.url} currently has no file (204)` };
    if (reply.statusCode !== 200) {
      throw statusError(reply.statusCode, reply.place, headerOf(reply, 'retry-after'), input.now());
    }
    return await download(reply, origin, input);
  } catch (error) {
    throw input.signal?.aborted === true ? interrupted(showUrl(source.url)) : error;
  } finally {
    await agent.destroy();
  }
}

function conditionsOf(known: Checkpoint | null): Record<string, string> {
  return {
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known?.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
  };
}

async function download(reply: Reply, origin: string, input: PullInput): Promise<PulledFile> {
  const { url, place } = reply;
  const limit = input.limits.fileSize;
  const length = lengthOf(reply);
  if (length !== undefined && length > limit) throw tooLarge(place.url, `${length} bytes`, limit);
  const bounds = { length, limits: input.limits, received: input.received };
  const disposition = headerOf(reply, 'content-disposition');
  const label = { type: headerOf(reply, 'content-type'), disposition };
  const chunks = refusePages(readBody(reply, bounds), place, label);
  const saved = await save(chunks, { target: input.target, limit, what: place.url, signal: input.signal });
  const name = nameOf(url, disposition);
  const etag = keptHeader(reply, 'etag');
  const lastModified = keptHeader(reply, 'last-modified');
  const modified = lastModified === undefined ? Number.NaN : Date.parse(lastModified);
  const mtimeMs = Number.isNaN(modified) ? null : modified;
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

function lengthOf(reply: Reply): number | undefined {
  const text = headerOf(reply, 'content-length');
  return text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
}

/** A version of a file is a short text. */
const LONGEST_VERSION = 1000;
/** Below this size no ratio is suspicious: a few repeated lines pack very well. */
const RATIO_FLOOR_BYTES = 64 * 1024;

/** The announced length, the limits on what comes, and what is called for it. */
type Bounds = Pick<PullInput, 'limits' | 'received'> & { length: number | undefined };

function bomb(place: Place, { unpackRatio }: PullInput['limits']): OfferlineError {
  const message = `${place.url} sent a file that unpacks to more than ${unpackRatio} times its transferred size (limits.unpackRatio), like an archive bomb. It was not used.`;
  return new OfferlineError('file-rejected', message, { details: { url: place.url, limit: unpackRatio } });
}

/** The bytes of the file: transfer compression undone, the announced length checked, failures put into words. */
async function* readBody(
  reply: Reply,
  { length, limits, received: receivedBytes }: Bounds,
): AsyncGenerator<Uint8Array> {
  const { place } = reply;
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      receivedBytes?.(chunk.length);
      yield chunk;
    }
  }
  try {
    const decoded = decode(counted(), headerOf(reply, 'content-encoding'), place);
    let unpacked = 0;
    for await (const chunk of decoded) {
      unpacked += chunk.length;
      if (unpacked > RATIO_FLOOR_BYTES && unpacked > received * limits.unpackRatio) throw bomb(place, limits);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    throw bodyError(error, place, { received, length });
  }
}

/** Undoes the compression that the server applied for the transfer; a file that is a zip or gzip itself stays one. */
function decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  place: Place,
): AsyncIterable<Uint8Array> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return chunks;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw pullError(
      place,
      `sent the file with the content encoding "${foreignText(name, 40)}", which was not requested; ask the supplier.`,
    );
  }
  const gunzip = createGunzip();
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  return gunzip;
}
