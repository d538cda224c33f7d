/** What holds files: a mail that is a file or encoded as a whole, Outlook's winmail.dat (TNEF), a text with uuencoded files. */
export type Holding = 'mail' | 'tnef' | 'uuencode';

/** A file as it stands in what holds it. */
export type Entry = { name: string; type: string; disposition: string | undefined; bytes: Uint8Array };

/** Files in one that holds them; more are not looked for. */
export const MOST_ENTRIES = 1000;

/** What holds files is not as its format says; the message is a clause that says where. */
export class DamagedError extends Error {}

/** Reads numbers and bytes one after another, and never behind the end. */
export class Cursor {
  readonly #bytes: Buffer;
  readonly #what: string;
  #at = 0;

  /** `what` is what ends too early, for the message. */
  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#what = what;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.take(1)[0]!;
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** The next bytes, which are not copied. Throws `DamagedError` when there are fewer. */
  take(length: number): Buffer {
    if (length > this.left) throw new DamagedError(`${this.#what} ends too early, after ${this.#bytes.length} bytes`);
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  /** Passes over what fills up to a multiple of four; the last value may lack it. */
  align(length: number): void {
    this.#at += Math.min(this.left, (4 - (length % 4)) % 4);
  }
}
