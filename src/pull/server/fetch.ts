import type { ListingSource } from '../../config/schema/source-schema.ts';
import { createHash } from 'node:crypto';
import { OfferlineError } from '../../errors.ts';
import { setTotal } from '../../gauge.ts';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { append, discard, interrupted, type Part, type Saved, tooLarge } from '../save/save.ts';
import { cleanName, type PullInput } from '../source.ts';
import { urlOf } from './place.ts';
import type { ServerFolder } from './server.ts';

/** What one pull has brought of a file; it outlives the connection. */
export type Transfer = { begun?: { file: Listed; part: Part } };

/** True for a file of which a part was brought before the connection was cut, and that has not been changed since. */
export function isBegun(file: Listed, { begun }: Transfer): boolean {
  return begun?.file.name === file.name && isSameFile(begun.file, file);
}

/**
 * Brings a file to the target, as long as the listing said and unchanged afterwards; undefined when it was changed or replaced
 * meanwhile and must be chosen again. What `transfer` has of the very file is not asked for again where the protocol can go on
 * from there; when this throws, it holds what came.
 */
export async function fetchFile(
  file: Listed,
  source: ListingSource,
  server: ServerFolder,
  input: PullInput,
  transfer: Transfer,
): Promise<Saved | undefined> {
  const { target, signal, received, meter, limits } = input;
  const what = `${urlOf(source)}/${cleanName(file.name)}`;
  const limit = limits.fileSize;
  if (file.size > limit && file.inexact !== true) throw tooLarge(what, `${file.size} bytes`, limit);
  setTotal(meter, file.size);
  const part = partOf(file, server, transfer);
  transfer.begun = { file, part };
  try {
    const saved = await append(rest(file, part, server), part, { target, limit, what, signal, received, meter });
    if (isSameFile(file, await server.look(file))) {
      if (file.inexact !== true && saved.bytes !== file.size) {
        const message = `${what} ended after ${saved.bytes} of ${file.size} bytes.`;
        throw new OfferlineError('pull-failed', message, { retryable: true, details: { url: urlOf(source) } });
      }
      if (showsChanges(file, source, server) || (await isReadTheSame(saved, file, { source, server, input })))
        return saved;
    }
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.details['changed'] !== true) throw error;
  }
  delete transfer.begun;
  await discard(target);
  return undefined;
}

/** True where a file that is still being written to looks different, or is not listed. */
function showsChanges({ inexact, mtimeMs, id }: Listed, { ready }: ListingSource, { whole }: ServerFolder): boolean {
  return inexact !== true || mtimeMs !== null || id !== undefined || ready !== undefined || whole === true;
}

type Reading = { source: ListingSource; server: ServerFolder; input: PullInput };

/** Where the place tells neither size nor time, a file has come to rest when it is the same once more after a while. */
async function isReadTheSame(
  { bytes, sha256 }: Saved,
  file: Listed,
  { source, server, input }: Reading,
): Promise<boolean> {
  await input.wait(source.settle, input.signal);
  const digest = createHash('sha256');
  let read = 0;
  for await (const chunk of server.read(file)) {
    if (input.signal?.aborted === true) throw interrupted(urlOf(source));
    input.received?.(chunk.length);
    read += chunk.length;
    if (read > input.limits.fileSize) throw tooLarge(urlOf(source), `more than ${read} bytes`, input.limits.fileSize);
    digest.update(chunk);
  }
  return read === bytes && digest.digest('hex') === sha256;
}

/** What there is of the very file, if the protocol can go on from there; else nothing. A size alone does not tell that it is the very one. */
function partOf(file: Listed, { resumes }: ServerFolder, transfer: Transfer): Part {
  const part = transfer.begun?.part;
  const isTold = file.mtimeMs !== null || file.id !== undefined;
  const isUsable = part !== undefined && resumes && isTold && isBegun(file, transfer) && part.bytes <= file.size;
  return isUsable ? part : { bytes: 0 };
}

/** A file that is whole already is not asked for: many servers refuse to begin at its end. Of one of another size than is told, nobody knows. */
async function* rest(file: Listed, { bytes }: Part, server: ServerFolder): AsyncGenerator<Uint8Array> {
  if (bytes === 0) yield* server.read(file);
  else if (bytes < file.size || file.inexact === true) yield* server.read(file, bytes);
}
