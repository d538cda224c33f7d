import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { refusal } from '../../io/refusal.ts';
import { printable } from '../../wording/printable.ts';
import type { Spent } from './meter.ts';
import type { ArchiveKind } from './sealed/seven-zip.ts';
import { hasSeveralFiles } from './several-files.ts';
import { contentAt, MAX_LAYERS, nameDelivery, tooNested, unpack, type Unpacked, type UnpackInput } from './unpack.ts';

/**
 * Which files of an archive are wanted: all, those that fit any of some globs, those of these very names; `one`: the only one, or the one
 * that fits a glob, also in an archive that is named itself.
 */
export type WantedEntries =
  'all' | { globs: string[] } | { names: string[]; one: string | null } | { one: string | null };

/** The files of a delivery in the order in which they are read, and what was left out of its archive, in sentences. */
export type UnpackedAll = { files: Unpacked[]; passedOver: string[] };

type AllInput = Pick<UnpackInput, 'path' | 'name' | 'folder' | 'limits' | 'keys'> & { entries: WantedEntries };

type Unpacking = AllInput & {
  spent: Spent;
  written: string[];
  files: Unpacked[];
  passedOver: string[];
};

/** An archive, and by which name its files are known: that of the archives it came out of. */
type Archive = { path: string; name: string; kind: 'zip' | ArchiveKind; prefix: string; layer: number };

/**
 * Gives the files that are wanted of an archive, unpacked, each as `unpack` does: all of them or none. Files of an archive inside are
 * named with it. A file that is no archive is the only one. Of several files that the program has put into one all are wanted, and each as
 * if it had come alone. Throws as `unpack`, and names the file that cannot be used.
 */
export async function unpackAll(input: AllInput): Promise<UnpackedAll> {
  const work: Unpacking = { ...input, spent: { bytes: 0 }, written: [], files: [], passedOver: [] };
  try {
    const outer = await outermost(work);
    if (outer === null) {
      const file = await unpackOne(input, input);
      await removeAll(work, new Set([file.path]));
      return { files: [file], passedOver: [] };
    }
    await openArchive(outer, work);
    const { files, passedOver } = work;
    if (files.length === 0) {
      const message = `${input.name} contains no files that can be read as lists.`;
      throw refusal('zip-empty', message, { file: input.name, entries: [] });
    }
    await removeAll(work, new Set(files.map(({ path }) => path)));
    return { files: inOrder(files, input.entries), passedOver };
  } catch (error) {
    await removeAll(work, new Set());
    throw nameDelivery(error, input.name);
  }
}

/** The archive of files that a file is, or that is packed once more; null for any other file. */
async function outermost(work: Unpacking): Promise<Archive | null> {
  const { name, limits, written, spent } = work;
  if (hasSeveralFiles(work.path)) return { path: work.path, name, kind: 'zip', prefix: '', layer: 0 };
  if (isOne(work.entries)) return null;
  let path = work.path;
  for (let layer = 1; layer <= MAX_LAYERS; layer += 1) {
    const found = await contentAt({ path, name }, { copy: nextPath(work), written, limits, isDelivery: layer === 1 });
    const { kind } = found.content;
    if (isArchive(kind)) {
      work.passedOver.push(...found.notes);
      return { path: found.path, name, kind, prefix: '', layer };
    }
    if (kind !== 'gzip' && kind !== 'pgp') return null;
    const target = nextPath(work);
    const packed = { path: found.path, name };
    if (kind === 'gzip') await (await import('./gzip.ts')).unpackGzip(packed, target, limits, spent);
    else await openMessage(packed, target, work);
    path = target;
  }
  return null;
}

function isArchive(kind: string): kind is Archive['kind'] {
  return kind === 'zip' || kind === '7z' || kind === 'rar';
}

/** What is in a message is signed as the message is. */
async function openMessage(file: { path: string; name: string }, target: string, work: Unpacking): Promise<void> {
  const { limits, spent, keys } = work;
  const { openPgp } = await import('./sealed/pgp.ts');
  await openPgp(file, target, { limits, spent, keys: keys?.pgp ?? null });
  if (keys?.pgp) work.keys = { ...keys, pgp: { ...keys.pgp, signedBy: null } };
}

