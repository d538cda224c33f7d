import type { Entry, ZipFile } from 'yauzl';
import type { Limits } from '../../config/schema/schema.ts';
import { printable, shortened } from '../../wording/printable.ts';
import { refusal } from '../../io/refusal.ts';
import { entryName } from './zip-name.ts';

/** Formats with tables that are zip archives. */
export type ZipFormat = 'xlsx' | 'xlsb' | 'ods';

export type NamedEntry = { entry: Entry; name: string };

/** What packers and file managers add without being asked. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|Thumbs\.db$|\.DS_Store$|desktop\.ini$)/i;

/** Characters; a zip allows 65,535. */
const LONGEST_NAME = 200;

/** What a zip is whose entries have such names; `what` is what cannot be read. */
const OFFICE: { path: RegExp; format?: ZipFormat; what: string }[] = [
  { path: /^xl[\\/]workbook\.bin$/i, format: 'xlsb', what: '' },
  { path: /^xl[\\/]/i, format: 'xlsx', what: '' },
  { path: /^word\//, what: 'a Word document; export its table as CSV' },
  { path: /^ppt\//, what: 'a PowerPoint presentation; ask for the price list as CSV' },
  { path: /^META-INF\/manifest\.xml$/, format: 'ods', what: '' },
];

const UNIX_TYPE_MASK = 0xf000;
const UNIX_SYMLINK = 0xa000;

/** The files of an archive without folders and clutter. Refuses an archive that lies or climbs out before any is read. */
export async function listEntries(zip: ZipFile, archive: string, limits: Limits): Promise<NamedEntry[]> {
  const all: NamedEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (all.push({ entry, name: entryName(entry) }) > limits.zipEntries) throw tooManyEntries(archive, limits);
  }
  refuseOverlap(all, archive);
  const files = all.filter(({ name }) => !name.endsWith('/') && !isClutter(name));
  for (const { entry, name } of files) {
    const isLink = ((entry.externalFileAttributes >>> 16) & UNIX_TYPE_MASK) === UNIX_SYMLINK;
    refuseUnsafeName(name, isLink, archive);
  }
  return files;
}

/** The names of entries for a message, at most twenty of them. */
export function nameList(entries: { name: string }[]): string {
  const names = entries.slice(0, 20).map(({ name }) => shownName(name));
  return entries.length > 20 ? `${names.join(', ')} and ${entries.length - 20} more` : names.join(', ');
}

/** The name of an entry as messages and answers show it. */
export function shownName(name: string): string {
  return shortened(printable(name), LONGEST_NAME);
}

/** Whether a file is one that packers and file managers add. */
export function isClutter(name: string): boolean {
  return CLUTTER.test(name);
}

/** The refusal of an archive with more entries than may be in it. */
export function tooManyEntries(archive: string, limits: Limits) {
  const message = `${archive} has more than ${limits.zipEntries} entries (limits.zipEntries). Pack only the price list.`;
  return refusal('zip-bomb', message, { file: archive, limit: limits.zipEntries });
}

/** The format of an office document that is a zip; null for an archive. Throws `file-rejected` for one that has no tables. */
export function officeFormat(entries: NamedEntry[], archive: string): ZipFormat | null {
  const office = OFFICE.find(({ path }) => entries.some(({ name }) => path.test(name)));
  if (office === undefined) return null;
  if (office.format !== undefined) return office.format;
  throw refusal('binary-file', `${archive} is ${office.what}.`, { file: archive });
}

/** Entries that share packed bytes are how small archives claim to hold terabytes. */
function refuseOverlap(entries: NamedEntry[], archive: string): void {
  let end = 0;
  for (const { entry, name } of entries.toSorted((a, b) => start(a) - start(b))) {
    if (entry.relativeOffsetOfLocalHeader < end) {
      throw refusal('zip-overlap', `${archive} is not a valid zip file: entry "${name}" overlaps another one.`, {
        file: archive,
        entry: name,
      });
    }
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize;
  }
}

function start({ entry }: NamedEntry): number {
  return entry.relativeOffsetOfLocalHeader;
}

/** Refuses an entry that leads out of its archive, or to another file. */
export function refuseUnsafeName(name: string, isLink: boolean, archive: string): void {
  const details = { file: archive, entry: name };
  if (name.startsWith('/') || /^[a-zA-Z]:/.test(name) || name.split('/').includes('..') || name.includes('\0')) {
    throw refusal('zip-traversal', `${archive} has an entry whose path leads out of the archive: "${name}".`, details);
  }
  if (isLink) {
    throw refusal('zip-symlink', `${archive} has a symbolic link instead of a file: "${name}".`, details);
  }
}
