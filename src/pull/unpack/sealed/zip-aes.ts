import { createCipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { AesEntry } from './aes-entry.ts';

/** What a password opens: the keys of one entry. */
export type AesKeys = { cipher: Buffer; authentication: Buffer };

const BLOCK = 16;
const ROUNDS = 1000;
/** Bytes behind the salt that tell all but one in 65,536 wrong passwords. */
const CHECK_BYTES = 2;
/** Bytes of the code behind the data. */
export const CODE_BYTES = 10;

const derive = promisify(pbkdf2);

/** Bytes before the data of an entry: a salt, and what tells whether the password is right. */
export function headBytes({ keyBytes }: AesEntry): number {
  return keyBytes / 2 + CHECK_BYTES;
}

/** The keys that a password makes of the bytes before the data; null when it is wrong. */
export async function aesKeys({ keyBytes }: AesEntry, head: Buffer, password: Buffer): Promise<AesKeys | null> {
  const salt = head.subarray(0, keyBytes / 2);
  const made = await derive(password, salt, ROUNDS, 2 * keyBytes + CHECK_BYTES, 'sha1');
  if (!made.subarray(2 * keyBytes).equals(head.subarray(keyBytes / 2))) return null;
  return { cipher: made.subarray(0, keyBytes), authentication: made.subarray(keyBytes, 2 * keyBytes) };
}

/** Decrypts one piece after the other, in counter mode. Node's counters have their low byte at the end, those of WinZip at the beginning. */
export function aesDecryption({ cipher: key }: AesKeys): (bytes: Buffer) => Buffer {
  const cipher = createCipheriv(`aes-${8 * key.length}-ecb`, key, null).setAutoPadding(false);
  let [block, rest] = [1, Buffer.alloc(0) as Buffer];
  return (bytes) => {
    const counters = Buffer.alloc(Math.ceil(Math.max(0, bytes.length - rest.length) / BLOCK) * BLOCK);
    for (let at = 0; at < counters.length; at += BLOCK, block += 1) {
      counters.writeUInt32LE(block % 2 ** 32, at);
      counters.writeUInt32LE(Math.floor(block / 2 ** 32), at + 4);
    }
    const stream = Buffer.alloc(rest.length + counters.length);
    rest.copy(stream);
    cipher.update(counters).copy(stream, rest.length);
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) plain[at] = bytes[at]! ^ stream[at]!;
    rest = stream.subarray(bytes.length);
    return plain;
  };
}

/** Whether encrypted bytes are those that were packed, by the code behind them. */
export async function isAuthentic(
  { authentication }: AesKeys,
  encrypted: AsyncIterable<Buffer>,
  code: Buffer,
): Promise<boolean> {
  const hmac = createHmac('sha1', authentication);
  for await (const chunk of encrypted) hmac.update(chunk);
  const made = hmac.digest().subarray(0, CODE_BYTES);
  return code.length === CODE_BYTES && timingSafeEqual(made, code);
}
