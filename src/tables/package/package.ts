import { createInflateRaw, crc32 } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf, systemCode } from '../../errors.ts';
import { diskError, refusal } from '../../io/refusal.ts';
import { openZip, zipDamage } from '../../io/zip-reader.ts';
import type { TableInput } from '../table-file.ts';
import { decodeXml } from './xml/encoding.ts';
import { XmlError } from './xml/xml-error.ts';

/** The parts of a workbook's zip archive, by name. */
export type Package = {
  /** Whether there is such a part; case and leading slashes do not matter, as Excel reads names. */
  has: (part: string) => boolean;
  /** The text of a part, in pieces. Throws `file-rejected` when it is missing, damaged, or larger than allowed. */
  read: (part: string, most?: number) => AsyncGenerator<string, void>;
  /** What went wrong with a part, in words for the supplier. */
  explain: (part: string, error: unknown) => unknown;
  close: () => void;
};

/** Pictures of parts are entries too; beyond it the list itself is the harm. */
const MOST_ENTRIES = 200_000;
const PIECE_BYTES = 32 * 1024;
/** Below this size no ratio is suspicious; real sheets pack to a fifth to a fiftieth. */
const RATIO_FLOOR_BYTES = 4 << 20;
const MOST_RATIO = 500;
/** Bytes that parts other than sheets and strings may have. */
const SMALL_PART = 64 << 20;

/** Opens the archive that a workbook is. Throws `file-rejected`. */
export async function openPackage(input: TableInput): Promise<Package> {
  const { name, limits, signal } = input;
  const broken = (cause: unknown) => packageError(name, cause);
  const zip = await openZip(input.path).catch((error: unknown) => {
    throw broken(error);
  });
  const entries = await listEntries(zip, name).catch((error: unknown) => {
    zip.close();
    throw broken(error);
  });
  const explain = (part: string, error: unknown) => {
    if (signal?.aborted === true) return error;
    return error instanceof XmlError ? xmlRefusal(name, part, error) : diskError(error, input.folder, broken);
  };

  async function* read(part: string, most = SMALL_PART): AsyncGenerator<string, void> {
    const entry = entries.get(partKey(part));
    if (entry === undefined) throw missing(name, part);
    refuseUnreadable(entry, name, part);
    const refuseSize = sizeGuard(name, part, entry, Math.min(most, limits.fileSize));
    try {
      yield* decodeXml(unpacked(zip, entry, refuseSize, signal));
    } catch (error) {
      throw explain(part, error);
    }
  }
  return { has: (part) => entries.has(partKey(part)), read, explain, close: () => zip.close() };
}

/** The name of a part as names are compared: Excel does not mind case, and some writers use backslashes. */
function partKey(part: string): string {
  return part.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

async function listEntries(zip: ZipFile, name: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    if (++count > MOST_ENTRIES) {
      const message = `${name} has more than ${MOST_ENTRIES} parts. Save only the price list as a workbook and send it again.`;
      throw refusal('workbook-too-large', message, { file: name });
    }
    const key = partKey(entry.fileNameRaw.toString('utf8'));
    if (/\.(?:xml|rels|bin)$/.test(key) && !entries.has(key)) entries.set(key, entry);
  }
  return entries;
}

/** The bytes of a part. Its checksum is compared at its end, and its real size, whatever its headers claim, on the way. */
async function* unpacked(
  zip: ZipFile,
  entry: Entry,
  refuseSize: (bytes: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const stream = entry.compressionMethod === 0 ? packed : inflated(packed);
  let [bytes, crc] = [0, 0];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      bytes += chunk.length;
      refuseSize(bytes);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } finally {
    stream.destroy();
    packed.destroy();
  }
  if (crc !== entry.crc32) throw new XmlError('its checksum is wrong');
}

/** Larger pieces than yauzl's own: fewer of them have to pass between threads. */
function inflated(packed: Readable): Readable {
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  packed.on('error', (error) => inflate.destroy(error));
  return packed.pipe(inflate);
}

function sizeGuard(name: string, part: string, entry: Entry, most: number): (bytes: number) => void {
  return (bytes) => {
    if (bytes > most) {
      const message = `${part} of ${name} unpacks to more than ${most} bytes. Send fewer rows, or the list as CSV.`;
      throw refusal('workbook-too-large', message, { file: name, part, limit: most });
    }
    if (bytes > RATIO_FLOOR_BYTES && bytes > entry.compressedSize * MOST_RATIO) {
      const message = `${part} of ${name} unpacks to more than ${MOST_RATIO} times its packed size, like an archive bomb. Delete empty rows and columns, save the workbook and send it again.`;
      throw refusal('zip-bomb', message, { file: name, part, limit: MOST_RATIO });
    }
  };
}

function refuseUnreadable(entry: Entry, name: string, part: string): void {
  if (entry.isEncrypted()) {
    const message = `${name} is encrypted. Save the workbook without a password and send it again.`;
    throw refusal('workbook-encrypted', message, { file: name, part });
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    const message = `${name} compresses ${part} with a method that is not supported (${entry.compressionMethod}). Save the workbook with Excel or LibreOffice and send it again.`;
    throw refusal('zip-method', message, { file: name, part });
  }
}

function missing(name: string, part: string) {
  const message = `${name} is a damaged workbook: its part ${part} is missing. Open it, save it and send it again.`;
  return refusal('workbook-broken', message, { file: name, part });
}

function xmlRefusal(name: string, part: string, error: XmlError) {
  const message = error.isDtd
    ? `${name} is refused: its part ${part} has a document type definition (DTD), which no workbook needs. Save it with Excel or LibreOffice and send it again.`
    : `${name} is a damaged workbook: in its part ${part}, ${error.message}. Open it, save it and send it again.`;
  return refusal('workbook-broken', message, { file: name, part, ...(error.isDtd ? { dtd: true } : {}) });
}

/** What yauzl and zlib complain about is a broken archive; errors of the system, and our own, are not. */
function packageError(name: string, cause: unknown): unknown {
  const isZlib = systemCode(cause)?.startsWith('Z_') === true;
  const isYauzl = cause instanceof Error && cause.constructor === Error && systemCode(cause) === undefined;
  if (!isZlib && !isYauzl) return cause;
  if (/strong encryption/.test(messageOf(cause))) {
    const message = `${name} is encrypted. Save the workbook without a password and send it again.`;
    return refusal('workbook-encrypted', message, { file: name });
  }
  const message = `${name} is a broken or truncated workbook: ${zipDamage(cause)}. Ask for the file again.`;
  return refusal('workbook-broken', message, { file: name });
}
