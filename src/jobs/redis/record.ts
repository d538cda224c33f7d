import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { OfferlineError, systemCode } from '../../errors.ts';

/** Operating systems take about 104 bytes (macOS) to 108 bytes (Linux) for the path of a socket. */
const SOCKET_PATH_LIMIT = 100;

const serverRecord = z.object({
  kind: z.enum(['private', 'in-process']),
  /** The Unix socket or named pipe. */
  path: z.string(),
  /** Null while the server is being started. */
  pid: z.number().nullable(),
});

/** Where the Redis of a home listens, written for the next process. */
export type ServerRecord = z.output<typeof serverRecord>;

/** The folder's record; null when there is none or it cannot be read (then a server on the default path is looked for). */
export async function readRecord(folder: string): Promise<ServerRecord | null> {
  try {
    return serverRecord.parse(JSON.parse(await readFile(recordFile(folder), 'utf8')));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Writes the record so that a reader sees the old one or the new one, never a part. */
export async function writeRecord(folder: string, record: ServerRecord): Promise<void> {
  const draft = join(folder, `server.${randomUUID()}.tmp`);
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  await rename(draft, recordFile(folder));
}

/** Removes the record of a server that has ended, and the folder of its socket where it is not in the home. */
export async function removeRecord(folder: string, path: string): Promise<void> {
  await rm(recordFile(folder), { force: true });
  if (process.platform === 'win32' || dirname(path) === folder) return;
  await rm(path, { force: true });
  // Whatever else lies there stays.
  await rmdir(dirname(path)).catch(() => undefined);
}

/**
 * The path of the socket for a new server: in the folder, or where that is too long for a socket in a private folder
 * under the system's temporary one. A named pipe on Windows.
 */
export async function socketPath(folder: string): Promise<string> {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return String.raw`\\.\pipe\offerline-${hash}`;
  const inside = join(folder, 'redis.sock');
  if (Buffer.byteLength(inside) <= SOCKET_PATH_LIMIT) return inside;
  const outside = join(tmpdir(), `offerline-${hash}`);
  await mkdir(outside, { recursive: true, mode: 0o700 });
  const found = await lstat(outside);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new OfferlineError(
      'redis',
      `${outside} must be a folder that only this user can open. Remove it and try again.`,
    );
  }
  return join(outside, 'redis.sock');
}

function recordFile(folder: string): string {
  return join(folder, 'server.json');
}
