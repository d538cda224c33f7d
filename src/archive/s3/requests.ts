import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Agent, request, type Dispatcher } from 'undici';
import { OfferlineError, retryAfterMs } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { bucketAddress, objectAddress } from '../../io/s3/address.ts';
import { signed } from '../../io/s3/signed.ts';
import { readKeys, type Keys } from './credentials.ts';
import {
  hasError,
  isThere,
  knowsNoCondition,
  mayPass,
  networkError,
  readRefusal,
  refusalError,
  replyError,
  type Refusal,
} from './errors.ts';
import { shownRemote, type Remote } from './remote.ts';

/** What the requests of an archive cost, for documentation and tests. */
export type Counter = (method: string) => void;
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** A request to a bucket, or to one of its objects. */
export type Question = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Part of a file, or a short text. */
  body?: { path: string; from: number; bytes: number; sha256: string } | { text: string; sha256: string };
  signal?: AbortSignal | undefined;
};

type Reply = Dispatcher.ResponseData;

const MB = 1024 * 1024;
/** Replies that are read whole are short: a page has at most 1,000 keys of 1,024 bytes. */
const LONGEST_REPLY = 8 * MB;
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** How often a request is tried, and the pauses between tries, milliseconds. */
const TRIES = 8;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 20_000;
/** How often a request is sent whose time the store refuses. */
const SIGNED = 4;
/** Stores refuse requests whose time differs from theirs by more than a quarter of an hour; less than this is no reason, milliseconds. */
const CLOCKS_DIFFER = 5 * 60_000;
/** Keys that end are read anew when less time than this is left. */
const BEFORE_END = 5 * 60_000;

const wait: Pause = (ms, signal) => setTimeout(ms, undefined, { signal });

/** Asks a bucket: signs, sends, reads what is short, and tries again while the store says that this may help. */
export class Requests implements AsyncDisposable {
  /** The bucket, as people read it. */
  readonly place: string;
  readonly #remote: Remote;
  readonly #count: Counter;
  readonly #pause: Pause;
  readonly #agent: Agent;
  readonly #base: URL;
  #keys: Promise<Keys> | undefined;
  /** How far the store's clock is ahead of the one here, where that once kept it from taking a request; milliseconds. */
  #ahead = 0;

