import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { Refusal } from '../http/reply.ts';
import type { OfferFacts } from './state.ts';

/** The text of an upload as bytes, taken out of the zip when it is one. */
export type OfferText = { bytes: Readable; kind: 'txt' | 'csv' };

/** Opens the text of an uploaded file; an unusable zip is a refusal (422) that says why. */
export async function openText(
  path: string,
  facts: Pick<OfferFacts, 'sourceFile' | 'kind'>,
  maxBytes: number,
): Promise<OfferText> {
  if (!(await looksZipped(path))) {
    if (extname(facts.sourceFile ?? '').toLowerCase() === '.zip')
      throw unusable('The file is named .zip but is not a zip archive.');
    return { bytes: createReadStream(path), kind: facts.kind };
  }
  const zip = await openZip(path);
  try {
    const entry = await onlyText(zip);
    if (entry.isEncrypted()) throw unusable(`${entry.fileName} in the zip archive is encrypted.`);
    if (entry.uncompressedSize > maxBytes) {
      throw unusable(`${entry.fileName} unpacks to ${entry.uncompressedSize} bytes; at most ${maxBytes} are allowed.`);
    }
    const packed = await zip.openReadStreamPromise(entry);
    return {
      bytes: Readable.from(unpacked(zip, packed), { objectMode: false }),
      kind: kindOf(entry.fileName) ?? 'txt',
    };
  } catch (error) {
    zip.close();
    throw error instanceof Refusal ? error : unusable(`The zip archive is broken: ${messageOf(error)}.`);
  }
}

/** The unpacked bytes; data that cannot be unpacked is a refusal like every other fault of the archive. */
async function* unpacked(zip: ZipFile, packed: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of packed) yield chunk as Buffer;
  } catch (error) {
    throw unusable(`The zip archive is broken: ${messageOf(error)}.`);
  } finally {
    zip.close();
  }
}

/** What the ending of a file name says about its columns; undefined when it says nothing. */
export function kindOf(name: string): 'txt' | 'csv' | undefined {
  const ending = extname(name).toLowerCase();
  if (ending === '.csv') return 'csv';
  return ending === '.txt' ? 'txt' : undefined;
}

async function looksZipped(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(4);
    await file.read(head, 0, 4, 0);
    return head.equals(Buffer.from('PK\u0003\u0004')) || head.equals(Buffer.from('PK\u0005\u0006'));
  } finally {
    await file.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false });
  } catch (error) {
    throw unusable(`The zip archive is broken: ${messageOf(error)}.`);
  }
}

const MAX_ENTRIES = 1000;

/** Folders and what operating systems leave in archives do not count. */
async function onlyText(zip: ZipFile): Promise<Entry> {
  if (zip.entryCount > MAX_ENTRIES) throw unusable(`The zip archive holds ${zip.entryCount} entries.`);
  const found: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const hidden = basename(entry.fileName).startsWith('.') || entry.fileName.startsWith('__MACOSX/');
    if (!entry.fileName.endsWith('/') && !hidden) found.push(entry);
  }
  const [first, ...others] = found;
  if (first === undefined) throw unusable('The zip archive holds no file.');
  if (others.length > 0) throw unusable(`The zip archive holds ${found.length} files; one text file is expected.`);
  return first;
}

function unusable(message: string): Refusal {
  return new Refusal(422, 'FILE_UNUSABLE', message);
}

/** What an error says, to be followed by a full stop. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
