import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failWriting } from './text-writer.ts';

/**
 * Writes a whole file or nothing: to a temporary name beside it, synced, then renamed over `path`. Creates the folder if it
 * does not exist. Readers see the old file or the new one. Throws `disk-full`, `internal`, and what `chunks` throws.
 */
export async function replaceFile(
  path: string,
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writing(path, () => mkdir(dirname(path), { recursive: true }));
  const file = await writing(path, () => open(temporary, 'wx'));
  try {
    for await (const chunk of chunks) await writing(path, () => file.writeFile(chunk));
    await writing(path, () => file.sync());
    await file.close();
    await writing(path, () => rename(temporary, path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Without this the new name may be lost in a power cut; not every file system supports it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function writing<T>(path: string, act: () => Promise<T>): Promise<T> {
  return act().catch((error: unknown) => failWriting(path, error));
}
