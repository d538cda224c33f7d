import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { S3Source } from '../../config/schema/sources/s3.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { readReplyBytes, type ReplyMeter } from '../../io/peers/read-reply.ts';
import { bucketAddress, escapedKey, objectAddress } from '../../io/s3/address.ts';
import type { S3Keys } from '../../io/s3/keys.ts';
import { signed } from '../../io/s3/signed.ts';
import { bytesOf, lengthOf, readBody, textOf, unreadableListing } from '../http/body.ts';
import { drop } from '../http/drop.ts';
import { pullError } from '../http/errors.ts';
import { changedError } from '../http/ranged.ts';
import { ask, headerOf, openWeb, type Question, type Reply } from '../http/request.ts';
import { type Listing, listingOf, meterOf, REFUSAL } from '../limits.ts';
import type { Facts } from '../result/result-place.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { credentialsOf } from './credentials.ts';
import { refusalOf } from './errors.ts';
import { inSeconds, namesOf, type PagedObject, type PageEnd, readPage, tagOf } from './listing.ts';

/** The objects of a bucket that lie directly under a prefix. Each appears whole and at once. */
export async function openS3(source: S3Source, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const bucket = new Bucket(source, place, await credentialsOf(source, place), signal);
  const { prefix = '' } = source;
  const keyOf = (name: string) => prefix + name;
  const ofResult = (path: string) => {
    const { dir, base } = posix.parse(path);
    return dir === '' ? keyOf(base) : folderOf(prefix, dir) + base;
  };
  return {
    whole: true,
    resumes: true,
    list: (wanted) => bucket.list(wanted),
    look: ({ name }) => bucket.look(keyOf(name), name),
    read: (file, from = 0) => bucket.read(keyOf(file.name), file, from),
    remove: (file) => bucket.remove(keyOf(file.name), file),
    move: (file, to) => bucket.move(keyOf(file.name), file, folderOf(prefix, to)),
    results: {
      look: (path) => bucket.look(ofResult(path), path),
      read: (path, facts, from) => bucket.read(ofResult(path), { name: path, ...facts }, from),
      makeFolder: async () => {},
      place: (path, content, over) => bucket.put(ofResult(path), content, over),
    },
    close: () => bucket.close(),
  };
}

/** The prefix that objects are moved under: inside the source's own unless it begins with a slash. */
function folderOf(prefix: string, to: string): string {
  const names = to.split('/').filter((name) => name !== '' && name !== '.');
  return `${to.startsWith('/') ? '' : prefix.replace(/[^/]*$/u, '')}${names.join('/')}/`;
}

const MOST_OF_ONE_NAME = 1000;

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Keys have at most 1,024 bytes; servers put up to 1,000 objects on a page, and fewer where folders lie between them. */
const OBJECT: Listing = { bytes: 2000, pages: 1 / 50 };

class Bucket {
  readonly #source: S3Source;
  readonly #place: ServerPlace;
  readonly #keys: S3Keys;
  readonly #signal: AbortSignal | undefined;
  readonly #base: URL;
  readonly #web: ReturnType<typeof openWeb>;

  constructor(source: S3Source, place: ServerPlace, keys: S3Keys, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#place = place;
    this.#keys = keys;
    this.#signal = signal;
    this.#base = bucketAddress(source);
    const url = this.#base.href;
    const { timeout } = source;
    this.#web = openWeb({ url, timeout, auth: { type: 'none' }, headers: {}, maxRedirects: 0, allowHosts: [] });
  }

