import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { Unpacked } from '../../../pull/unpack/unpack.ts';
import { listFilePath } from '../../../validate/scan/scan-files.ts';
import type { AsText } from '../as-text.ts';

/** A file of several as a text, and the tables that it was made of, or null. */
export type ListText = { file: Unpacked; path: string; bytes: number; table: AsText | null };

/** A file of several as a text: one with tables is written as one. Throws `file-rejected`. */
export async function listText(
  file: Unpacked,
  at: number,
  { folder, settings, signal }: { folder: string; settings: ReadSettings; signal: AbortSignal | undefined },
): Promise<ListText> {
  const { format } = file;
  if (format === 'text') return { file, path: file.path, bytes: file.bytes, table: null };
  const { asText } = await import('../as-text.ts');
  const own = join(folder, `tables-${at}`);
  await mkdir(own);
  const table = await asText({ ...file, format }, { folder: own, settings, signal });
  await rm(file.path, { force: true });
  return { file, path: table.text.path, bytes: table.text.bytes, table };
}

/** Puts texts into the folder of all, in the order in which they are read. */
export async function placeTexts(paths: string[], folder: string): Promise<void> {
  for (const [at, path] of paths.entries()) await rename(path, listFilePath(folder, at));
}

const [LF, CR] = [0x0a, 0x0d];

/** How many lines a text has at most, in whatever charset it is: the lines of the next file are counted from there. */
export async function mostLines(path: string): Promise<number> {
  let [breaks, last] = [0, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    if (last !== CR && !chunk.includes(CR)) {
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) breaks += 1;
      continue;
    }
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === CR || (byte === LF && last !== CR)) breaks += 1;
      last = byte;
    }
  }
  return breaks + 1;
}
