import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { AwsV4Signer } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { Agent, request, type Dispatcher } from 'undici';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import type { Blob } from '../archive.ts';
import { hashBytes } from '../durable.ts';
import { readKeys, type Keys } from './credentials.ts';
import {
  hasError,
  knowsNoCondition,
  mayPass,
  networkError,
  readRefusal,
  refusalError,
  replyError,
  type Refusal,
} from './errors.ts';
import { shownRemote, type Remote } from './remote.ts';

/** An object of a store by its key, which has the archive's prefix before it. */
export type StoredObject = { key: string; bytes: number };

/** What an archive asks of a store of objects. Each call may be repeated, and is tried again while the store says that this may help. */
export type ObjectStore = AsyncDisposable & {
  /** Where it is, for people. */
  place: string;
  /** Writes a finished file, unless an object is there: then that stays, and the answer is `there`. `replace`: whatever is there. */
  put: (key: string, path: string, blob: Blob, options?: { replace?: boolean }) => Promise<'made' | 'there'>;
  /** The bytes of an object; null when there is none. Fails when they break off. */
  get: (key: string, signal?: AbortSignal) => Promise<AsyncIterable<Buffer> | null>;
  /** How many bytes an object has; null when there is none. */
  size: (key: string) => Promise<number | null>;
  /** Removes an object; does nothing when there is none. */
  remove: (key: string) => Promise<void>;
  /** Copies an object inside of the store. */
  copy: (key: string, to: string) => Promise<void>;
  /** The objects whose keys begin like this, in the order of their keys. */
  list: (beginning: string) => AsyncIterable<StoredObject>;
  /** What the bucket does to its objects by itself; false where the store does not say. */
  rules: () => Promise<{ expires: boolean; versions: boolean }>;
  /** Whether the store is known to honour `If-None-Match: *`; null: it was not asked yet. */
  conditions: () => boolean | null;
};

/** What the requests of an archive cost, for documentation and tests. */
export type Counter = (method: string) => void;

type Question = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Part of a file, or a short text. */
  body?: { path: string; from: number; bytes: number; sha256: string } | { text: string; sha256: string };
  signal?: AbortSignal | undefined;
};

const MB = 1024 * 1024;
/** Larger files are sent in parts of this size; a store takes at most 10,000 of them. */
const PART = 64 * MB;
const MOST_PARTS = 10_000;
/** Replies that are read whole are short: a page has at most 1,000 keys of 1,024 bytes. */
const LONGEST_REPLY = 8 * MB;
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** How often a request is tried, and how long in all. */
const TRIES = 8;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 20_000;
/** Keys that end are read anew when less time than this is left. */
const BEFORE_END = 5 * 60_000;

const pageParser = new XMLParser({
  parseTagValue: false,
  ignoreAttributes: true,
  isArray: (name) => name === 'Contents',
});

/** Opens a bucket; nothing is asked yet. `count` sees each request; `pause` waits between tries. */
export function openStore(
  remote: Remote,
  { count = () => undefined, pause = wait }: { count?: Counter; pause?: Pause } = {},
): ObjectStore {
  return new Bucket(remote, count, pause);
}

type Pause = (ms: number) => Promise<void>;
const wait: Pause = (ms) => setTimeout(ms);

class Bucket implements ObjectStore {
  readonly place: string;
  readonly #remote: Remote;
  readonly #count: Counter;
  readonly #pause: Pause;
  readonly #agent: Agent;
  readonly #base: string;
  #keys: Promise<Keys> | undefined;
  #conditions: boolean | null = null;

