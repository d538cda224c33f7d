import { createDecipheriv, createHash } from 'node:crypto';
import { KNOWN_PASSWORD } from './known-password.ts';

/** The two streams of an encrypted workbook (XLSX) in its OLE container, as [MS-OFFCRYPTO] has them. */
export type EncryptedPackage = { info: Buffer; content: Buffer };

const SEGMENT = 4096;
/** Before the content stands its length. */
const LENGTH_BYTES = 8;
const [AGILE, STANDARD] = [4, 2];
const AES_KEY_BYTES = new Set([16, 24, 32]);
/** Rounds of a hash: Excel makes 100,000 of them. */
const MOST_ROUNDS = 200_000;
/** Bytes of the description; Excel writes some 1,500. */
const LONGEST_INFO = 16 * 1024;
const STANDARD_ROUNDS = 50_000;

/** Decrypts a workbook with the password that every spreadsheet program knows; null where it has another one, or is encrypted otherwise. */
export function decryptPackage({ info, content }: EncryptedPackage): Buffer | null {
  if (info.length < 8 || info.length > LONGEST_INFO || content.length < LENGTH_BYTES) return null;
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  const length = Number(content.readBigUInt64LE(0));
  const whole = content.subarray(LENGTH_BYTES);
  const packed = whole.subarray(0, whole.length - (whole.length % 16));
  if (major === AGILE && minor === AGILE) return agile(info.toString('utf8', 8), packed)?.subarray(0, length) ?? null;
  if (minor === STANDARD) return standard(info.subarray(8), packed)?.subarray(0, length) ?? null;
  return null;
}

/** What an element of the description says. */
type Attributes = Map<string, string>;

function attributesOf(xml: string, element: string): Attributes {
  const text = new RegExp(`<(?:\\w+:)?${element}\\s([^>]{1,4000})>`, 'u').exec(xml)?.[1] ?? '';
  return new Map([...text.matchAll(/(\w+)="([^"]*)"/gu)].map(([, name = '', value = '']) => [name, value]));
}

/** How Office 2010 and later encrypt: a key of its own for the content, which the password opens, and an IV for each segment. */
function agile(xml: string, packed: Buffer): Buffer | null {
  const [data, key] = [attributesOf(xml, 'keyData'), attributesOf(xml, 'encryptedKey')];
  const [opened, used] = [cipherOf(key), cipherOf(data)];
  const rounds = Number(key.get('spinCount'));
  if (opened === null || used === null || !(rounds >= 0 && rounds <= MOST_ROUNDS)) return null;
  let hash = opened.hash(opened.salt, KNOWN_PASSWORD);
  for (let round = 0; round < rounds; round += 1) hash = opened.hash(number(round), hash);
  const open = (purpose: string, attribute: string) => {
    const secret = sized(opened.hash(hash, Buffer.from(purpose, 'hex')), opened.keyBytes);
    return decrypt('cbc', secret, sized(opened.salt, 16), base64(key, attribute));
  };
  const input = open('fea7d2763b4b9e79', 'encryptedVerifierHashInput');
  const expected = open('d7aa0f6d3061344e', 'encryptedVerifierHashValue');
  const found = opened.hash(input.subarray(0, opened.salt.length));
  if (!expected.subarray(0, found.length).equals(found)) return null;
  const secret = open('146e0be7abacd0d6', 'encryptedKeyValue').subarray(0, used.keyBytes);
  const segments: Buffer[] = [];
  for (let at = 0; at < packed.length; at += SEGMENT) {
    const iv = sized(used.hash(used.salt, number(at / SEGMENT)), 16);
    segments.push(decrypt('cbc', secret, iv, packed.subarray(at, at + SEGMENT)));
  }
  return Buffer.concat(segments);
}

type Cipher = { salt: Buffer; keyBytes: number; hash: (...parts: Buffer[]) => Buffer };

function cipherOf(attributes: Attributes): Cipher | null {
  const algorithm = attributes.get('hashAlgorithm')?.toLowerCase().replace('-', '') ?? '';
  const keyBytes = Number(attributes.get('keyBits')) / 8;
  const isKnown = attributes.get('cipherAlgorithm') === 'AES' && attributes.get('cipherChaining') === 'ChainingModeCBC';
  if (!isKnown || !AES_KEY_BYTES.has(keyBytes) || !/^sha(?:1|256|384|512)$/u.test(algorithm)) return null;
  return { salt: base64(attributes, 'saltValue'), keyBytes, hash: (...parts) => hashOf(algorithm, parts) };
}

/** How Office 2007 encrypts: the password makes the key of the content. */
function standard(info: Buffer, packed: Buffer): Buffer | null {
  if (info.length < 4) return null;
  const headerBytes = info.readUInt32LE(0);
  const [header, verifier] = [info.subarray(4, 4 + headerBytes), info.subarray(4 + headerBytes)];
  if (header.length < 20 || verifier.length < 72) return null;
  const keyBytes = header.readUInt32LE(16) / 8;
  if (!AES_KEY_BYTES.has(keyBytes)) return null;
  let hash = hashOf('sha1', [verifier.subarray(4, 20), KNOWN_PASSWORD]);
  for (let round = 0; round < STANDARD_ROUNDS; round += 1) hash = hashOf('sha1', [number(round), hash]);
  const last = hashOf('sha1', [hash, number(0)]);
  const half = (filling: number) =>
    hashOf('sha1', [Buffer.alloc(64, filling).map((byte, at) => byte ^ (last[at] ?? 0))]);
  const secret = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes);
  const input = decrypt('ecb', secret, null, verifier.subarray(20, 36));
  const expected = decrypt('ecb', secret, null, verifier.subarray(40, 72));
  const found = hashOf('sha1', [input]);
  return expected.subarray(0, found.length).equals(found) ? decrypt('ecb', secret, null, packed) : null;
}

function hashOf(algorithm: string, parts: Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function decrypt(mode: 'cbc' | 'ecb', key: Buffer, iv: Buffer | null, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

function base64(attributes: Attributes, name: string): Buffer {
  return Buffer.from(attributes.get(name) ?? '', 'base64');
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** As many bytes as a key or an IV needs: what is too short is filled up as the standard says. */
function sized(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)]);
}
