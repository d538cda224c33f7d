import type { SFTPWrapper } from 'ssh2';
import type { ServerPlace } from '../server/server.ts';
import { within } from '../server/within.ts';
import { requestError } from './errors.ts';

/** Bytes of one request: what every server answers whole. */
const SMALLEST_CHUNK = 31 * 1024;

/** Bytes that are asked for ahead, so that the line is never idle. */
const AHEAD = 1 * 1024 * 1024;

/** Bytes of one request to this server: what it told when it was connected to. Fewer requests are half of the time. */
function chunkOf(sftp: SFTPWrapper): number {
  // ssh2 divides a larger request, and asks for its second part only after the first.
  const { _maxReadLen: most } = sftp as unknown as { _maxReadLen: unknown };
  return typeof most === 'number' ? Math.min(most, 255 * 1024) : SMALLEST_CHUNK;
}

/** The bytes of a file in their order, asked for ahead. Throws `pull-failed` when a reply fails or does not come in time. */
export async function* readFile(
  sftp: SFTPWrapper,
  path: string,
  from: number,
  place: ServerPlace,
  close: () => void,
): AsyncGenerator<Buffer> {
  try {
    const handle = await within(opened(sftp, path), place, close);
    const asked: Promise<Buffer>[] = [];
    const size = chunkOf(sftp);
    let position = from;
    for (;;) {
      while (asked.length * size < AHEAD) {
        const request = filled(sftp, handle, { position, size });
        // It is awaited in its turn; one that fails after the reader has left is nobody's.
        request.catch(() => undefined);
        asked.push(request);
        position += size;
      }
      const chunk = await within(asked.shift()!, place, close);
      const isLast = chunk.length < size;
      if (chunk.length > 0) yield chunk;
      if (isLast) break;
    }
    await Promise.allSettled(asked);
    await within(closed(sftp, handle), place, close);
  } catch (error) {
    throw requestError(error, place, path);
  }
}

function opened(sftp: SFTPWrapper, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sftp.open(path, 'r', (error, handle) => (error === undefined ? resolve(handle) : reject(error)));
  });
}

function closed(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sftp.close(handle, (error) => (error ? reject(error) : resolve()));
  });
}

/** One chunk, asked for again from where a server left off; shorter only at the end of the file. */
async function filled(
  sftp: SFTPWrapper,
  handle: Buffer,
  { position, size }: { position: number; size: number },
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = await readAt(sftp, handle, chunk.subarray(length), position + length);
    if (read === 0) break;
    length += read;
  }
  return chunk.subarray(0, length);
}

const END_OF_FILE = 1;

function readAt(sftp: SFTPWrapper, handle: Buffer, into: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    sftp.read(handle, into, 0, into.length, position, (error, read) => {
      if (error === undefined || error === null) return resolve(read);
      if ('code' in error && error.code === END_OF_FILE) resolve(0);
      else reject(error);
    });
  });
}
