import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import { count, type Meter } from '../../gauge.ts';
import { decodeText } from '../../io/text-decode.ts';
import { openTextWriter } from '../../io/text-writer.ts';
import { needsTidying, tidyTexts } from '../../io/tidy-text.ts';
import type { Detection } from '../../model.ts';
import { createLineEnds } from './line-ends.ts';
import type { Source } from './scan-text.ts';

/** A text as the fast path knows it, in UTF-8, and how its rows are cut; disposing of it removes the file. */
export type PlainCopy = AsyncDisposable & { path: string; source: Source };

/** A text whose copy is wanted, and how its rows are cut. */
type Original = {
  path: string;
  detection: Detection;
  signal?: AbortSignal | undefined;
  meter?: Meter | undefined;
};

/**
 * Writes a text in UTF-8, with the habits of single programs mended and LF in place of CR at the ends of lines. Returns null where it
 * cannot be: there is no space for it in the folder, bytes cannot be decoded, of which issues name the charset, or quotes may span
 * lines that end with CR.
 */
export async function plainCopy(original: Original, source: Source, folder: string): Promise<PlainCopy | null> {
  const copy = join(folder, 'plain.tmp');
  const remove = () => rm(copy, { force: true });
  const isWritten = await write(copy, original, source).catch(async (error: unknown) => {
    await remove();
    if (error instanceof OfferlineError && error.code === 'disk-full') return false;
    throw error;
  });
  if (!isWritten) {
    await remove();
    return null;
  }
  const newline = source.dialect.newline === '\r' ? '\n' : source.dialect.newline;
  return { path: copy, source: { ...source, dialect: { ...source.dialect, newline } }, [Symbol.asyncDispose]: remove };
}

async function write(
  copy: string,
  { path, detection, signal, meter }: Original,
  { dialect, scan }: Source,
): Promise<boolean> {
  await using writer = await openTextWriter(copy);
  const decoded = decodeText(path, detection.charset, detection.bom, (bytes) => count(meter, bytes / 2));
  const lineEnds = dialect.newline === '\r' ? createLineEnds(dialect, scan) : null;
  for await (const text of needsTidying(detection) ? tidyTexts(decoded, detection) : decoded) {
    const plain = lineEnds === null ? text : lineEnds.push(text);
    if (signal?.aborted === true || plain === null || plain.includes('\uFFFD')) return false;
    writer.write(plain);
    await writer.flush();
  }
  const rest = lineEnds === null ? '' : lineEnds.end();
  if (rest === null || rest.includes('\uFFFD')) return false;
  writer.write(rest);
  await writer.flush();
  return true;
}
