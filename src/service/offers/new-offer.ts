import type { BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { ServiceLog } from '../client.ts';
import type { OfferFile } from './upload.ts';

/** How far an upload is: bytes of the file that were handed to the connection. */
export type UploadProgress = { sent: number; bytes: number };

/** A file to upload: its bytes at once, a stream of a known length, or a file of the machine. */
export type NewOffer = {
  /** Of a csv; the service takes a comma when not given, and the tab for a txt. */
  delimiter?: ',' | ';' | undefined;
  /** The service looks at the byte order mark when not given, and takes UTF-8 without one. */
  charsetName?: 'UTF-8' | 'UTF-16' | undefined;
  /** Hears how far the upload is, after every chunk. It only watches: what it throws is logged. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
} & (
  | { name: string; content: Uint8Array }
  | { name: string; content: AsyncIterable<Buffer>; bytes: number }
  /** Its own name is sent when no other is given. */
  | { path: string; name?: string | undefined }
);

/** Opens what is to be uploaded, gives it to `work`, and closes it. Throws `usage` for a file that cannot be read, or is empty. */
export async function withOffer<T>(
  given: NewOffer,
  log: ServiceLog,
  work: (file: OfferFile) => Promise<T>,
): Promise<T> {
  const { delimiter = null, charsetName = null, onProgress = () => undefined } = given;
  const as = (name: string, bytes: number, content: AsyncIterable<Buffer>) => {
    const tell = (sent: number) => {
      try {
        onProgress({ sent, bytes });
      } catch (error) {
        log.warn({ hook: 'onProgress', operation: 'process', error: messageOf(error) }, 'a hook failed');
      }
    };
    return work({ name, bytes, delimiter, charsetName, content: counted(content, tell) });
  };
  if ('path' in given) {
    const { path, name = basename(path) } = given;
    await using file = await openFile(path);
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw notUploaded(path, 'it is not a file');
    if (before.size === 0n) throw notUploaded(path, 'it is empty, and would empty the dataset of the login');
    return await as(name, Number(before.size), unchanged(file, before, path));
  }
  if (!(given.content instanceof Uint8Array)) {
    return as(given.name, (given as { bytes: number }).bytes, given.content);
  }
  return as(given.name, given.content.length, whole(Buffer.from(given.content)));
}

function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw notUploaded(path, systemCode(error) === 'ENOENT' ? 'it does not exist' : messageOf(error), error);
  });
}

function notUploaded(path: string, why: string, cause?: unknown): OfferlineError {
  return new OfferlineError('usage', `process: ${path} was not uploaded: ${why}.`, { cause });
}

/**
 * The content of a file that must not change meanwhile: half of one delivery and half of another would replace the dataset. Its
 * last chunk is withheld until that is known, and what was sent so far is no whole request.
 */
async function* unchanged(file: FileHandle, before: BigIntStats, path: string): AsyncGenerator<Buffer> {
  const stream = file.createReadStream({ autoClose: false, start: 0, end: Number(before.size) - 1 });
  let last: Buffer | undefined;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (last !== undefined) yield last;
    last = chunk;
  }
  const after = await file.stat({ bigint: true });
  if (last === undefined || before.size !== after.size || before.mtimeNs !== after.mtimeNs) {
    throw notUploaded(path, 'it was changed while it was sent');
  }
  yield last;
}

async function* whole(content: Buffer): AsyncGenerator<Buffer> {
  await Promise.resolve();
  yield content;
}

async function* counted(content: AsyncIterable<Buffer>, tell: (sent: number) => void): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const chunk of content) {
    yield chunk;
    sent += chunk.length;
    tell(sent);
  }
}
