import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import picomatch from 'picomatch';
import type { ZipFile } from 'yauzl';
import type { Limits } from '../../config/schema/schema.ts';
import { messageOf, systemCode } from '../../errors.ts';
import { contentOfHead } from './content.ts';
import { meter } from './meter.ts';
import { diskError, refusal } from '../../io/refusal.ts';
import { listEntries, nameList, officeFormat, shownName, type NamedEntry } from './zip-entries.ts';
import { openZip } from '../../io/zip-reader.ts';

const SNIFF_BYTES = 4096;

/** A glob on the whole path of an entry or on its last part. `spent`: it already chose the archive that this one is in. */
export type EntryPattern = { glob: string; spent: boolean };

/** The format of an office document that is a zip; null for an archive of files. Throws `file-rejected`. */
export async function officeFormatOf(source: { path: string; name: string }, limits: Limits): Promise<'xlsx' | null> {
  try {
    const zip = await openZip(source.path);
    try {
      return officeFormat(await listEntries(zip, source.name, limits), source.name);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, source.path, (cause) => zipRefusal(source.name, cause));
  }
}

/**
 * Unpacks the one text file of a zip archive to `target`; returns its name inside the archive. `pattern` chooses among
 * several, and is then spent. An archive inside is taken where no entry fits, so that the pattern can choose there.
 */
export async function unpackZip(
  source: { path: string; name: string },
  target: string,
  limits: Limits,
  pattern: EntryPattern | null,
): Promise<string> {
  const archive = source.name;
  try {
    const zip = await openZip(source.path);
    try {
      const chosen = await chooseEntry(zip, await listEntries(zip, archive, limits), archive, pattern);
      await extract(zip, chosen, archive, target, limits);
      return shownName(chosen.name.split('/').at(-1)!);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, target, (cause) => zipRefusal(archive, cause));
  }
}

async function chooseEntry(zip: ZipFile, files: NamedEntry[], archive: string, pattern: EntryPattern | null) {
  const details = { file: archive, entries: files.map(({ name }) => name) };
  if (files.length === 0) throw refusal('zip-empty', `${archive} contains no files.`, details);
  const matching = pattern === null ? files : fitting(files, pattern);
  if (matching.length === 0) {
    const message = `${archive} has no entry that matches "${pattern?.glob}" (feeds.NAME.entry). Its entries: ${nameList(files)}.`;
    throw refusal('zip-no-match', message, details);
  }
  for (const file of matching) refuseUnreadable(file, archive);
  const texts = matching.length === 1 ? matching : await onlyTexts(zip, matching);
  if (texts.length === 1) return texts[0]!;
  const message = `${archive} must contain exactly one text file. Its entries: ${nameList(matching)}. Choose one with feeds.NAME.entry.`;
  throw refusal('zip-several-entries', message, details);
}

const ARCHIVE = /\.(?:zip|gz|gzip)$/i;

function fitting(files: NamedEntry[], pattern: EntryPattern): NamedEntry[] {
  const { glob } = pattern;
  const options = { nocase: true, basename: !glob.includes('/'), dot: true };
  const matching = files.filter(({ name }) => picomatch.isMatch(name, glob, options));
  if (matching.length > 0) {
    pattern.spent = true;
    return matching;
  }
  return pattern.spent ? files : files.filter(({ name }) => ARCHIVE.test(name));
}

function refuseUnreadable({ entry, name }: NamedEntry, archive: string): void {
  const details = { file: archive, entry: name };
  if (entry.isEncrypted()) {
    const message = `${archive} is encrypted: "${name}" needs a password. Ask for a file without one.`;
    throw refusal('zip-encrypted', message, details);
  }
  if (!entry.canDecodeFileData()) {
    const message = `${archive} compresses "${name}" with a method that is not supported (${entry.compressionMethod}). Use plain zip ("deflate").`;
    throw refusal('zip-method', message, details);
  }
}

/** A picture or a PDF beside the price list does no harm: only texts and archives compete. */
async function onlyTexts(zip: ZipFile, files: NamedEntry[]): Promise<NamedEntry[]> {
  const texts: NamedEntry[] = [];
  for (const file of files) {
    if (texts.length > 1) break;
    if (contentOfHead(await head(zip, file)).kind !== 'binary') texts.push(file);
  }
  return texts;
}

async function head(zip: ZipFile, { entry }: NamedEntry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= SNIFF_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SNIFF_BYTES);
}

async function extract(zip: ZipFile, { entry, name }: NamedEntry, archive: string, target: string, limits: Limits) {
  const { stream, metered } = meter(archive, entry.compressedSize, limits, 'zip-bomb');
  await pipeline(await zip.openReadStreamPromise(entry), stream, createWriteStream(target));
  if (metered.crc !== entry.crc32) {
    const message = `${archive} is damaged: the checksum of "${name}" is wrong. Ask for the file again.`;
    throw refusal('zip-broken', message, { file: archive, entry: name });
  }
}

/** Everything that yauzl and zlib complain about is a broken archive; errors of the system are not. */
function zipRefusal(archive: string, cause: unknown): unknown {
  const code = systemCode(cause);
  if (code !== undefined && !code.startsWith('Z_')) return cause;
  const reason = messageOf(cause);
  if (/strong encryption/.test(reason)) {
    const message = `${archive} is encrypted. Ask for a file without a password.`;
    return refusal('zip-encrypted', message, { file: archive });
  }
  const message = `${archive} is a broken or truncated zip file (${reason}). Ask for the file again.`;
  return refusal('zip-broken', message, { file: archive });
}
