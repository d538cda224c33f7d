import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ZipFile } from 'yauzl';
import type { Limits } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { chooseEntry, head, type EntryPattern } from './choose-entry.ts';
import { meter, type Spent } from './meter.ts';
import { diskError, refusal } from '../../io/refusal.ts';
import { listEntries, officeFormat, shownName, type NamedEntry, type ZipFormat } from './zip-entries.ts';
import { openZip, zipDamage } from '../../io/zip-reader.ts';
import { hasChecksum, isTraditional, packedBy } from './sealed/aes-entry.ts';
import type { Unsealed } from './sealed/unseal.ts';

/** An archive that is open, what it is called, and what opens its entries. */
type Archive = { zip: ZipFile; archive: string; limits: Limits; password: string | null };

/** The format of an office document that is a zip; null for an archive of files. Throws `file-rejected`. */
export async function officeFormatOf(
  source: { path: string; name: string },
  limits: Limits,
): Promise<ZipFormat | null> {
  try {
    const zip = await openZip(source.path);
    try {
      const entries = await listEntries(zip, source.name, limits);
      const format = officeFormat(entries, source.name);
      const archive = { zip, archive: source.name, limits, password: null };
      if (format === 'ods') await refuseOtherThanSpreadsheet(archive, entries);
      return format;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, source.path, (cause) => zipRefusal(source.name, cause));
  }
}

/** OpenDocument files say in their first entry what they are; one that was packed anew may lack it. */
async function refuseOtherThanSpreadsheet(from: Archive, entries: NamedEntry[]): Promise<void> {
  const { archive } = from;
  const entry = entries.find(({ name }) => name === 'mimetype');
  if (entry === undefined || entry.entry.isEncrypted() || !entry.entry.canDecodeFileData()) return;
  const type = (await look(from, entry, head)).toString('latin1').trim();
  if (type.includes('opendocument.spreadsheet')) return;
  const message = `${archive} is an OpenDocument file, but no spreadsheet; export its table as CSV.`;
  throw refusal('binary-file', message, { file: archive, type: type.slice(0, 100) });
}

/**
 * Unpacks the one text file of a zip archive to `target`; returns its name inside the archive. `pattern` chooses among
 * several, and is then spent. An archive inside is taken where no entry fits, so that the pattern can choose there.
 */
export async function unpackZip(
  source: { path: string; name: string },
  target: string,
  {
    limits,
    pattern,
    password,
    spent,
  }: { limits: Limits; pattern: EntryPattern | null; password: string | null; spent?: Spent | undefined },
): Promise<string> {
  const archive = source.name;
  try {
    const zip = await openZip(source.path);
    try {
      const from = { zip, archive, limits, password };
      const chosen = await chooseEntry(await listEntries(zip, archive, limits), {
        archive,
        pattern,
        refuse: (file) => refuseUnreadable(file, from),
        look: (file, see) => look(from, file, see),
      });
      await extract(from, chosen, target, spent);
      return shownName(chosen.name.split('/').at(-1)!);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, target, (cause) => zipRefusal(archive, cause));
  }
}

/** An entry of an archive that was unpacked, by its name there, with its folders. */
export type Extracted = { name: string; path: string };

/** What entries of an archive are unpacked: `choose` gets the names of all in the order of the archive, and gives those of them in theirs. */
export type Extraction = {
  choose: (names: string[]) => string[];
  /** Where the next entry goes. */
  target: () => string;
  limits: Limits;
  password: string | null;
  spent: Spent;
};

/** Unpacks several entries of a zip archive, all or none; their sizes count together. Throws `file-rejected`, which names the entry. */
export async function unpackEntries(
  { path, name: archive }: { path: string; name: string },
  { choose, target, limits, password, spent }: Extraction,
): Promise<Extracted[]> {
  let at = path;
  let inside = '';
  try {
    const zip = await openZip(path);
    try {
      const files = byName(await listEntries(zip, archive, limits), archive);
      const from = { zip, archive, limits, password };
      const found: Extracted[] = [];
      for (const name of choose([...files.keys()])) {
        const file = files.get(name)!;
        refuseUnreadable(file, from);
        [at, inside] = [target(), `"${name}": `];
        await extract(from, file, at, spent);
        found.push({ name, path: at });
      }
      return found;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, at, (cause) => zipRefusal(archive, cause, inside));
  }
}

