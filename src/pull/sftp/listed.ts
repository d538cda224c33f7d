import type { FileEntry, Stats } from 'ssh2';
import { systemClock } from '../../clock.ts';
import type { Listed } from '../choose/choose.ts';
import { readUnix } from '../ftp/listing/unix.ts';
import { NO_FILE } from '../server/passed-over.ts';

/** What is told of a file; servers may leave out any of it, which the types do not know. */
type Attributes = { [fact in 'mode' | 'size' | 'mtime']?: Stats[fact] | undefined };

/** Type bits of a mode, and what they say. */
const TYPE = 0o170000;
const KINDS: Partial<Record<number, 'file' | 'folder' | 'link'>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
};

function kindOf({ mode = 0 }: Attributes): 'file' | keyof typeof NO_FILE | undefined {
  const type = mode & TYPE;
  return type === 0 ? undefined : (KINDS[type] ?? 'other');
}

/**
 * A file of a folder, or why it is passed over. It is what its attributes say, else its line for people, else what `ask` answers of it;
 * sizes and times that the listing does not tell are asked for as well: the next look at the file may.
 */
export async function listedFrom(
  { filename: name, longname, attrs }: FileEntry,
  ask: () => Promise<Attributes | undefined>,
): Promise<{ file: Listed } | { name: string; why: string }> {
  const told: Attributes = attrs;
  const read = readUnix(longname, systemClock.now());
  const shown = read === 'nothing' ? null : read;
  const kind = kindOf(told) ?? shown?.kind;
  const isTold = kind !== undefined && (kind !== 'file' || (told.size !== undefined && told.mtime !== undefined));
  const { mode, size, mtime } = (isTold ? undefined : await ask()) ?? {};
  // What is told nowhere is a file: a folder would be told by somebody.
  const found = kind ?? kindOf({ mode }) ?? 'file';
  if (found !== 'file') return { name, why: NO_FILE[found] };
  const file = { name, ...factsOf({ size: told.size ?? size, mtime: told.mtime ?? mtime }) };
  const shownAt = file.mtimeMs === null ? (shown?.shownAt ?? null) : null;
  return { file: shownAt === null ? file : { ...file, shownAt } };
}

/** Size and time; where no size is told, what comes may have any. */
export function factsOf({ size, mtime }: Attributes): Pick<Listed, 'size' | 'mtimeMs' | 'inexact'> {
  const mtimeMs = mtime === undefined ? null : mtime * 1000;
  return size === undefined ? { size: 0, mtimeMs, inexact: true } : { size, mtimeMs };
}