  constructor(remote: Remote, count: Counter, pause: Pause) {
    const { timeout, ca } = remote;
    this.place = shownRemote(remote);
    this.#remote = remote;
    this.#count = count;
    this.#pause = pause;
    this.#base = baseOf(remote);
    this.#agent = new Agent({
      connect: { timeout, ...(ca === null ? {} : { ca: certificates(ca) }) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: -1,
    });
  }

  conditions(): boolean | null {
    return this.#conditions;
  }

  async put(key: string, path: string, blob: Blob, { replace = false } = {}): Promise<'made' | 'there'> {
    if (blob.bytes > PART) return this.#putInParts(key, path, blob, replace);
    const body = { path, from: 0, ...blob };
    const send = (condition: Record<string, string>) =>
      this.#change({ method: 'PUT', key, headers: { ...this.#encryption(), ...condition }, body });
    if (!replace && this.#conditions !== false) {
      const said = await send(UNLESS_THERE);
      if (said === null) return this.#learnt('made');
      if (isThere(said)) return this.#learnt('there');
      if (!knowsNoCondition(said)) throw refusalError(this.place, said);
      this.#conditions = false;
    }
    if (!replace && (await this.size(key)) !== null) return 'there';
    const said = await send({});
    if (said !== null) throw refusalError(this.place, said);
    return 'made';
  }

  #learnt<T>(answer: T): T {
    this.#conditions = true;
    return answer;
  }

  /** In parts, which are given up when one of them fails: nobody sees any before all are there. */
  async #putInParts(key: string, path: string, blob: Blob, replace: boolean): Promise<'made' | 'there'> {
    if (!replace && (await this.size(key)) !== null) return 'there';
    const begun = await this.#text({ method: 'POST', key, query: { uploads: '' }, headers: this.#encryption() });
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/u.exec(begun)?.[1];
    if (uploadId === undefined) throw replyError(this.place, 'began no upload in parts, and said that it did');
    try {
      const size = Math.max(PART, Math.ceil(blob.bytes / MOST_PARTS));
      const parts: string[] = [];
      for (let from = 0; from < blob.bytes; from += size) {
        const number = parts.length + 1;
        const etag = await this.#putPart(key, { uploadId, number }, path, from, Math.min(size, blob.bytes - from));
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
      }
      const whole = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      return await this.#complete(key, uploadId, whole, replace);
    } catch (error) {
      await this.#ask({ method: 'DELETE', key, query: { uploadId } }).then(drop, () => undefined);
      throw error;
    }
  }

  async #putPart(
    key: string,
    { uploadId, number }: { uploadId: string; number: number },
    path: string,
    from: number,
    bytes: number,
  ): Promise<string> {
    const { sha256 } = await hashBytes(createReadStream(path, { start: from, end: from + bytes - 1 }));
    const query = { partNumber: String(number), uploadId };
    const { headers } = await this.#done({ method: 'PUT', key, query, body: { path, from, bytes, sha256 } });
    const etag = [headers['etag'] ?? []].flat()[0];
    if (etag === undefined) throw replyError(this.place, 'took a part and gave it no ETag');
    return etag.replaceAll(/[<&>]/gu, '');
  }

  async #complete(key: string, uploadId: string, text: string, replace: boolean): Promise<'made' | 'there'> {
    const { sha256 } = await hashBytes(bytesOfText(text));
    const question = { method: 'POST', key, query: { uploadId }, body: { text, sha256 } } as const;
    if (!replace && this.#conditions !== false) {
      const said = await this.#change({ ...question, headers: UNLESS_THERE });
      if (said === null) return 'made';
      if (isThere(said)) {
        await this.#ask({ method: 'DELETE', key, query: { uploadId } }).then(drop, () => undefined);
        return 'there';
      }
      // A try whose answer was lost has completed it.
      if (said.code === 'NoSuchUpload' && (await this.size(key)) !== null) return 'made';
      if (!knowsNoCondition(said)) throw refusalError(this.place, said);
    }
    const said = await this.#change(question);
    if (said === null || (said.code === 'NoSuchUpload' && (await this.size(key)) !== null)) return 'made';
    throw refusalError(this.place, said);
  }

  async get(key: string, signal?: AbortSignal): Promise<AsyncIterable<Buffer> | null> {
    const reply = await this.#asked({ method: 'GET', key, signal }, [200]);
    return reply === null ? null : this.#bytesOf(reply);
  }

  async *#bytesOf({ body, headers }: Dispatcher.ResponseData): AsyncGenerator<Buffer> {
    const length = Number([headers['content-length'] ?? []].flat()[0] ?? NaN);
    let bytes = 0;
    try {
      for await (const piece of body) {
        const buffer = piece as Buffer;
        bytes += buffer.length;
        yield buffer;
      }
    } catch (error) {
      throw networkError(this.place, error);
    }
    if (!Number.isNaN(length) && bytes < length)
      throw replyError(this.place, `ended an object after ${bytes} of ${length} bytes`);
  }

  async size(key: string): Promise<number | null> {
    const reply = await this.#asked({ method: 'HEAD', key }, [200]);
    if (reply === null) return null;
    await drop(reply);
    return Number([reply.headers['content-length'] ?? []].flat()[0] ?? 0);
  }

  async remove(key: string): Promise<void> {
    const reply = await this.#asked({ method: 'DELETE', key }, [200, 202, 204]);
    if (reply !== null) await drop(reply);
  }

  async copy(key: string, to: string): Promise<void> {
    const from = `/${this.#remote.bucket}/${escaped(key)}`;
    await this.#text({ method: 'PUT', key: to, headers: { ...this.#encryption(), 'x-amz-copy-source': from } });
  }

  async *list(beginning: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const more: Record<string, string> = token === undefined ? {} : { 'continuation-token': token };
      const text = await this.#text({ method: 'GET', query: { 'list-type': '2', prefix: beginning, ...more } });
      const page = pageIn(text);
      if (page === null)
        throw replyError(this.place, 'sent no list of objects; correct archive.endpoint and archive.style');
      for (const { Key = '', Size = '' } of page.Contents ?? []) yield { key: Key, bytes: Number(Size) };
      const next = page.IsTruncated === 'true' ? page.NextContinuationToken : undefined;
      if (page.IsTruncated === 'true' && (next === undefined || next === token)) {
        throw replyError(this.place, 'sent a list that does not go on');
      }
      token = next;
    } while (token !== undefined);
  }

  async rules(): Promise<{ expires: boolean; versions: boolean }> {
    const said = async (query: string) => {
      const reply = await this.#ask({ method: 'GET', query: { [query]: '' } });
      const text = await this.#read(reply);
      return reply.statusCode === 200 ? text : '';
    };
    const rules = (await said('lifecycle')).match(/<Rule>[^]*?<\/Rule>/gu) ?? [];
    const expires = rules.some((rule) => rule.includes('<Status>Enabled') && rule.includes('<Expiration>'));
    return { expires, versions: (await said('versioning')).includes('<Status>Enabled') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #encryption(): Record<string, string> {
    const { encryption } = this.#remote;
    if (encryption === null) return {};
    const key = 'key' in encryption ? encryption.key : null;
    return {
      'x-amz-server-side-encryption': encryption.type,
      ...(key === null ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
    };
  }

  /** A change whose refusals decide what comes next; null when it was made. What may pass is tried again. */
  async #change(question: Question): Promise<Refusal | null> {
    return this.#again(async () => {
      const reply = await this.#ask(question);
      const text = await this.#read(reply);
      if (reply.statusCode < 300 && !hasError(text)) return null;
      const said = refusalOf(reply, text);
      if (!isThere(said) && mayPass(said) && !knowsNoCondition(said))
        throw new Passing(refusalError(this.place, said), said);
      return said;
    });
  }

  /** A request that has to succeed; its reply is read to its end. */
  async #done(question: Question): Promise<{ headers: Dispatcher.ResponseData['headers']; text: string }> {
    return this.#again(async () => {
      const reply = await this.#ask(question);
      const text = await this.#read(reply);
      if (reply.statusCode < 300 && !hasError(text)) return { headers: reply.headers, text };
      throw this.#refused(refusalOf(reply, text));
    });
  }

  async #text(question: Question): Promise<string> {
    return (await this.#done(question)).text;
  }

  /** The reply to a question about one object, unread; null when there is none. */
  async #asked(question: Question, good: number[]): Promise<Dispatcher.ResponseData | null> {
    return this.#again(async () => {
      const reply = await this.#ask(question);
      if (good.includes(reply.statusCode)) return reply;
      const text = await this.#read(reply);
      const said = refusalOf(reply, text);
      // A reply to HEAD has no body that could name what is missing.
      if (said.status === 404 && said.code !== 'NoSuchBucket') return null;
      throw this.#refused(said);
    });
  }

  #refused(said: Refusal): Error {
    const error = refusalError(this.place, said);
    return error.retryable ? new Passing(error, said) : error;
  }

  async #again<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        const known = error instanceof Passing ? error.shown : error;
        if (!(known instanceof OfferlineError) || !known.retryable || tried === TRIES) throw known;
        const asked = error instanceof Passing ? error.said.retryAfter : null;
        const usual = Math.min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE) * (0.5 + Math.random() / 2);
        await this.#pause(Math.min(Math.max(usual, asked ?? 0), LONGEST_PAUSE));
      }
    }
  }

  async #ask({ method, key, query = {}, headers = {}, body, signal }: Question): Promise<Dispatcher.ResponseData> {
    const url = new URL(key === undefined ? this.#base : `${this.#base}/${escaped(key)}`);
    // Signatures are made over blanks as %20, which is not how forms write them.
    url.search = Object.entries(query)
      .map(([name, value]) => (value === '' ? name : `${name}=${encodeURIComponent(value)}`))
      .join('&');
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#signingKeys();
    const signer = new AwsV4Signer({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': body?.sha256 ?? EMPTY, ...headers },
      service: 's3',
      region: this.#remote.region,
    });
    const signed = await signer.sign();
    const length = body === undefined ? 0 : 'text' in body ? Buffer.byteLength(body.text) : body.bytes;
    this.#count(method);
    try {
      return await request(signed.url, {
        method,
        headers: {
          'accept-encoding': 'identity',
          ...(method === 'PUT' || method === 'POST' ? { 'content-length': String(length) } : {}),
          ...dictionary(signed.headers.entries()),
        },
        body: streamOf(body),
        dispatcher: this.#agent,
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw networkError(this.place, error);
    }
  }

  async #signingKeys(): Promise<Keys> {
    const known = await this.#keys?.catch(() => undefined);
    const isGood = known !== undefined && (known.until === null || known.until - Date.now() > BEFORE_END);
    if (!isGood) this.#keys = readKeys(this.#remote);
    return this.#keys!;
  }

  async #read({ body }: Dispatcher.ResponseData): Promise<string> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const piece of body) {
        bytes += (piece as Buffer).length;
        if (bytes > LONGEST_REPLY) throw replyError(this.place, `sent a reply of more than ${LONGEST_REPLY / MB} MB`);
        pieces.push(piece as Buffer);
      }
    } catch (error) {
      throw error instanceof OfferlineError ? error : networkError(this.place, error);
    }
    return Buffer.concat(pieces).toString('utf8');
  }
}

