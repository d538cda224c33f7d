import picomatch from 'picomatch';
import { refusal } from '../../io/refusal.ts';
import { contentOfHead } from './content.ts';
import { oleContent } from './ole.ts';
import { nameList } from './zip-entries.ts';

const SNIFF_BYTES = 4096;

/** A glob on the whole path of an entry or on its last part. `spent`: it already chose the archive that this one is in. */
export type EntryPattern = { glob: string; spent: boolean };

/** How one of an archive's files is chosen. */
export type Choosing<File> = {
  archive: string;
  pattern: EntryPattern | null;
  /** Refuses what cannot be read. */
  refuse: (file: File) => void;
  /** Shows the content of a file from its beginning, as far as it is looked at. */
  look: <T>(file: File, see: (content: AsyncIterable<Buffer>) => Promise<T>) => Promise<T>;
};

/** Chooses the one list among the files of an archive. Throws `file-rejected`. */
export async function chooseEntry<File extends { name: string }>(
  files: File[],
  { archive, pattern, refuse, look }: Choosing<File>,
): Promise<File> {
  const details = { file: archive, entries: files.map(({ name }) => name) };
  if (files.length === 0) throw refusal('zip-empty', `${archive} contains no files.`, details);
  const matching = pattern === null ? files : fitting(files, pattern);
  if (matching.length === 0) {
    const message = `${archive} has no entry that matches "${pattern?.glob}" (feeds.NAME.entry). Its entries: ${nameList(files)}.`;
    throw refusal('zip-no-match', message, details);
  }
  for (const file of matching) refuse(file);
  const texts = matching.length === 1 ? matching : await onlyTexts(matching, look);
  if (texts.length === 1) return texts[0]!;
  const message = `${archive} must contain exactly one text file. Its entries: ${nameList(matching)}. Choose one with feeds.NAME.entry, or read several as one list with feeds.NAME.entries.`;
  throw refusal('zip-several-entries', message, details);
}

const ARCHIVE = /\.(?:zip|gz|gzip|7z|rar|pgp|gpg|asc)$/i;

function fitting<File extends { name: string }>(files: File[], pattern: EntryPattern): File[] {
  const { glob } = pattern;
  const options = { nocase: true, basename: !glob.includes('/'), dot: true };
  const matching = files.filter(({ name }) => picomatch.isMatch(name, glob, options));
  if (matching.length > 0) {
    pattern.spent = true;
    return matching;
  }
  return pattern.spent ? files : files.filter(({ name }) => ARCHIVE.test(name));
}

/** A picture or a PDF beside the price list does no harm: only texts and archives compete. */
async function onlyTexts<File>(files: File[], look: Choosing<File>['look']): Promise<File[]> {
  const texts: File[] = [];
  for (const file of files) {
    if (texts.length > 1) break;
    const content = contentOfHead(await look(file, head));
    const { kind } = content.kind === 'ole' ? await look(file, oleContent) : content;
    if (kind !== 'binary') texts.push(file);
  }
  return texts;
}

/** The first few KB of what is read. */
export async function head(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= SNIFF_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SNIFF_BYTES);
}
