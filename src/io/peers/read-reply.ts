/** What is counted of a reply: its bytes, its pages, its entries (files, links, mails), and milliseconds since it was asked for. */
export type Measure = 'bytes' | 'pages' | 'entries' | 'time';

/** The most that a reply may come to; one that is not given is not counted. */
export type ReplyLimits = Readonly<Partial<Record<Measure, number>>>;

/** What a piece of a reply adds. */
type Counts = Partial<Record<Exclude<Measure, 'time'>, number>>;

/** How a reply is ended that passes a limit, and what is said of it. */
type Ending = {
  /** Ends the reply at once, whoever waits for it. */
  stop: () => void;
  refuse: (measure: Measure, most: number) => Error;
};

/** A timer of Node that is set for longer ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Counts one reply of a peer, which may come in several pages, and ends it at the first limit that it passes. */
export class ReplyMeter {
  readonly #limits: ReplyLimits;
  readonly #ending: Ending;
  readonly #begun = performance.now();
  readonly #counted = { bytes: 0, pages: 0, entries: 0 };
  #passed: Error | undefined;

  constructor(limits: ReplyLimits, ending: Ending) {
    this.#limits = limits;
    this.#ending = ending;
  }

  /** What is said of a limit that somebody else has counted, such as a library that was told of it. */
  refusal(measure: Measure): Error {
    return this.#ending.refuse(measure, this.#limits[measure] ?? Infinity);
  }

  /** The error of the limit that was passed. */
  get passed(): Error | undefined {
    return this.#passed;
  }

  /** Adds what came; throws what `refuse` makes of the first limit that is passed. */
  count(counts: Counts): void {
    for (const measure of ['bytes', 'pages', 'entries'] as const) {
      this.#counted[measure] += counts[measure] ?? 0;
      this.#check(measure, this.#counted[measure]);
    }
    this.#check('time', performance.now() - this.#begun);
    if (this.#passed !== undefined) throw this.#passed;
  }

  /** Ends the reply once its time is over, although nothing comes; answers what stops that. */
  watch(): () => void {
    const { time } = this.#limits;
    if (time === undefined) return () => undefined;
    const left = this.#begun + time - performance.now();
    const timer = setTimeout(() => this.#check('time', Infinity), Math.min(LONGEST_TIMER, Math.max(0, left)));
    return () => clearTimeout(timer);
  }

  #check(measure: Measure, counted: number): void {
    const most = this.#limits[measure] ?? Infinity;
    if (counted <= most || this.#passed !== undefined) return;
    this.#passed = this.refusal(measure);
    this.#ending.stop();
  }
}

/**
 * Reads a reply piece by piece, as far as its limits go: the one way in which anything that a peer sends is read. Throws what
 * `meter` makes of the limit that is passed, though it be while nothing comes.
 */
export async function* readReply<Piece>(
  pieces: AsyncIterable<Piece>,
  meter: ReplyMeter,
  countsOf: (piece: Piece) => Counts,
): AsyncGenerator<Piece> {
  const end = meter.watch();
  try {
    for await (const piece of pieces) {
      meter.count(countsOf(piece));
      yield piece;
    }
    if (meter.passed !== undefined) throw meter.passed;
  } catch (error) {
    throw meter.passed ?? error;
  } finally {
    end();
  }
}

/** The bytes of a reply, as `readReply` reads them. */
export function readReplyBytes<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  meter: ReplyMeter,
): AsyncGenerator<Chunk> {
  return readReply(chunks, meter, ({ length: bytes }) => ({ bytes }));
}

/** A whole reply at once, as `readReply` reads it. */
export async function wholeReply(chunks: AsyncIterable<Uint8Array>, meter: ReplyMeter): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of readReplyBytes(chunks, meter)) read.push(chunk);
  return Buffer.concat(read);
}

/** An answer that comes as one piece, as `readReply` reads it. */
export async function answerOf<Answer>(
  asked: Promise<Answer>,
  meter: ReplyMeter,
  countsOf: (answer: Answer) => Counts = () => ({}),
): Promise<Answer> {
  async function* once(): AsyncGenerator<Answer> {
    yield await asked;
  }
  for await (const answer of readReply(once(), meter, countsOf)) return answer;
  throw new Error('an answer is one piece');
}