/** A refusal that may pass, with what the store said. */
class Passing extends Error {
  readonly shown: OfferlineError;
  readonly said: Refusal;

  constructor(shown: OfferlineError, said: Refusal) {
    super(shown.message);
    this.shown = shown;
    this.said = said;
  }
}

const UNLESS_THERE = { 'if-none-match': '*' };

function isThere({ status }: Refusal): boolean {
  return status === 412 || status === 304;
}

type Page = {
  Contents?: { Key?: string; Size?: string }[];
  IsTruncated?: string;
  NextContinuationToken?: string;
};

function pageIn(text: string): Page | null {
  try {
    const { ListBucketResult: page } = pageParser.parse(text) as { ListBucketResult?: Page | '' };
    if (page === undefined) return null;
    return page === '' ? {} : page;
  } catch {
    return null;
  }
}

function refusalOf({ statusCode, headers }: Dispatcher.ResponseData, text: string): Refusal {
  const flat = dictionary(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()[0]] as const));
  return readRefusal(statusCode, text, flat, Date.now());
}

/** Reads what nobody needs, which is nothing but for stores that answer a change with words. */
async function drop({ body }: Dispatcher.ResponseData): Promise<void> {
  for await (const _piece of body);
}

function streamOf(body: Question['body']) {
  if (body === undefined) return null;
  if ('text' in body) return body.text;
  if (body.bytes === 0) return '';
  return createReadStream(body.path, { start: body.from, end: body.from + body.bytes - 1, highWaterMark: MB });
}

async function* bytesOfText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function certificates(file: string): string[] {
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')];
  } catch (error) {
    throw new OfferlineError('config', `The file of certificates ${file} (archive.ca) cannot be read.`, {
      cause: error,
    });
  }
}

/** The address of the bucket. */
function baseOf({ endpoint, bucket, style }: Remote): string {
  const url = new URL(endpoint);
  if (style === 'host') url.host = `${bucket}.${url.host}`;
  else url.pathname = `${url.pathname.replace(/\/$/u, '')}/${bucket}`;
  return url.href.replace(/\/$/u, '');
}

/** As signatures demand it: each part of the path for itself. */
function escaped(key: string): string {
  return key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replaceAll(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
}
