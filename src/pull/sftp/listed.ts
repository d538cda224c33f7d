import type { FileEntry, Stats } from 'ssh2';
import { systemClock } from '../../clock.ts';
import type { Listed } from '../choose/choose.ts';
import { readUnix } from '../ftp/listing/unix.ts';
import { NO_FILE } from '../server/passed-over.ts';

/** What is told of a file; servers may leave out any of it, which the types do not know. */
type Attributes = Partial<Pick<Stats, 'mode' | 'size' | 'mtime'>>;

/** Type bits of a mode, and what they say. */
const TYPE = 0o170000;
const KINDS: Partial<Record<number, 'file' | 'folder' | 'link'>> = {
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
};

type Kind = 'file' | keyof typeof NO_FILE;

/** What an entry of a folder is: by its attributes, else by its line for people, else by `ask`. */
async function kindOf({ attrs, longname }: FileEntry, ask: () => Promise<Attributes | undefined>): Promise<Kind> {
  const told = (attributes: Attributes | undefined) => {
    const type = (attributes?.mode ?? 0) & TYPE;
    return type === 0 ? undefined : (KINDS[type] ?? 'other');
  };
  const first = told(attrs);
  if (first !== undefined) return first;
  const read = readUnix(longname, 0);
  const shown = read === null || read === 'nothing' ? undefined : read.kind;
  // What is told nowhere is a file: a folder would be told by somebody.
  return shown ?? told(await ask()) ?? 'file';
}

/** A file of a folder, or why it is passed over. `ask` answers its attributes again, of its own. */
export async function listedFrom(
  entry: FileEntry,
  ask: () => Promise<Attributes | undefined>,
): Promise<{ file: Listed } | { name: string; why: string }> {
  const kind = await kindOf(entry, ask);
  const name = entry.filename;
  if (kind !== 'file') return { name, why: NO_FILE[kind] };
  const file = { name, ...factsOf(entry.attrs) };
  const read = file.mtimeMs === null ? readUnix(entry.longname, systemClock.now()) : null;
  const shownAt = read === null || read === 'nothing' ? null : read.shownAt;
  return { file: shownAt === null ? file : { ...file, shownAt } };
}

/** Size and time; where no size is told, what comes may have any. */
export function factsOf({ size, mtime }: Attributes): Pick<Listed, 'size' | 'mtimeMs' | 'inexact'> {
  const mtimeMs = mtime === undefined ? null : mtime * 1000;
  return size === undefined ? { size: 0, mtimeMs, inexact: true } : { size, mtimeMs };
}