async function openArchive({ path, name, kind, prefix, layer }: Archive, work: Unpacking): Promise<void> {
  const { limits, spent, entries, written, keys } = work;
  const extraction = {
    choose: (names: string[]) => chosen(names, { name, prefix, layer }, entries),
    target: () => nextPath(work),
    limits,
    password: keys?.password ?? null,
    spent,
  };
  const found =
    kind === 'zip'
      ? await (await import('./zip.ts')).unpackEntries({ path, name }, extraction)
      : await (await import('./sealed/open-archive.ts')).openEntries(kind, { path, name }, extraction);
  for (const entry of found) {
    const its = `${prefix}${entry.name}`;
    const looking = { copy: nextPath(work), written, limits, isDelivery: false };
    const { content, path: contentPath } = await contentAt({ path: entry.path, name: its }, looking);
    const isNamed = typeof entries !== 'string' && 'names' in entries && entries.names.includes(its);
    if (isArchive(content.kind) && !isOne(entries) && !isNamed) {
      if (layer === MAX_LAYERS) throw tooNested(its);
      const inner = { path: contentPath, name: its, kind: content.kind, prefix: `${its}/`, layer: layer + 1 };
      await openArchive(inner, work);
    } else if (content.kind === 'binary' && content.isPicture === true && (entries === 'all' || isOne(entries))) {
      work.passedOver.push(`The file ${printable(its)} is no list and was left out.`);
    } else {
      const unpacked = await unpackOne({ path: entry.path, name: its, layers: layer, spent }, work);
      work.files.push({ ...unpacked, name: its });
      written.push(unpacked.path);
    }
  }
}

/** A list may be packed by itself in the archive: price.csv.gz fits price.csv, too. */
const PACKED = /\.(?:gz|gzip)$/i;
const ARCHIVE = /\.(?:zip|7z|rar)$/i;

/** The entries of an archive that are wanted; of one without any, archives in which they may be. */
function chosen(
  names: string[],
  { name: archive, prefix, layer }: Omit<Archive, 'path' | 'kind'>,
  entries: WantedEntries,
): string[] {
  if (entries === 'all' || !('globs' in entries) || layer === 0) return wantedNames(names, prefix, entries);
  // The archive was wanted, with all that is in it.
  if (prefix !== '' && entries.globs.some((glob) => fitsEntry(prefix.slice(0, -1), glob))) return names;
  const missing = entries.globs.filter((glob) => !names.some((name) => fitsEntry(name, glob)));
  if (missing.length === 0) return names.filter((name) => entries.globs.some((glob) => fitsEntry(name, glob)));
  const archives = names.filter((name) => ARCHIVE.test(name));
  if (missing.length === entries.globs.length && archives.length > 0) return archives;
  const shown = names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');
  const wanted = missing.map((glob) => JSON.stringify(glob)).join(', ');
  const message = `${archive} has no entry that matches ${wanted} (feeds.NAME.entries), so nothing of it was taken. Its entries: ${shown}.`;
  throw refusal('zip-no-match', message, { file: archive, entries: names, missing });
}

function wantedNames(names: string[], prefix: string, entries: WantedEntries): string[] {
  if (typeof entries === 'string' || !('names' in entries)) return names;
  return names.filter((name) =>
    entries.names.some((wanted) => wanted === `${prefix}${name}` || wanted.startsWith(`${prefix}${name}/`)),
  );
}

/** Whether of each archive one file is wanted. */
function isOne(entries: WantedEntries): boolean {
  return typeof entries !== 'string' && 'one' in entries && !('names' in entries);
}

/** Unpacks one file; where only one is wanted of each archive, the glob chooses it. */
function unpackOne(
  file: Pick<UnpackInput, 'path' | 'name' | 'layers' | 'spent'>,
  { folder, limits, entries, keys = null }: AllInput,
): Promise<Unpacked> {
  const { path, name, ...unpacked } = file;
  const entry = typeof entries !== 'string' && 'one' in entries ? entries.one : null;
  return unpack({ path, name, folder, limits, ...unpacked, entry, keys });
}

const SHOWN = 20;

/** Whether the name of an entry, with its folders or without, fits a glob. */
export function fitsEntry(name: string, glob: string): boolean {
  const options = { nocase: true, basename: !glob.includes('/'), dot: true };
  return [name, name.replace(PACKED, '')].some((one) => picomatch.isMatch(one, glob, options));
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

/** In the order of the globs or names that they fit, and else by name: `part2` before `part10`. */
function inOrder(files: Unpacked[], entries: WantedEntries): Unpacked[] {
  const placeOf = ({ name }: Unpacked): number => {
    if (entries === 'all') return 0;
    if ('globs' in entries) return entries.globs.findIndex((glob) => fitsEntry(name, glob));
    return 'names' in entries ? entries.names.indexOf(name) : 0;
  };
  return files.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || BY_NAME.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
  );
}

function nextPath({ folder, written }: Unpacking): string {
  const path = join(folder, `entry-${written.length}`);
  written.push(path);
  return path;
}

async function removeAll({ written }: Unpacking, but: Set<string>): Promise<void> {
  for (const path of written) if (!but.has(path)) await rm(path, { force: true });
}
