import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import { decodeText } from '../../io/text-decode.ts';
import { openTextWriter } from '../../io/text-writer.ts';
import { tidyTexts } from '../../io/tidy-text.ts';
import type { Detection } from '../../model.ts';

/** A text that was mended, as UTF-8; disposing of it removes the file. */
export type TidiedCopy = AsyncDisposable & { path: string };

/**
 * Writes a text with the habits of single programs mended, which the fast path does not know. Returns null where it cannot be: there is
 * no space for it in the folder, or bytes cannot be decoded, of which issues name the charset.
 */
export async function tidiedCopy(
  { path, detection, signal }: { path: string; detection: Detection; signal?: AbortSignal | undefined },
  folder: string,
): Promise<TidiedCopy | null> {
  const copy = join(folder, 'tidied.tmp');
  const remove = () => rm(copy, { force: true });
  const isWritten = await write(copy, path, detection, signal).catch(async (error: unknown) => {
    await remove();
    if (error instanceof OfferlineError && error.code === 'disk-full') return false;
    throw error;
  });
  if (isWritten) return { path: copy, [Symbol.asyncDispose]: remove };
  await remove();
  return null;
}

async function write(copy: string, path: string, detection: Detection, signal?: AbortSignal): Promise<boolean> {
  await using writer = await openTextWriter(copy);
  for await (const text of tidyTexts(decodeText(path, detection.charset, detection.bom), detection)) {
    if (signal?.aborted === true || text.includes('\uFFFD')) return false;
    writer.write(text);
    await writer.flush();
  }
  return true;
}
