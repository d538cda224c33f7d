import type { SFTPWrapper } from 'ssh2';
import type { ServerPlace } from '../server/server.ts';
import { within } from '../server/within.ts';
import { requestError } from './errors.ts';

/** Bytes of one request: what every server answers whole. */
const CHUNK = 32 * 1024;

/** Requests on their way at the same time, so that the line is never idle; 2 MB. */
const AHEAD = 64;

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
    let position = from;
    for (;;) {
      while (asked.length < AHEAD) {
        const request = filled(sftp, handle, position);
        // It is awaited in its turn; one that fails after the reader has left is nobody's.
        request.catch(() => undefined);
        asked.push(request);
        position += CHUNK;
      }
      const chunk = await within(asked.shift()!, place, close);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < CHUNK) break;
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
async function filled(sftp: SFTPWrapper, handle: Buffer, position: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let length = 0;
  while (length < CHUNK) {
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