  constructor(
    remote: Remote,
    { count = () => undefined, pause = wait }: { count?: Counter | undefined; pause?: Pause | undefined },
  ) {
    const { timeout, ca } = remote;
    this.place = shownRemote(remote);
    this.#remote = remote;
    this.#count = count;
    this.#pause = pause;
    this.#base = bucketAddress(remote);
    this.#agent = new Agent({
      connect: { timeout, ...(ca === null ? {} : { ca: certificates(ca, remote) }) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: -1,
    });
  }

  /** A change whose refusals decide what comes next; null when it was made. What may pass is tried again. */
  async change(question: Question): Promise<Refusal | null> {
    return this.#again(async () => {
      const { reply, text } = await this.#whole(question);
      if (isGood(reply, text)) return null;
      const said = refusalOf(reply, text);
      if (!isThere(said) && mayPass(said) && !knowsNoCondition(said)) throw refusalError(this.#remote, said);
      return said;
    });
  }

  /** A request that has to succeed, with its whole reply. */
  async done(question: Question): Promise<{ headers: Reply['headers']; text: string }> {
    return this.#again(async () => {
      const { reply, text } = await this.#whole(question);
      if (isGood(reply, text)) return { headers: reply.headers, text };
      throw refusalError(this.#remote, refusalOf(reply, text));
    });
  }

  /** What one request is answered, tried once; null for a refusal. */
  async once(question: Question): Promise<string | null> {
    const { reply, text } = await this.#whole(question);
    return isGood(reply, text) ? text : null;
  }

  /** The reply to a question about one object, unread; null when there is none. */
  async object(question: Question): Promise<Reply | null> {
    return this.#again(async () => {
      const reply = await this.#ask(question);
      return reply.statusCode === 200 ? reply : this.#missing(reply, await this.#read(reply));
    }, question.signal);
  }

  /** The headers of the reply about one object, or to its removal; null when there is none. */
  async ofObject(question: Question): Promise<Reply['headers'] | null> {
    return this.#again(async () => {
      const { reply, text } = await this.#whole(question);
      return isGood(reply, text) ? reply.headers : this.#missing(reply, text);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  /** Null for an object that is not there. A reply to HEAD has no body that could name what is missing. */
  #missing(reply: Reply, text: string): null {
    const said = refusalOf(reply, text);
    if (said.status === 404 && said.code !== 'NoSuchBucket') return null;
    throw refusalError(this.#remote, said);
  }

  async #again<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OfferlineError) || !error.retryable || tried === TRIES) throw error;
        const usual = Math.min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE) * (0.5 + Math.random() / 2);
        await this.#pause(Math.min(Math.max(usual, retryAfterMs(error) ?? 0), LONGEST_PAUSE), signal);
      }
    }
  }

  async #whole(question: Question): Promise<{ reply: Reply; text: string }> {
    const reply = await this.#ask(question);
    return { reply, text: await this.#read(reply) };
  }

  /**
   * A machine whose clock is wrong signs with the time of the store, as soon as that has told it. Its clock may be set once more meanwhile, and
   * several requests may find it out at once.
   */
  async #ask(question: Question): Promise<Reply> {
    for (let sent = 1; ; sent += 1) {
      const at = Date.now() + this.#ahead;
      const reply = await this.#send(question, at);
      const said = Date.parse(String(reply.headers['date']));
      if (reply.statusCode !== 403 || !(Math.abs(said - at) > CLOCKS_DIFFER) || sent === SIGNED) return reply;
      this.#ahead = said - Date.now();
      await this.#read(reply);
    }
  }

  async #send({ method, key, query, headers, body, signal }: Question, at: number): Promise<Reply> {
    const made = await signed(
      {
        method,
        url: key === undefined ? this.#base : objectAddress(this.#base, key),
        ...(query === undefined ? {} : { query }),
        headers: { 'x-amz-content-sha256': body?.sha256 ?? EMPTY, ...headers },
        region: this.#remote.region,
        at,
      },
      await this.#signingKeys(),
    );
    const length = body === undefined ? 0 : 'text' in body ? Buffer.byteLength(body.text) : body.bytes;
    this.#count(method);
    try {
      return await request(made.url, {
        method,
        headers: {
          'accept-encoding': 'identity',
          ...(method === 'PUT' || method === 'POST' ? { 'content-length': String(length) } : {}),
          ...made.headers,
        },
        body: streamOf(body),
        dispatcher: this.#agent,
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw networkError(this.#remote, error);
    }
  }

  async #signingKeys(): Promise<Keys> {
    const known = await this.#keys?.catch(() => undefined);
    const isFresh = known !== undefined && (known.until === null || known.until - Date.now() > BEFORE_END);
    if (!isFresh) this.#keys = readKeys(this.#remote);
    return this.#keys!;
  }

  async #read({ body }: Reply): Promise<string> {
    const meter = new ReplyMeter(
      { bytes: LONGEST_REPLY },
      {
        stop: () => body.destroy(),
        refuse: () => replyError(this.#remote, `sent a reply of more than ${LONGEST_REPLY / MB} MB`),
      },
    );
    try {
      return (await wholeReply(body as AsyncIterable<Uint8Array>, meter)).toString('utf8');
    } catch (error) {
      throw error instanceof OfferlineError ? error : networkError(this.#remote, error);
    }
  }
}

/** Copies and uploads in parts can fail in the body of a success. */
function isGood({ statusCode }: Reply, text: string): boolean {
  return statusCode < 300 && !hasError(text);
}

function refusalOf({ statusCode, headers }: Reply, text: string): Refusal {
  const flat = dictionary(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()[0]] as const));
  return readRefusal(statusCode, text, flat, Date.now());
}

function streamOf(body: Question['body']) {
  if (body === undefined) return null;
  if ('text' in body) return body.text;
  if (body.bytes === 0) return '';
  return createReadStream(body.path, { start: body.from, end: body.from + body.bytes - 1, highWaterMark: MB });
}

function certificates(file: string, { holds }: Remote): string[] {
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')];
  } catch (error) {
    const message =
      holds === 'backups'
        ? `The file of certificates ${file} (ca= in the address of the backups) cannot be read.`
        : `The file of certificates ${file} (archive.ca) cannot be read.`;
    throw new OfferlineError('config', message, { cause: error });
  }
}
