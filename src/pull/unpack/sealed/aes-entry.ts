import type { Entry } from 'yauzl';

/** How an entry is encrypted by WinZip's AES: the length of the key, the method that it was packed by, and whether its checksum is kept. */
export type AesEntry = { keyBytes: 16 | 24 | 32; method: number; hasChecksum: boolean };

const METHOD = 99;
const FIELD = 0x9901;
const FIELD_BYTES = 7;
const KEY_BYTES = [16, 24, 32] as const;

/** What the extra field of an entry says of its encryption; null where there is none that can be read. */
export function aesEntry(entry: Entry): AesEntry | null {
  if (!entry.isEncrypted() || entry.compressionMethod !== METHOD) return null;
  const data = entry.extraFields.find(({ id }) => id === FIELD)?.data;
  if (data === undefined || data.length < FIELD_BYTES || data.toString('latin1', 2, 4) !== 'AE') return null;
  const [version, keyBytes] = [data.readUInt16LE(0), KEY_BYTES[data[4]! - 1]];
  if (keyBytes === undefined || (version !== 1 && version !== 2)) return null;
  return { keyBytes, method: data.readUInt16LE(5), hasChecksum: version === 1 };
}

/** The method by which an entry was packed, also below its encryption. */
export function packedBy(entry: Entry): number {
  return aesEntry(entry)?.method ?? entry.compressionMethod;
}

/** Whether the checksum in the directory is that of the content; some encrypted entries keep none, since it would give the content away. */
export function hasChecksum(entry: Entry): boolean {
  return aesEntry(entry)?.hasChecksum ?? true;
}

/** Whether nothing tells a wrong password from a damaged entry for sure. */
export function isTraditional(entry: Entry): boolean {
  return entry.isEncrypted() && aesEntry(entry) === null;
}
