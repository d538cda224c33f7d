import type { Hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { cryptography } from '../io/cryptography.ts';
import { refusal } from '../io/refusal.ts';
import { damagedFile, type KeptFile } from './damage.ts';

export { damageOf, shownPath, type Damage, type KeptFile } from './damage.ts';

/** Another file of ours, by its path, or one of the archive. */
export type AnyFile = string | KeptFile;

/** A file that is read from its beginning to its end; what is kept in the archive is verified on the way. */
export type Reading = AsyncDisposable & {
  /** Reads into a buffer and answers with the number of bytes; 0 at the end, once the hash was found right. */
  read: (into: Buffer, at: number, length: number) => Promise<number>;
  /** Reads the rest of a file that is used only in part: its hash covers all of it. */
  rest: () => Promise<void>;
};

const CHUNK = 256 * 1024;

/** Codes of the system for a file that is there and gives no bytes: a folder in its place, a bad sector, missing rights. */
const UNREADABLE = new Set(['EISDIR', 'ENOTDIR', 'EIO', 'EACCES', 'EPERM', 'ELOOP', 'EBADMSG', 'EUCLEAN', 'ENXIO']);

/** Opens a file for reading it once. What is kept fails with `archive` when it is missing, cannot be read, or at its end when it is damaged. */
export async function openReading(file: AnyFile): Promise<Reading> {
  const kept = typeof file === 'string' ? null : file;
  const handle = await damageOn(kept, () => (kept === null ? open(file as string) : openKept(kept)));
  const hash = kept === null ? null : cryptography().createHash('sha256');
  let ended = false;
  const read = async (into: Buffer, at: number, length: number): Promise<number> => {
    if (ended) return 0;
    const { bytesRead } = await damageOn(kept, () => handle.read(into, at, length, null));
    hash?.update(into.subarray(at, at + bytesRead));
    if (bytesRead > 0) return bytesRead;
    ended = true;
    if (kept !== null && hash !== null) assertHash(hash, kept);
    return 0;
  };
  return {
    read,
    rest: async () => {
      if (kept === null || ended) return;
      const bytes = Buffer.allocUnsafe(CHUNK);
      while ((await read(bytes, 0, CHUNK)) > 0);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** How often a copy is fetched that others remove before it is opened. */
const FETCHES = 3;

/** Opens a kept file, of a remote one the copy here; one that is not here is fetched. */
async function openKept(file: KeptFile): Promise<FileHandle> {
  const { remote, unverifiedPath } = file;
  if (remote === undefined) return open(unverifiedPath);
  const { bringNear } = await import('./s3/near.ts');
  for (let fetched = 1; ; fetched += 1) {
    await bringNear(file, remote);
    try {
      return await open(unverifiedPath);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || fetched === FETCHES) throw error;
    }
  }
}

/**
 * The bytes of a file in pieces of at most `size`; the last piece is given before the hash is known, so use them only after the end. `first`: of the first
 * piece, for whoever reads many files, most of them small.
 */
export async function* keptBytes(file: AnyFile, size = CHUNK, first = size): AsyncGenerator<Buffer> {
  await using reading = await openReading(file);
  let free = Buffer.allocUnsafeSlow(first);
  for (;;) {
    if (free.length === 0) free = Buffer.allocUnsafeSlow(size);
    const length = await reading.read(free, 0, free.length);
    if (length === 0) return;
    yield free.subarray(0, length);
    free = free.subarray(length);
  }
}

/**
 * The path of a file whose bytes were just found right: for readers that go back and forth in it. Nothing is remembered from one
 * time to the next, because a disk that loses a bit changes no time and no size.
 */
export async function verifiedPath(file: AnyFile): Promise<string> {
  if (typeof file === 'string') return file;
  await using reading = await openReading(file);
  await reading.rest();
  return file.unverifiedPath;
}

/**
 * Works on a file by its path while its hash is found out: for readers that go back and forth in it for long. What they came to, good
 * or bad, counts only when the file is right. A file that is not of the archive must not change meanwhile: throws `file-rejected`
 * when it does, and `not-found` when it cannot be read to its end.
 */
export async function whileVerified<T>(file: AnyFile, work: (path: string) => Promise<T>): Promise<T> {
  if (typeof file === 'string') return whileUnchanged(file, work);
  // What is kept elsewhere is brought here, and verified, before anybody goes back and forth in it.
  if (file.remote !== undefined) await verifiedPath(file);
  const [verified, worked] = await Promise.allSettled([verifiedPath(file), work(file.unverifiedPath)]);
  if (verified.status === 'rejected') throw verified.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

async function whileUnchanged<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  const before = stateOf(path);
  const [worked] = await Promise.allSettled([work(path)]);
  const after = stateOf(path);
  const error: unknown = worked.status === 'rejected' ? worked.reason : null;
  const hasEnded = error instanceof OfferlineError && error.code !== 'file-rejected';
  if (before !== null && after !== null && before !== after && !hasEnded) {
    const message = `${basename(path)} changed while it was read. Try again when nothing writes to it any more.`;
    throw refusal('file-changed', message, { file: basename(path) });
  }
  if (worked.status === 'fulfilled') return worked.value;
  const { syscall, path: place } = error as NodeJS.ErrnoException;
  if (before === null || hasEnded || (syscall !== 'read' && place !== path)) throw error;
  const message = `${path} could not be read to its end (${systemCode(error) ?? messageOf(error)}).`;
  throw new OfferlineError('not-found', message, { cause: error, details: { file: basename(path) } });
}

/** What changes with the content of a file; null where there is none. Not its number, which some network disks give anew. */
function stateOf(path: string): string | null {
  try {
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs}`;
  } catch {
    return null;
  }
}

function assertHash(hash: Hash, file: KeptFile): void {
  if (hash.digest('hex') !== file.sha256)
    throw damagedFile(file, 'damaged', 'its content has changed since it was stored');
}

async function damageOn<T>(kept: KeptFile | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (kept === null) throw error;
    if (code === 'ENOENT') throw damagedFile(kept, 'missing', 'it has been removed or lost', error);
    if (UNREADABLE.has(code)) throw damagedFile(kept, 'unreadable', `it cannot be read (${code})`, error);
    throw error;
  }
}
