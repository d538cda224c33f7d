import { Readable, pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { refusal } from '../../../io/refusal.ts';
import { decodeBytes, encodeBytes } from '../../../io/text-decode.ts';
import { aesEntry, packedBy, type AesEntry } from './aes-entry.ts';
import { aesDecryption, aesKeys, CODE_BYTES, headBytes, isAuthentic } from './zip-aes.ts';
import { HEADER_BYTES, zipCrypto } from './zip-crypto.ts';

/** An encrypted entry, its archive, and the password that is set. */
export type SealedEntry = { zip: ZipFile; entry: Entry; name: string; archive: string; password: string };

/** An entry that the password opens. */
export type Unsealed = {
  /** Begins to read its content, which is unpacked meanwhile. */
  open: () => Promise<Readable>;
  /** Reads all of it and throws `file-rejected` when it was changed after it was packed; the traditional cipher cannot tell. */
  verify: () => Promise<void>;
};

/** In what packers write passwords that are not ASCII: their authors had one country in mind. */
const CHARSETS = ['utf-8', 'ibm866', 'windows-1251', 'ibm850', 'windows-1252', 'ibm852', 'windows-1250'];

const STORED = 0;

/** Opens an encrypted entry. Throws `file-rejected` when the password is wrong or the entry is too short to be one. */
export async function unseal(sealed: SealedEntry): Promise<Unsealed> {
  const aes = aesEntry(sealed.entry);
  return aes === null ? unsealTraditional(sealed) : unsealAes(sealed, aes);
}

async function unsealTraditional(sealed: SealedEntry): Promise<Unsealed> {
  const { entry } = sealed;
  const header = await bytesOf(sealed, 0, HEADER_BYTES);
  // Where the checksum follows the data the packer did not know it yet.
  const isStreamed = (entry.generalPurposeBitFlag & 0x08) !== 0;
  const expected = isStreamed ? entry.lastModFileTime >>> 8 : entry.crc32 >>> 24;
  for (const password of formsOf(sealed.password)) {
    const decrypt = zipCrypto(password);
    if (decrypt(header).at(-1) !== expected) continue;
    const range = { start: HEADER_BYTES, end: entry.compressedSize };
    return { open: () => content(sealed, range, decrypt), verify: () => Promise.resolve() };
  }
  throw wrongPassword(sealed);
}

async function unsealAes(sealed: SealedEntry, aes: AesEntry): Promise<Unsealed> {
  const { entry, archive, name } = sealed;
  const range = { start: headBytes(aes), end: entry.compressedSize - CODE_BYTES };
  const head = await bytesOf(sealed, 0, range.start);
  if (range.end < range.start) throw damaged(sealed, 'it is too short to be encrypted');
  for (const password of formsOf(sealed.password)) {
    const keys = await aesKeys(aes, head, password);
    if (keys === null) continue;
    const verify = async () => {
      const code = await bytesOf(sealed, range.end, entry.compressedSize);
      if (await isAuthentic(keys, await encrypted(sealed, range), code)) return;
      const message = `${archive} is damaged: "${name}" was changed after it was encrypted. Ask for the file again.`;
      throw refusal('zip-broken', message, { file: archive, entry: name });
    };
    return { open: () => content(sealed, range, aesDecryption(keys)), verify };
  }
  throw wrongPassword(sealed);
}

type Range = { start: number; end: number };

/** The packed bytes of an entry as they stand in the archive. */
async function encrypted({ zip, entry }: SealedEntry, { start, end }: Range): Promise<Readable> {
  return zip.openReadStreamPromise(entry, { decodeFileData: false, start, end });
}

async function bytesOf(sealed: SealedEntry, start: number, end: number): Promise<Buffer> {
  if (end > sealed.entry.compressedSize) throw damaged(sealed, 'it is too short to be encrypted');
  const bytes = Buffer.alloc(end - start);
  let at = 0;
  for await (const chunk of (await encrypted(sealed, { start, end })) as AsyncIterable<Buffer>) {
    at += chunk.copy(bytes, at);
  }
  return bytes;
}

async function content(sealed: SealedEntry, range: Range, decrypt: (bytes: Buffer) => Buffer): Promise<Readable> {
  const raw = await encrypted(sealed, range);
  const plain = Readable.from(decrypted(raw, decrypt), { objectMode: false });
  if (packedBy(sealed.entry) === STORED) return plain;
  const inflate = createInflateRaw();
  // Whoever reads it is told of errors; what stands behind the end of the packed data is left.
  pipeline(plain, inflate, () => undefined);
  const close = () => plain.destroy();
  return inflate.once('end', close).once('close', close);
}

async function* decrypted(raw: Readable, decrypt: (bytes: Buffer) => Buffer): AsyncGenerator<Buffer, void> {
  for await (const chunk of raw as AsyncIterable<Buffer>) yield decrypt(chunk);
}

/** A password in the charsets in which packers may have written it. */
function formsOf(password: string): Buffer[] {
  const forms = CHARSETS.map((charset) => ({ charset, bytes: Buffer.from(encodeBytes(password, charset)) }))
    .filter(({ charset, bytes }) => decodeBytes(bytes, charset) === password)
    .map(({ bytes }) => bytes);
  return forms.filter((form, at) => forms.findIndex((other) => other.equals(form)) === at);
}

function wrongPassword({ archive, name }: SealedEntry) {
  const message = `${archive} is encrypted, and the password in feeds.NAME.unpack.password does not open "${name}". Set the one that the supplier uses.`;
  return refusal('wrong-password', message, { file: archive, entry: name });
}

function damaged({ archive, name }: SealedEntry, why: string) {
  const message = `${archive} is damaged: "${name}" cannot be decrypted, ${why}. Ask for the file again.`;
  return refusal('zip-broken', message, { file: archive, entry: name });
}
