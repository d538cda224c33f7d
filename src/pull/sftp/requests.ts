import type { FileEntry, SFTPWrapper, Stats } from 'ssh2';

type Callback<T> = (error: Error | null | undefined, value: T) => void;

/** The answer to one request; throws the server's refusal as ssh2 has it, with the status as `code`. */
function answer<T>(request: (callback: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    request((error, value) => (error ? reject(error) : resolve(value)));
  });
}

/** Everything in a folder, as the server sends it: so many entries at a time. `within` bounds the wait for each. */
export async function* entriesOf(
  sftp: SFTPWrapper,
  path: string,
  within: <T>(asked: Promise<T>) => Promise<T>,
): AsyncGenerator<FileEntry[]> {
  const handle = await within(answer<Buffer>((callback) => sftp.opendir(path, callback)));
  for (;;) {
    const entries = await within(some(sftp, handle));
    if (entries === undefined) break;
    yield entries;
  }
  await within(answer<void>((callback) => sftp.close(handle, (error) => callback(error, undefined))));
}

/** The next entries of a folder; undefined when there are no more. */
async function some(sftp: SFTPWrapper, handle: Buffer): Promise<FileEntry[] | undefined> {
  try {
    // Its types know paths only.
    const readdir = sftp.readdir.bind(sftp) as unknown as (from: Buffer, callback: Callback<FileEntry[]>) => void;
    return await answer((callback) => readdir(handle, callback));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === END) return undefined;
    throw error;
  }
}

const END = 1;
const NO_SUCH_FILE = 2;

/** What the server says of a file, or with `lstat` of a link itself; undefined when there is none. */
export async function attributesOf(
  sftp: SFTPWrapper,
  path: string,
  request: 'stat' | 'lstat' = 'stat',
): Promise<Stats | undefined> {
  try {
    return await answer<Stats>((callback) => sftp[request](path, callback));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NO_SUCH_FILE) return undefined;
    throw error;
  }
}

/** Gives a file another path; servers refuse one where there is a file. */
export function rename(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  return answer((callback: Callback<void>) => sftp.rename(from, to, (error) => callback(error, undefined)));
}

export function unlink(sftp: SFTPWrapper, path: string): Promise<void> {
  return answer((callback: Callback<void>) => sftp.unlink(path, (error) => callback(error, undefined)));
}

/** Makes a folder. That it is there already is answered like a failure, so that no refusal counts. */
export function makeFolder(sftp: SFTPWrapper, path: string): Promise<void> {
  return answer((callback: Callback<void>) =>
    sftp.mkdir(path, (error) => callback(isRefusal(error) ? undefined : error, undefined)),
  );
}

function isRefusal(error: Error | null | undefined): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

/** Bytes of one request to write, which every server takes whole. */
const WRITTEN_AT_ONCE = 31 * 1024;

/** Writes a whole file, over one that is there. `within` bounds the wait for each answer. */
export async function writeFile(
  sftp: SFTPWrapper,
  path: string,
  content: Buffer,
  within: <T>(asked: Promise<T>) => Promise<T>,
): Promise<void> {
  const handle = await within(answer<Buffer>((callback) => sftp.open(path, 'w', callback)));
  for (let at = 0; at < content.length; at += WRITTEN_AT_ONCE) {
    const length = Math.min(WRITTEN_AT_ONCE, content.length - at);
    await within(
      answer<void>((callback) => sftp.write(handle, content, at, length, at, (error) => callback(error, undefined))),
    );
  }
  await within(answer<void>((callback) => sftp.close(handle, (error) => callback(error, undefined))));
}
