import type { ImapFlow } from 'imapflow';
import { answerOf, readReply, type ReplyMeter } from '../../io/peers/read-reply.ts';
import { GREETING, type Limited, meterOf } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';

/** Bytes of one line, of one literal, and of all of a response; a mail has at most so many values in its structure. */
export const IMAP_LIMITS = {
  maxLineLength: 1 << 20,
  maxLiteralSize: 1 << 20,
  maxResponseSize: 1 << 21,
  maxResponseTokens: 100_000,
};

/** What the library counts of all that the server sends. */
type Streamer = { readBytesCounter: number };

/** A connection to a mail server, which ends once an answer passes its limits, be it in one line or in ever more of them. */
export class Conversation {
  readonly client: ImapFlow;
  readonly #place: ServerPlace;
  #meter: ReplyMeter | undefined;
  /** Why the library ended the connection by itself. */
  #ended: Error | undefined;

  constructor(client: ImapFlow, place: ServerPlace) {
    this.client = client;
    this.#place = place;
    // Whoever asked meanwhile is told of a closed connection only.
    client.on('error', (error: Error) => (this.#ended ??= error));
    // There is no event for what comes untagged, and much of it is collected before anybody is told.
    const { streamer } = client as unknown as { streamer: Streamer };
    let counted = streamer.readBytesCounter;
    Object.defineProperty(streamer, 'readBytesCounter', {
      get: () => counted,
      set: (now: number) => {
        this.#count(now - counted);
        counted = now;
      },
    });
  }

  /** Connects and identifies us. */
  begin(): Promise<void> {
    return this.asking(GREETING, () => this.client.connect());
  }

  /** Does what asks the server, of whose answers no more than the limits is read. */
  async asking<T>(limited: Limited, work: (meter: ReplyMeter) => Promise<T>): Promise<T> {
    // Not in the middle of a piece that the library is reading.
    const meter = meterOf(this.#place, limited, () => void setImmediate(() => this.client.close()));
    this.#meter = meter;
    try {
      return await answerOf(work(meter), meter);
    } catch (error) {
      throw meter.passed ?? this.#ended ?? error;
    } finally {
      this.#meter = undefined;
    }
  }

  #count(bytes: number): void {
    try {
      this.#meter?.count({ bytes });
    } catch {
      // The connection ends; whoever asked is told.
    }
  }
}

/** Mails as they come, each counted. */
export function counted<Mail>(mails: AsyncIterable<Mail>, meter: ReplyMeter): AsyncGenerator<Mail> {
  return readReply(mails, meter, () => ({ entries: 1 }));
}
