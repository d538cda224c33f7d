import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { UnpackKeys } from '../../config/schema/feed-settings.ts';
import type { Limits } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { TableFormat } from '../../model.ts';
import { contentOf, type Content } from './content.ts';
import { refuseCutList } from './cut-list.ts';
import { contentPart, copyPart } from './passed-over.ts';
import { refusal } from '../../io/refusal.ts';
import type { ArchiveKind } from './sealed/seven-zip.ts';
import type { EntryPattern } from './choose-entry.ts';
import type { Spent } from './meter.ts';

/** A zip in a zip and a zip in a gzip are real deliveries; more layers are not. */
export const MAX_LAYERS = 2;

export type UnpackInput = {
  path: string;
  /** The file's name for messages, and for the inner name where the archive has none. */
  name: string;
  /** Where the unpacked file is written; the caller removes it. */
  folder: string;
  limits: Limits;
  /** A glob that chooses among the entries of a zip. */
  entry?: string | null;
  /** What opens encrypted files. */
  keys?: UnpackKeys | null;
  /** How many archives it came out of, and what was unpacked of them so far. */
  layers?: number;
  spent?: Spent;
};

/** The one file of a delivery that holds offers, and how it is written. */
/** `passedOver`: what stands around its content and was left out, in sentences. */
export type Unpacked = {
  name: string;
  path: string;
  bytes: number;
  format: 'text' | TableFormat;
  passedOver: string[];
};

/**
 * Gives the file inside a zip or gzip archive, or the file itself when it is none (then nothing is copied). The
 * content decides, not the name; files are streamed. Throws `file-rejected` with a kebab-case `details.code` when there
 * is nothing that holds offers, `disk-full`, or `not-found`.
 */
export async function unpack(input: UnpackInput): Promise<Unpacked> {
  const written: string[] = [];
  try {
    const unpacked = await unpackLayers(input, written);
    await removeAll(written.filter((path) => path !== unpacked.path));
    return unpacked;
  } catch (error) {
    await removeAll(written);
    throw nameDelivery(error, input.name);
  }
}

async function unpackLayers(input: UnpackInput, written: string[]): Promise<Unpacked> {
  const { folder, limits, layers = 0, spent } = input;
  const pattern = typeof input.entry === 'string' ? { glob: input.entry, spent: false } : null;
  const passedOver: string[] = [];
  const demands = input.keys?.pgp?.signedBy ?? null;
  let isSigned = false;
  let at = { path: input.path, name: input.name };
  for (let layer = 1; ; layer += 1) {
    const copy = join(folder, `content-${layer}-${basename(input.path)}`);
    const found = await contentAt(at, { copy, written, limits, isDelivery: layers === 0 && layer === 1 });
    const { content, bytes } = found;
    at = { name: at.name, path: found.path };
    passedOver.push(...found.notes);
    const isFound = content.kind === 'text' || content.kind === 'table';
    if (isFound && demands !== null && !isSigned) throw (await import('./sealed/pgp.ts')).notSigned(at.name);
    if (content.kind === 'text') {
      refuseCutList({ ...at, bytes });
      return { ...at, bytes, format: 'text', passedOver };
    }
    if (content.kind === 'table') return { ...at, bytes, format: content.format, passedOver };
    if (content.kind === 'empty') throw refusal('file-empty', `${at.name} is empty.`, { file: at.name });
    if (content.kind === 'binary') throw refusal('binary-file', `${at.name} is ${content.what}.`, { file: at.name });
    if (layers + layer > MAX_LAYERS) throw tooNested(input.name);
    const target = join(folder, `unpacked-${layer}-${basename(input.path)}`);
    written.push(target);
    // A message that lacks the signature that is demanded is refused.
    isSigned ||= content.kind === 'pgp';
    const options = { target, limits, pattern, spent, keys: input.keys ?? null };
    at = { name: await unpackLayer(content.kind, at, options), path: target };
  }
}

/** The refusal of a file with too many archives in one another. */
export function tooNested(name: string): OfferlineError {
  const message = `${name} has more than two layers of archives. Pack the price list only once.`;
  return refusal('archive-nested', message, { file: name });
}