function byName(entries: NamedEntry[], archive: string): Map<string, NamedEntry> {
  if (entries.length === 0) throw refusal('zip-empty', `${archive} contains no files.`, { file: archive, entries: [] });
  const files = new Map<string, NamedEntry>();
  for (const entry of entries) {
    const name = shownName(entry.name);
    if (files.has(name)) {
      const message = `${archive} is not a valid zip file: two of its entries have the name "${name}".`;
      throw refusal('zip-broken', message, { file: archive, entry: name });
    }
    files.set(name, entry);
  }
  return files;
}

/** Stored and deflated. */
const METHODS = [0, 8];

function refuseUnreadable({ entry, name }: NamedEntry, { archive, password }: Archive): void {
  const details = { file: archive, entry: name };
  if (entry.isEncrypted() && password === null) {
    const message = `${archive} is encrypted: "${name}" needs a password. Set feeds.NAME.unpack.password, or ask for a file without one.`;
    throw refusal('zip-encrypted', message, details);
  }
  const method = packedBy(entry);
  if (!METHODS.includes(method)) {
    const message = `${archive} compresses "${name}" with a method that is not supported (${method}). Use plain zip ("deflate").`;
    throw refusal('zip-method', message, details);
  }
}

/** Shows the content of an entry from its beginning. */
async function look<T>(
  from: Archive,
  file: NamedEntry,
  see: (content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { open } = await openEntry(from, file);
  return see((await open()) as AsyncIterable<Buffer>);
}

async function openEntry({ zip, archive, password }: Archive, { entry, name }: NamedEntry): Promise<Unsealed> {
  if (!entry.isEncrypted() || password === null) {
    return { open: () => zip.openReadStreamPromise(entry), verify: () => Promise.resolve() };
  }
  const { unseal } = await import('./sealed/unseal.ts');
  return unseal({ zip, entry, name, archive, password });
}

async function extract(from: Archive, file: NamedEntry, target: string, spent?: Spent): Promise<void> {
  const { archive, limits } = from;
  const { entry, name } = file;
  const { open, verify } = await openEntry(from, file);
  const meters = meter(archive, entry.compressedSize, limits, 'zip-bomb', spent);
  try {
    await verify();
    await pipeline(await open(), meters.stream, createWriteStream(target));
    const { bytes, crc } = meters.metered;
    if (bytes === entry.uncompressedSize && (!hasChecksum(entry) || crc === entry.crc32)) return;
  } catch (error) {
    if (!isTraditional(entry) || !isDamage(error)) throw error;
  }
  const what = isTraditional(entry)
    ? `cannot be decrypted: the password in feeds.NAME.unpack.password is wrong, or "${name}" is damaged. Set the password that the supplier uses, or ask`
    : `is damaged: the checksum of "${name}" is wrong. Ask`;
  const code = isTraditional(entry) ? 'wrong-password' : 'zip-broken';
  throw refusal(code, `${archive} ${what} for the file again.`, { file: archive, entry: name });
}

/** Whether an error comes from packed data, not from a limit or the disk. */
function isDamage(error: unknown): boolean {
  return !(error instanceof OfferlineError) && (systemCode(error)?.startsWith('Z_') ?? true);
}

/** Everything that yauzl and zlib complain about is a broken archive; errors of the system are not. */
function zipRefusal(archive: string, cause: unknown, inside = ''): unknown {
  const code = systemCode(cause);
  if (code !== undefined && !code.startsWith('Z_')) return cause;
  if (/strong encryption/.test(messageOf(cause))) {
    const message = `${archive} is encrypted. Ask for a file without a password.`;
    return refusal('zip-encrypted', message, { file: archive });
  }
  const message = `${archive} is a broken or truncated zip file: ${inside}${zipDamage(cause)}. Ask for the file again.`;
  return refusal('zip-broken', message, { file: archive });
}
