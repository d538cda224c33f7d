/** What holds files: a mail that is a file or encoded as a whole, Outlook's winmail.dat (TNEF), a text with uuencoded files. */
export type Holding = 'mail' | 'tnef' | 'uuencode';

/** A file as it stands in what holds it. */
export type Entry = { name: string; type: string; disposition: string | undefined; bytes: Uint8Array };

/** Files in one that holds them; more are not looked for. */
export const MOST_ENTRIES = 1000;

/** Bytes of all of them: an empty line of uuencode stands for 45. */
export const MOST_BYTES = 1 << 25;

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
    return this.#bytes.readUInt8(this.#passed(1));
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#passed(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#passed(4));
  }

  /** The next bytes, which are not copied. Throws `DamagedError` when there are fewer. */
  take(length: number): Buffer {
    const at = this.#passed(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Where the next bytes begin. */
  #passed(length: number): number {
    if (length > this.left) {
      throw new DamagedError(`${this.#what} ends too early, after ${this.#bytes.length} bytes`);
    }
    const at = this.#at;
    this.#at += length;
    return at;
  }

  /** Passes over what fills up to a multiple of four; the last value may lack it. */
  align(length: number): void {
    this.#at += Math.min(this.left, (4 - (length % 4)) % 4);
  }
}