  async list(wanted: (name: string) => boolean): Promise<Listed[]> {
    const { prefix = '' } = this.#source;
    const files: Listed[] = [];
    const meter = meterOf(this.#place, listingOf(this.#source, OBJECT), () => this.close());
    let next: PageEnd['next'];
    do {
      meter.count({ pages: 1 });
      const query = { 'list-type': '2', delimiter: '/', 'encoding-type': 'url', prefix, ...asking(next) };
      const reply = await this.#ask('GET', this.#base, { query });
      if (reply.statusCode !== 200) throw await refusalOf(reply, this.#place);
      const asked = next;
      const page = await this.#page(reply, meter);
      for (const object of page.objects) {
        // Each may be asked for, and the listing has one time for all of them.
        meter.count({});
        const file = await this.#named(object, page.isEscaped, wanted);
        if (file !== undefined) files.push(file);
      }
      ({ next } = page);
      if (next !== undefined && isTheSame(next, asked)) throw this.#unreadable();
    } while (next !== undefined);
    return files;
  }

  /** An object by the rest of its key; of one that is wanted, what the page leaves open is asked for. */
  async #named(
    { key, ...facts }: PagedObject,
    isEscaped: boolean,
    wanted: (name: string) => boolean,
  ): Promise<Listed | undefined> {
    const { prefix = '' } = this.#source;
    const names = namesOf(key, isEscaped).flatMap((whole) =>
      whole.startsWith(prefix) ? whole.slice(prefix.length) : [],
    );
    const [name] = names;
    // The object of the prefix itself stands for an empty folder in consoles.
    if (name === undefined || name === '') return undefined;
    const isTold = names.length === 1 && facts.inexact !== true && facts.mtimeMs !== null && facts.id !== undefined;
    if (isTold || !names.some(wanted)) return { name, ...facts };
    for (const one of names) {
      const found = await this.look(prefix + one, one);
      if (found !== undefined) return found;
    }
    return { name, ...facts };
  }

  async look(key: string, name: string): Promise<Listed | undefined> {
    const reply = await this.#ask('HEAD', this.#urlOf(key));
    await drop(reply, this.#place);
    if (reply.statusCode === 404) return undefined;
    if (reply.statusCode !== 200) throw await refusalOf(reply, this.#place);
    const etag = headerOf(reply, 'etag');
    return {
      name,
      size: lengthOf(reply) ?? 0,
      mtimeMs: inSeconds(Date.parse(headerOf(reply, 'last-modified') ?? '')),
      ...(etag === undefined ? {} : { id: tagOf(etag) }),
    };
  }

  async *read(key: string, file: Listed, from: number): AsyncGenerator<Uint8Array> {
    const range: Record<string, string> = from === 0 ? {} : { range: `bytes=${from}-` };
    const reply = await this.#ask('GET', this.#urlOf(key), { headers: { ...range, ...matching(file) } });
    const { place, statusCode } = reply;
    if (statusCode === 404 || statusCode === 412 || statusCode === 416) {
      await drop(reply, place);
      throw changedError(place);
    }
    if (statusCode !== (from === 0 ? 200 : 206)) throw await refusalOf(reply, this.#place);
    yield* readBody(reply, { length: lengthOf(reply), limits: { fileSize: Infinity, unpackRatio: Infinity } });
  }

  /** Amazon takes the condition, servers that do not know it are looked at right before. */
  async remove(key: string, file: Listed): Promise<void> {
    if (!isSameFile(file, await this.look(key, file.name))) throw changedError(this.#place);
    const reply = await this.#ask('DELETE', this.#urlOf(key), { headers: matching(file) });
    if (reply.statusCode === 412) throw changedError(this.#place);
    if (![200, 204, 404].includes(reply.statusCode)) throw await refusalOf(reply, this.#place);
    await drop(reply, this.#place);
  }

  async move(key: string, file: Listed, folder: string): Promise<void> {
    const { name, ext } = posix.parse(file.name);
    for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
      const free = folder + (number === 1 ? file.name : `${name} (${number})${ext}`);
      if ((await this.look(free, file.name)) !== undefined) continue;
      // A store that does not know the condition of a copy would make one of another version.
      if (!isSameFile(file, await this.look(key, file.name))) throw changedError(this.#place);
      await this.#copy(key, file, free);
      return this.remove(key, file);
    }
    const message = `has ${MOST_OF_ONE_NAME} objects of this name in ${folder}; empty it (source.moveTo).`;
    throw pullError(this.#place, message);
  }

  async #copy(key: string, file: Listed, to: string): Promise<void> {
    const from = `/${this.#source.bucket}/${escapedKey(key)}`;
    const condition: Record<string, string> =
      file.id === undefined ? {} : { 'x-amz-copy-source-if-match': `"${file.id}"` };
    const headers = { 'x-amz-copy-source': from, ...condition };
    const reply = await this.#ask('PUT', this.#urlOf(to), { headers });
    if (reply.statusCode === 412 || reply.statusCode === 404) throw changedError(this.#place);
    // A copy that fails late says so in the body of a success.
    const text = reply.statusCode === 200 ? await textOf(reply, REFUSAL) : undefined;
    if (text === undefined) throw await refusalOf(reply, this.#place);
    if (text.includes('<Error>')) throw pullError(this.#place, `did not copy ${file.name}; it will be tried again.`);
  }

  /**
   * An object appears whole. What lies there is told by its ETag. It is looked at right before, because Swift knows no condition, and Ceph
   * compares ETags with their quotes, so that none fits.
   */
  async put(key: string, content: Buffer, over: Facts | undefined): Promise<boolean> {
    if (!(await this.#isStill(key, over))) return false;
    const condition: Record<string, string> = over === undefined ? { 'if-none-match': '*' } : matching(over);
    const body = { text: content, type: WORKBOOK };
    const sum = { 'x-amz-content-sha256': createHash('sha256').update(content).digest('hex') };
    let reply = await this.#ask('PUT', this.#urlOf(key), { headers: { ...sum, ...condition }, body });
    const { statusCode: answered } = reply;
    if (answered === 501 || (answered === 412 && over !== undefined && (await this.#isStill(key, over)))) {
      await drop(reply, this.#place);
      reply = await this.#ask('PUT', this.#urlOf(key), { headers: sum, body });
    }
    const { statusCode } = reply;
    if (![200, 201, 204, 409, 412].includes(statusCode)) throw await refusalOf(reply, this.#place);
    await drop(reply, this.#place);
    return statusCode < 300;
  }

  async #isStill(key: string, over: Facts | undefined): Promise<boolean> {
    const now = await this.look(key, key);
    if (over === undefined || now === undefined) return over === now;
    return isSameFile({ name: key, ...over }, now);
  }

  close(): void {
    void this.#web.close();
  }

  async #ask(
    method: NonNullable<Question['method']>,
    url: URL,
    { query = {}, headers = {}, body }: Pick<Question, 'headers' | 'body'> & { query?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { region } = this.#source;
    const request = await signed({ method, url, query, headers, region }, this.#keys);
    return ask(this.#web, {
      method,
      url: request.url,
      follow: false,
      headers: { 'accept-encoding': 'identity', ...request.headers },
      ...(body === undefined ? {} : { body }),
      signal: this.#signal,
    });
  }

  #urlOf(key: string): URL {
    return objectAddress(this.#base, key);
  }

  async #page(reply: Reply, meter: ReplyMeter): Promise<PageEnd & { objects: PagedObject[] }> {
    const page = readPage(readReplyBytes(bytesOf(reply), meter));
    const objects: PagedObject[] = [];
    try {
      for (;;) {
        const read = await page.next();
        if (read.done === true) return { ...read.value, objects };
        meter.count({ entries: 1 });
        objects.push(read.value);
      }
    } catch (error) {
      throw unreadableListing(error, this.#place, NO_LISTING);
    } finally {
      await page.return({ isEscaped: false });
    }
  }

  #unreadable(): OfferlineError {
    return pullError(this.#place, NO_LISTING);
  }
}

const NO_LISTING = 'sent no list of objects; correct source.endpoint and source.style.';

/** Asks for the page that follows: by its token, or after a name, as both versions call it. */
function asking(next: PageEnd['next']): Record<string, string> {
  if (next === undefined) return {};
  return 'token' in next ? { 'continuation-token': next.token } : { 'start-after': next.after, marker: next.after };
}

/** True where the next page would be the last one again, or one before. */
function isTheSame(next: NonNullable<PageEnd['next']>, asked: PageEnd['next']): boolean {
  if ('token' in next) return asked !== undefined && 'token' in asked && next.token === asked.token;
  const before = asked !== undefined && 'after' in asked ? asked.after : '';
  return Buffer.compare(Buffer.from(next.after), Buffer.from(before)) <= 0;
}

function matching({ id }: Pick<Listed, 'id'>): Record<string, string> {
  return id === undefined ? {} : { 'if-match': `"${id}"` };
}
