import type { SFTPWrapper } from 'ssh2';
import type { ServerPlace } from '../server/server.ts';
import { within } from '../server/within.ts';
import { requestError } from './errors.ts';

/** Bytes of the first request, which every server answers whole; each next one asks for twice as many, so that a line that is often cut brings something. */
const SMALLEST_CHUNK = 31 * 1024;

/** Bytes that are asked for ahead, so that the line is never idle. */
const AHEAD = 1 * 1024 * 1024;

/** The most bytes of a request to this server: what it told when it was connected to. Fewer requests are half of the time. */
function mostOf(sftp: SFTPWrapper): number {
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
    const asked: { request: Promise<Buffer>; size: number }[] = [];
    const most = mostOf(sftp);
    let [position, size, ahead] = [from, Math.min(most, SMALLEST_CHUNK), 0];
    for (;;) {
      while (ahead < AHEAD) {
        const request = filled(sftp, handle, { position, size });
        // It is awaited in its turn; one that fails after the reader has left is nobody's.
        request.catch(() => undefined);
        asked.push({ request, size });
        position += size;
        ahead += size;
        size = Math.min(most, size * 2);
      }
      const next = asked.shift()!;
      const chunk = await within(next.request, place, close);
      ahead -= next.size;
      const isLast = chunk.length < next.size;
      if (chunk.length > 0) yield chunk;
      if (isLast) break;
    }
    await Promise.allSettled(asked.map(({ request }) => request));
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
