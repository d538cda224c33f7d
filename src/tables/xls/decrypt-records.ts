import { createHash } from 'node:crypto';
import { KNOWN_PASSWORD } from './known-password.ts';

const FILE_PASS = 0x2f;
/** A record that readers pass over. */
const SKIPPED = 0xec;
/** Records that are never encrypted: beginnings, who uses the file, and what describes the encryption. */
const PLAIN = new Set([0x0809, FILE_PASS, 0x0194, 0x0195, 0xe1, 0x0138, 0x0196]);
/** Where a sheet begins in the stream stands in the clear at the beginning of its record. */
const [BOUND_SHEET, PLACE_BYTES] = [0x85, 4];
/** The key changes with so many bytes of the stream, those of heads and plain records among them. */
const BLOCK = 1024;
const RC4 = 1;

/** The key of a block; null where the password is another one. */
type KeyOf = (block: number) => Buffer;

/**
 * Decrypts the records of an old workbook in place, with the password that every spreadsheet program knows, as [MS-OFFCRYPTO] has it.
 * False where it has another password, or is encrypted otherwise; true also for one that is not encrypted.
 */
export function decryptRecords(stream: Buffer): boolean {
  const pass = recordsOf(stream).find(({ type }) => type === FILE_PASS);
  if (pass === undefined) return true;
  const keyOf = keysOf(stream.subarray(pass.at + 4, pass.end));
  if (keyOf === null) return false;
  const line = new KeyStream(keyOf);
  for (const { type, at, end } of recordsOf(stream)) {
    if (at <= pass.at || PLAIN.has(type)) continue;
    const from = at + 4 + (type === BOUND_SHEET ? PLACE_BYTES : 0);
    for (let place = from; place < end; place += 1) stream[place]! ^= line.at(place);
  }
  stream.writeUInt16LE(SKIPPED, pass.at);
  return true;
}

type Place = { type: number; at: number; end: number };

function recordsOf(stream: Buffer): Place[] {
  const places: Place[] = [];
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    places.push({ type: stream.readUInt16LE(at), at, end: Math.min(end, stream.length) });
    at = end;
  }
  return places;
}

function keysOf(pass: Buffer): KeyOf | null {
  if (pass.length < 54 || pass.readUInt16LE(0) !== RC4) return null;
  const [major, minor] = [pass.readUInt16LE(2), pass.readUInt16LE(4)];
  if (major === 1 && minor === 1) return verified(basicKeys(pass.subarray(6, 22)), pass.subarray(22, 54), 'md5');
  if (minor !== 2 || pass.length < 14) return null;
  const headerBytes = pass.readUInt32LE(10);
  const [header, verifier] = [pass.subarray(14, 14 + headerBytes), pass.subarray(14 + headerBytes)];
  if (header.length < 20 || verifier.length < 60) return null;
  const keyBytes = (header.readUInt32LE(16) || 40) / 8;
  if (![5, 7, 16].includes(keyBytes)) return null;
  const bytes = Buffer.concat([verifier.subarray(20, 36), verifier.subarray(40, 60)]);
  return verified(apiKeys(verifier.subarray(4, 20), keyBytes), bytes, 'sha1');
}

/** The keys of Excel 97 to 2000, of 40 bits. */
function basicKeys(salt: Buffer): KeyOf {
  const short = hashOf('md5', KNOWN_PASSWORD).subarray(0, 5);
  const base = hashOf('md5', ...Array.from({ length: 16 }, () => [short, salt]).flat()).subarray(0, 5);
  return (block) => hashOf('md5', base, number(block));
}

/** The keys of Excel 2002 and later; one of 40 bits is filled up. */
function apiKeys(salt: Buffer, keyBytes: number): KeyOf {
  const base = hashOf('sha1', salt, KNOWN_PASSWORD);
  return (block) => {
    const key = hashOf('sha1', base, number(block)).subarray(0, keyBytes);
    return keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
  };
}

/** The keys where they open what was encrypted to tell: some bytes, and their hash. */
function verified(keyOf: KeyOf, bytes: Buffer, algorithm: 'md5' | 'sha1'): KeyOf | null {
  const line = new KeyStream(keyOf);
  const plain = Buffer.from(bytes.map((byte, at) => byte ^ line.at(at)));
  return hashOf(algorithm, plain.subarray(0, 16)).equals(plain.subarray(16)) ? keyOf : null;
}

function hashOf(algorithm: string, ...parts: Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The bytes of RC4 by their place in the stream, asked for in rising order; OpenSSL has the cipher no more. */
class KeyStream {
  readonly #keyOf: KeyOf;
  readonly #bytes = Buffer.alloc(BLOCK);
  #block = -1;

  constructor(keyOf: KeyOf) {
    this.#keyOf = keyOf;
  }

  at(place: number): number {
    const block = Math.floor(place / BLOCK);
    if (block !== this.#block) {
      fillRc4(this.#bytes, this.#keyOf(block));
      this.#block = block;
    }
    return this.#bytes[place % BLOCK]!;
  }
}

function fillRc4(into: Buffer, key: Buffer): void {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number) => {
    const kept = state[a]!;
    state[a] = state[b]!;
    state[b] = kept;
  };
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + state[at]! + key[at % key.length]!) & 255;
    swap(at, other);
  }
  for (let at = 0, one = 0, other = 0; at < into.length; at += 1) {
    one = (one + 1) & 255;
    other = (other + state[one]!) & 255;
    swap(one, other);
    into[at] = state[(state[one]! + state[other]!) & 255]!;
  }
}
