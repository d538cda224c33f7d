import { createReadStream } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import type { Dispatcher } from 'undici';
import { escapedKey } from '../../io/s3/address.ts';
import type { Blob } from '../archive.ts';
import { hashBytes } from '../durable.ts';
import { isThere, knowsNoCondition, networkError, refusalError, replyError } from './errors.ts';
import type { Remote } from './remote.ts';
import { Requests, type Counter, type Pause } from './requests.ts';

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
  /** Whether the store honours `If-None-Match: *` (true) or refuses it (false); null while neither was seen: it may pass it over. */
  conditions: () => boolean | null;
};

const MB = 1024 * 1024;
/** Larger files are sent in parts of this size; a store takes at most 10,000 of them. */
const PART = 64 * MB;
const MOST_PARTS = 10_000;
const UNLESS_THERE = { 'if-none-match': '*' };

const pageParser = new XMLParser({
  parseTagValue: false,
  ignoreAttributes: true,
  isArray: (name) => name === 'Contents',
});

/** Opens a bucket; nothing is asked yet. `count` sees each request; `pause` waits between tries. */
export function openStore(remote: Remote, { count, pause }: { count?: Counter; pause?: Pause } = {}): ObjectStore {
  return new Bucket(remote, new Requests(remote, { count, pause }));
}

class Bucket implements ObjectStore {
  readonly place: string;
  readonly #remote: Remote;
  readonly #requests: Requests;
  #conditions: boolean | null = null;

  constructor(remote: Remote, requests: Requests) {
    this.place = requests.place;
    this.#remote = remote;
    this.#requests = requests;
  }

  conditions(): boolean | null {
    return this.#conditions;
  }

  async put(key: string, path: string, blob: Blob, { replace = false } = {}): Promise<'made' | 'there'> {
    if (blob.bytes > PART) return this.#putInParts(key, path, blob, replace);
    const body = { path, from: 0, ...blob };
    const send = (condition: Record<string, string>) =>
      this.#requests.change({ method: 'PUT', key, headers: { ...this.#encryption(), ...condition }, body });
    if (!replace && this.#conditions !== false) {
      const said = await send(UNLESS_THERE);
      // Also of a store that passes the condition over.
      if (said === null) return 'made';
      if (isThere(said)) {
        this.#conditions = true;
        return 'there';
      }
      if (!knowsNoCondition(said)) throw refusalError(this.#remote, said);
      this.#conditions = false;
    }
    if (!replace && (await this.size(key)) !== null) return 'there';
    const said = await send({});
    if (said !== null) throw refusalError(this.#remote, said);
    return 'made';
  }

  /** In parts, which are given up when one of them fails: nobody sees any before all are there. */
  async #putInParts(key: string, path: string, blob: Blob, replace: boolean): Promise<'made' | 'there'> {
    if (!replace && (await this.size(key)) !== null) return 'there';
    const begun = await this.#text({ method: 'POST', key, query: { uploads: '' }, headers: this.#encryption() });
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/u.exec(begun)?.[1];
    if (uploadId === undefined) throw replyError(this.#remote, 'began no upload in parts, and said that it did');
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
      await this.#giveUp(key, uploadId);
      throw error;
    }
  }

  /** What cannot be given up is removed by the store's own rules. */
  async #giveUp(key: string, uploadId: string): Promise<void> {
    await this.#requests.once({ method: 'DELETE', key, query: { uploadId } }).catch(() => null);
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
    const { headers } = await this.#requests.done({ method: 'PUT', key, query, body: { path, from, bytes, sha256 } });
    const etag = [headers['etag'] ?? []].flat()[0];
    if (etag === undefined) throw replyError(this.#remote, 'took a part and gave it no ETag');
    return etag.replaceAll(/[<&>]/gu, '');
  }

  async #complete(key: string, uploadId: string, text: string, replace: boolean): Promise<'made' | 'there'> {
    const { sha256 } = await hashBytes(bytesOfText(text));
    const question = { method: 'POST', key, query: { uploadId }, body: { text, sha256 } } as const;
    if (!replace && this.#conditions !== false) {
      const said = await this.#requests.change({ ...question, headers: UNLESS_THERE });
      if (said === null) return 'made';
      if (isThere(said)) {
        await this.#giveUp(key, uploadId);
        return 'there';
      }
      // A try whose answer was lost has completed it.
      if (said.code === 'NoSuchUpload' && (await this.size(key)) !== null) return 'made';
      if (!knowsNoCondition(said)) throw refusalError(this.#remote, said);
    }
    const said = await this.#requests.change(question);
    if (said === null || (said.code === 'NoSuchUpload' && (await this.size(key)) !== null)) return 'made';
    throw refusalError(this.#remote, said);
  }

  async get(key: string, signal?: AbortSignal): Promise<AsyncIterable<Buffer> | null> {
    const reply = await this.#requests.object({ method: 'GET', key, signal });
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
      throw networkError(this.#remote, error);
    }
    if (!Number.isNaN(length) && bytes < length)
      throw replyError(this.#remote, `ended an object after ${bytes} of ${length} bytes`);
  }

  async size(key: string): Promise<number | null> {
    const headers = await this.#requests.ofObject({ method: 'HEAD', key });
    return headers === null ? null : Number([headers['content-length'] ?? []].flat()[0] ?? 0);
  }

  async remove(key: string): Promise<void> {
    await this.#requests.ofObject({ method: 'DELETE', key });
  }

  async copy(key: string, to: string): Promise<void> {
    const from = `/${this.#remote.bucket}/${escapedKey(key)}`;
    await this.#text({ method: 'PUT', key: to, headers: { ...this.#encryption(), 'x-amz-copy-source': from } });
  }

  async *list(beginning: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const more: Record<string, string> = token === undefined ? {} : { 'continuation-token': token };
      const text = await this.#text({ method: 'GET', query: { 'list-type': '2', prefix: beginning, ...more } });
      const page = pageIn(text);
      if (page === null)
        throw replyError(this.#remote, 'sent no list of objects; correct archive.endpoint and archive.style');
      for (const { Key = '', Size = '' } of page.Contents ?? []) yield { key: Key, bytes: Number(Size) };
      const next = page.IsTruncated === 'true' ? page.NextContinuationToken : undefined;
      if (page.IsTruncated === 'true' && (next === undefined || next === token)) {
        throw replyError(this.#remote, 'sent a list that does not go on');
      }
      token = next;
    } while (token !== undefined);
  }

  async rules(): Promise<{ expires: boolean; versions: boolean }> {
    const said = async (query: string) => (await this.#requests.once({ method: 'GET', query: { [query]: '' } })) ?? '';
    const rules = (await said('lifecycle')).split('</Rule>');
    const expires = rules.some((rule) => rule.includes('<Status>Enabled') && rule.includes('<Expiration>'));
    return { expires, versions: (await said('versioning')).includes('<Status>Enabled') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#requests[Symbol.asyncDispose]();
  }

  async #text(question: Parameters<Requests['done']>[0]): Promise<string> {
    return (await this.#requests.done(question)).text;
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

async function* bytesOfText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
