import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import picomatch from 'picomatch';
import type { ZipFile } from 'yauzl';
import type { Limits } from '../../config/schema/schema.ts';
import { messageOf, systemCode } from '../../errors.ts';
import { contentOfHead } from './content.ts';
import { meter } from './meter.ts';
import { diskError, refusal } from '../../io/refusal.ts';
import { oleContent } from './ole.ts';
import { listEntries, nameList, officeFormat, shownName, type NamedEntry, type ZipFormat } from './zip-entries.ts';
import { openZip, zipDamage } from '../../io/zip-reader.ts';

const SNIFF_BYTES = 4096;

/** A glob on the whole path of an entry or on its last part. `spent`: it already chose the archive that this one is in. */
export type EntryPattern = { glob: string; spent: boolean };

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
      if (format === 'ods') await refuseOtherThanSpreadsheet(zip, entries, source.name);
      return format;
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, source.path, (cause) => zipRefusal(source.name, cause));
  }
}

/** OpenDocument files say in their first entry what they are; one that was packed anew may lack it. */
async function refuseOtherThanSpreadsheet(zip: ZipFile, entries: NamedEntry[], archive: string): Promise<void> {
  const entry = entries.find(({ name }) => name === 'mimetype');
  if (entry === undefined || entry.entry.isEncrypted() || !entry.entry.canDecodeFileData()) return;
  const type = (await head(zip, entry)).toString('latin1').trim();
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
  limits: Limits,
  pattern: EntryPattern | null,
): Promise<string> {
  const archive = source.name;
  try {
    const zip = await openZip(source.path);
    try {
      const chosen = await chooseEntry(zip, await listEntries(zip, archive, limits), archive, { pattern, limits });
      await extract(zip, chosen, archive, target, limits);
      return shownName(chosen.name.split('/').at(-1)!);
    } finally {
      zip.close();
    }
  } catch (error) {
    throw diskError(error, target, (cause) => zipRefusal(archive, cause));
  }
}

async function chooseEntry(
  zip: ZipFile,
  files: NamedEntry[],
  archive: string,
  { pattern, limits }: { pattern: EntryPattern | null; limits: Limits },
) {
  const details = { file: archive, entries: files.map(({ name }) => name) };
  if (files.length === 0) throw refusal('zip-empty', `${archive} contains no files.`, details);
  const matching = pattern === null ? files : fitting(files, pattern);
  if (matching.length === 0) {
    const message = `${archive} has no entry that matches "${pattern?.glob}" (feeds.NAME.entry). Its entries: ${nameList(files)}.`;
    throw refusal('zip-no-match', message, details);
  }
  for (const file of matching) refuseUnreadable(file, archive);
  const texts = matching.length === 1 ? matching : await onlyTexts(zip, matching, limits);
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
async function onlyTexts(zip: ZipFile, files: NamedEntry[], limits: Limits): Promise<NamedEntry[]> {
  const texts: NamedEntry[] = [];
  for (const file of files) {
    if (texts.length > 1) break;
    const content = contentOfHead(await head(zip, file));
    const { kind } = content.kind === 'ole' ? await oleContent(pieces(zip, file, limits.fileSize)) : content;
    if (kind !== 'binary') texts.push(file);
  }
  return texts;
}

async function head(zip: ZipFile, file: NamedEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of pieces(zip, file, SNIFF_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks).subarray(0, SNIFF_BYTES);
}

/** The content of an entry up to the piece in which it has so many bytes. */
async function* pieces(zip: ZipFile, { entry }: NamedEntry, most: number): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    yield chunk;
    bytes += chunk.length;
    if (bytes >= most) return;
  }
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
  if (/strong encryption/.test(messageOf(cause))) {
    const message = `${archive} is encrypted. Ask for a file without a password.`;
    return refusal('zip-encrypted', message, { file: archive });
  }
  const message = `${archive} is a broken or truncated zip file: ${zipDamage(cause)}. Ask for the file again.`;
  return refusal('zip-broken', message, { file: archive });
}
