import { createWriteStream } from 'node:fs';
import { rm, stat, symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Limits } from '../../../config/schema/schema.ts';
import { diskError, refusal } from '../../../io/refusal.ts';
import { chooseEntry, type EntryPattern } from '../choose-entry.ts';
import { meter, type Spent } from '../meter.ts';
import type { Extracted, Extraction } from '../zip.ts';
import { isClutter, refuseUnsafeName, shownName, tooManyEntries } from '../zip-entries.ts';
import { findProgram, programMissing, runProgram, type ProgramEnd } from './run-program.ts';
import {
  asksForEntry,
  asksForList,
  listedEntries,
  SEVEN_ZIP,
  type ArchiveKind,
  type ListedEntry,
} from './seven-zip.ts';

/** An archive that 7-Zip opens, under a name that means nothing to it. */
type Packed = { file: string; kind: ArchiveKind; link: string; name: string; limits: Limits; password: string | null };

const WHAT = { '7z': 'a 7-Zip archive', rar: 'a RAR archive' };
const INSTALL = {
  '7z': '7-Zip (on Debian: apt install 7zip)',
  rar: '7-Zip with its part for RAR (on Debian: apt install 7zip 7zip-rar, of non-free)',
};
/** Bytes of the list of an archive for each entry that may be in it. */
const ENTRY_BYTES = 4096;
/** What 7-Zip ends with when it has done its work, and warns of something such as bytes behind the archive. */
const WARNING = 1;

/**
 * Unpacks the one list of a 7-Zip or RAR archive to `target` with a program of this machine; returns its name inside the archive. The program writes
 * no files. Throws `file-rejected`, `disk-full`.
 */
export async function openArchive(
  kind: ArchiveKind,
  { path, name }: { path: string; name: string },
  target: string,
  {
    pattern,
    spent,
    ...rest
  }: { limits: Limits; pattern: EntryPattern | null; password: string | null; spent?: Spent | undefined },
): Promise<string> {
  const link = `${target}.packed`;
  await symlink(resolve(path), link);
  try {
    const packed = await packedFor({ kind, link, name, ...rest });
    const chosen = await chooseEntry(await list(packed), {
      archive: name,
      pattern,
      refuse: (entry) => refuseSealed(packed, entry),
      look: (entry, see) => look(packed, entry, see),
    });
    await extract(packed, chosen, target, spent);
    return shownName(chosen.name.split('/').at(-1)!);
  } finally {
    await rm(link, { force: true });
  }
}

/** Unpacks several entries of a 7-Zip or RAR archive, all or none, as `unpackEntries` does those of a zip. */
export async function openEntries(
  kind: ArchiveKind,
  { path, name }: { path: string; name: string },
  { choose, target, spent, ...rest }: Extraction,
): Promise<Extracted[]> {
  const link = target();
  await symlink(resolve(path), link);
  try {
    const packed = await packedFor({ kind, link, name, ...rest });
    const listed = await list(packed);
    if (listed.length === 0) throw refusal('zip-empty', `${name} contains no files.`, { file: name, entries: [] });
    const files = new Map(listed.map((entry) => [shownName(entry.name), entry]));
    if (files.size < listed.length) throw damaged(packed, 'it has two files of one name');
    const found: Extracted[] = [];
    for (const wanted of choose([...files.keys()])) {
      const entry = files.get(wanted)!;
      refuseSealed(packed, entry);
      const at = target();
      await extract(packed, entry, at, spent);
      found.push({ name: wanted, path: at });
    }
    return found;
  } finally {
    await rm(link, { force: true });
  }
}

/** Finds a program that knows the format. */
async function packedFor(rest: Omit<Packed, 'file'>): Promise<Packed> {
  const { kind, name } = rest;
  for (const program of SEVEN_ZIP) {
    const file = await findProgram([program]);
    if (file === null) continue;
    const packed = { ...rest, file };
    if (kind === '7z' || (await knowsRar(packed))) return packed;
  }
  throw programMissing(name, WHAT[kind], INSTALL[kind]);
}

/** The part for RAR is not free, and in a package of its own. */
async function knowsRar(packed: Packed): Promise<boolean> {
  let text = '';
  await run(packed, ['i'], async (output) => {
    for await (const piece of output.setEncoding('utf8') as AsyncIterable<string>) text += piece;
  });
  return /\sRar5?\s/u.test(text);
}

