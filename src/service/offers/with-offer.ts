import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { tell } from '../call/call-hook.ts';
import type { ServiceLog } from '../client.ts';
import { checkOffer, type NewOffer } from './new-offer.ts';
import { counted, unchanged, whole } from './offer-content.ts';
import type { OfferFile } from './upload.ts';

/**
 * Opens what is to be uploaded, gives it to `work`, and closes it. Throws `usage` for what cannot be sent: an unknown option, an
 * empty file, one that cannot be read or that changes meanwhile.
 */
export async function withOffer<T>(
  given: NewOffer,
  log: ServiceLog,
  work: (file: OfferFile) => Promise<T>,
): Promise<T> {
  checkOffer(given);
  const { delimiter = null, charsetName = null, onProgress } = given;
  const as = (name: string, bytes: number, content: AsyncIterable<Uint8Array>) => {
    const told = counted(content, (sent) => tell(log, 'onProgress', 'process', () => onProgress?.({ sent, bytes })));
    return work({ name, bytes, delimiter, charsetName, content: told });
  };
  if ('path' in given) {
    const { path, name = basename(path) } = given;
    await using file = await openFile(path);
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw notUploaded(path, 'it is not a file');
    if (before.size === 0n) throw notUploaded(path, 'it is empty, and would empty the dataset of the login');
    const changed = () => notUploaded(path, 'it was changed while it was sent');
    return await as(name, Number(before.size), unchanged(file, before, changed));
  }
  const { name, content } = given;
  return content instanceof Uint8Array
    ? as(name, content.length, whole(Buffer.from(content)))
    : as(name, (given as { bytes: number }).bytes, content);
}

function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: unknown) => {
    throw notUploaded(path, systemCode(error) === 'ENOENT' ? 'it does not exist' : messageOf(error), error);
  });
}

function notUploaded(path: string, why: string, cause?: unknown): OfferlineError {
  return new OfferlineError('usage', `process: ${path} was not uploaded: ${why}.`, { cause });
}