/** What a file holds, where that is, and what stands around it, in sentences. */
export type FoundContent = { content: Content; path: string; bytes: number; notes: string[] };

type Looking = {
  /** Where the content goes where something stands around it. */
  copy: string;
  /** Gets the paths of files that were written. */
  written: string[];
  limits: Limits;
  /** It came as it is, and not out of an archive. */
  isDelivery: boolean;
};

/** Looks what a file holds; what stands around its content is passed over. Throws `file-rejected` and `not-found`. */
export async function contentAt(
  { path, name }: { path: string; name: string },
  { copy, written, limits, isDelivery }: Looking,
): Promise<FoundContent> {
  const size = await sizeOf({ path, name });
  if (isDelivery) refuseTooLarge(name, size, limits);
  const part = contentPart(path, size);
  if (part === null) return { content: await contentIn({ path, name }, size, limits), path, bytes: size, notes: [] };
  written.push(copy);
  await copyPart(path, part, copy);
  const bytes = part.end - part.start;
  return { content: await contentIn({ path: copy, name }, bytes, limits), path: copy, bytes, notes: part.notes };
}

type Layer = {
  target: string;
  limits: Limits;
  pattern: EntryPattern | null;
  spent: Spent | undefined;
  keys: UnpackKeys | null;
};

/** Writes what is inside of a file to `target`; returns its name. */
async function unpackLayer(
  kind: 'zip' | 'gzip' | 'mhtml' | 'pgp' | ArchiveKind,
  file: { path: string; name: string },
  { target, limits, pattern, spent, keys }: Layer,
): Promise<string> {
  if (kind === 'gzip') return (await import('./gzip.ts')).unpackGzip(file, target, limits, spent);
  if (kind === 'pgp')
    return (await import('./sealed/pgp.ts')).openPgp(file, target, { limits, spent, keys: keys?.pgp ?? null });
  if (kind === 'mhtml') return (await import('./mhtml.ts')).unpackMhtml(file, target);
  const options = { limits, pattern, spent, password: keys?.password ?? null };
  if (kind === 'zip') return (await import('./zip.ts')).unpackZip(file, target, options);
  return (await import('./sealed/open-archive.ts')).openArchive(kind, file, target, options);
}

/** What a file holds. A workbook is a zip, too. */
async function contentIn(file: { path: string; name: string }, bytes: number, limits: Limits): Promise<Content> {
  const content = await contentOf(file.path, bytes);
  if (content.kind !== 'zip') return content;
  const { officeFormatOf } = await import('./zip.ts');
  const format = await officeFormatOf(file, limits);
  return format === null ? content : { kind: 'table', format };
}

/** What is wrong with something inside an archive names the archive too. */
export function nameDelivery(error: unknown, name: string): unknown {
  if (!(error instanceof OfferlineError) || error.code !== 'file-rejected' || error.message.includes(name))
    return error;
  const { code, message, details, cause } = error;
  return new OfferlineError(code, `In ${name}: ${message}`, { details, cause });
}

async function removeAll(paths: string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

async function sizeOf({ path, name }: { path: string; name: string }): Promise<number> {
  const info = await accessible(path).catch((error: unknown) => {
    const code = systemCode(error);
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = missing ? `There is no file ${path}.` : `${path} cannot be read (${code ?? messageOf(error)}).`;
    throw new OfferlineError('not-found', message, { cause: error, details: { file: name } });
  });
  if (info.isFile()) return info.size;
  throw new OfferlineError('not-found', `${path} is not a file.`, { details: { file: name } });
}

async function accessible(path: string) {
  await access(path, constants.R_OK);
  return stat(path);
}

function refuseTooLarge(name: string, bytes: number, limits: Limits): void {
  if (bytes <= limits.fileSize) return;
  const message = `${name} has ${bytes} bytes, more than ${limits.fileSize} (limits.fileSize).`;
  throw refusal('file-too-large', message, { file: name, limit: limits.fileSize });
}