/** The files of an archive without folders and clutter. */
async function list(packed: Packed): Promise<ListedEntry[]> {
  const { kind, link, name, limits } = packed;
  let text = '';
  const end = await run(packed, asksForList(kind, link), async (output) => {
    for await (const piece of output.setEncoding('utf8') as AsyncIterable<string>) {
      text += piece;
      if (text.length > ENTRY_BYTES * limits.zipEntries) throw tooManyEntries(name, limits);
    }
  });
  refuseFailed(packed, end, name);
  const all = listedEntries(text);
  if (all.length > limits.zipEntries) throw tooManyEntries(name, limits);
  const files = all.filter((entry) => !entry.isFolder && !isClutter(entry.name));
  for (const { name: entry, isLink } of files) refuseUnsafeName(entry, isLink, name);
  // Asked for one of them, it would give both.
  const names = new Set<string>();
  const twice = files.find((entry) => names.size === names.add(entry.name).size);
  if (twice === undefined) return files;
  throw damaged(packed, `it has two files called "${shownName(twice.name)}"`);
}

function run(
  { file, link, name, limits, password }: Packed,
  args: string[],
  take: (output: Readable) => Promise<void>,
) {
  const texts: [number, string][] = [[0, password === null ? '' : `${password}\n`]];
  return runProgram({ file, args, name, limits, folder: dirname(link), texts, take });
}

/** Shows the beginning of an entry; the program is ended when enough was seen. */
async function look<T>(
  packed: Packed,
  entry: ListedEntry,
  see: (content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  let seen: { what: T } | null = null;
  const { kind, link } = packed;
  const end = await run(packed, asksForEntry(kind, link, entry.name), async (output) => {
    seen = { what: await see(output as AsyncIterable<Buffer>) };
  });
  const { what } = seen!;
  if (end.status !== null) refuseFailed(packed, end, entry.name);
  return what;
}

async function extract(packed: Packed, entry: ListedEntry, target: string, spent: Spent | undefined): Promise<void> {
  const { kind, link, name, limits } = packed;
  if (entry.size > limits.unpackedSize) throw tooMuch(packed);
  const { size } = await stat(link);
  const { stream, metered } = meter(name, size, limits, 'archive-bomb', spent);
  const end = await run(packed, asksForEntry(kind, link, entry.name), (output) =>
    pipeline(output, stream, createWriteStream(target)).catch((error: unknown) => {
      throw diskError(error, target, (cause) => cause);
    }),
  );
  refuseFailed(packed, end, entry.name);
  if (metered.bytes !== entry.size)
    throw damaged(packed, `"${shownName(entry.name)}" has another size than its list says`);
}

function refuseSealed({ name, password }: Packed, { name: entry, isEncrypted }: ListedEntry): void {
  if (isEncrypted && password === null) throw needsPassword(name, entry);
}

function needsPassword(archive: string, entry: string) {
  const message = `${archive} is encrypted: "${shownName(entry)}" needs a password. Set feeds.NAME.unpack.password, or ask for a file without one.`;
  return refusal('zip-encrypted', message, { file: archive, entry });
}

/** Refuses an archive that a program could not read, by what it complained about. Nothing of that is shown: it repeats names. */
function refuseFailed(packed: Packed, { status, complaint }: ProgramEnd, entry: string): void {
  if (status !== null && status <= WARNING) return;
  const { name, kind, password } = packed;
  const details = { file: name, entry };
  // It was asked for a password that nobody has set.
  if (password === null && /break signaled/iu.test(complaint)) throw needsPassword(name, entry);
  if (/wrong password|encrypted archive/iu.test(complaint)) {
    if (password === null) throw needsPassword(name, entry);
    const message = `${name} is encrypted, and the password in feeds.NAME.unpack.password does not open "${shownName(entry)}". Set the one that the supplier uses.`;
    throw refusal('wrong-password', message, details);
  }
  if (/allocate|enough memory/iu.test(complaint)) {
    const message = `${name} takes more than 1024 MB of memory to read, the most that a file may take. Send the list alone, as CSV if it is a workbook.`;
    throw refusal('reading-too-large', message, { ...details, limit: 1024 });
  }
  if (/unsupported method/iu.test(complaint)) {
    const message = `${name} is ${WHAT[kind]} that is packed by a method that is not supported. Use plain zip ("deflate").`;
    throw refusal('zip-method', message, details);
  }
  throw damaged(packed, 'it cannot be read to its end');
}

function damaged({ name, kind }: Packed, why: string) {
  const message = `${name} is a broken or truncated ${kind === '7z' ? '7-Zip' : 'RAR'} archive: ${why}. Ask for the file again.`;
  return refusal('archive-broken', message, { file: name });
}

function tooMuch({ name, limits }: Packed) {
  const message = `${name} unpacks to more than ${limits.unpackedSize} bytes (limits.unpackedSize). It was not used.`;
  return refusal('archive-too-large', message, { file: name, limit: limits.unpackedSize });
}
