import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Limits } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { Format } from '../../model.ts';
import { contentOf, type Content } from './content.ts';
import { refuseCutList } from './cut-list.ts';
import { contentPart, copyPart } from './passed-over.ts';
import { refusal } from '../../io/refusal.ts';
import type { EntryPattern } from './zip.ts';

/** A zip in a zip and a zip in a gzip are real deliveries; more layers are not. */
const MAX_LAYERS = 2;

export type UnpackInput = {
  path: string;
  /** The file's name for messages, and for the inner name where the archive has none. */
  name: string;
  /** Where the unpacked file is written; the caller removes it. */
  folder: string;
  limits: Limits;
  /** A glob that chooses among the entries of a zip. */
  entry?: string | null;
};

/** The one file of a delivery that holds offers, and how it is written. */
/** `passedOver`: what stands around its content and was left out, in sentences. */
export type Unpacked = { name: string; path: string; bytes: number; format: Format; passedOver: string[] };

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
  const { folder, limits } = input;
  const pattern = typeof input.entry === 'string' ? { glob: input.entry, spent: false } : null;
  const passedOver: string[] = [];
  let at = { path: input.path, name: input.name };
  for (let layer = 1; ; layer += 1) {
    let bytes = await sizeOf(at);
    if (layer === 1) refuseTooLarge(at.name, bytes, limits);
    const part = contentPart(at.path, bytes);
    if (part !== null) {
      const path = join(folder, `content-${layer}-${basename(input.path)}`);
      written.push(path);
      await copyPart(at.path, part, path);
      at = { name: at.name, path };
      bytes = part.end - part.start;
      passedOver.push(...part.notes);
    }
    const content = await contentIn(at, bytes, limits);
    if (content.kind === 'text') {
      refuseCutList({ ...at, bytes });
      return { ...at, bytes, format: 'text', passedOver };
    }
    if (content.kind === 'table') return { ...at, bytes, format: content.format, passedOver };
    if (content.kind === 'empty') throw refusal('file-empty', `${at.name} is empty.`, { file: at.name });
    if (content.kind === 'binary') throw refusal('binary-file', `${at.name} is ${content.what}.`, { file: at.name });
    if (layer > MAX_LAYERS) {
      const message = `${input.name} has more than two layers of archives. Pack the price list only once.`;
      throw refusal('archive-nested', message, { file: input.name });
    }
    const target = join(folder, `unpacked-${layer}-${basename(input.path)}`);
    written.push(target);
    at = { name: await unpackLayer(content.kind, at, { target, limits, pattern }), path: target };
  }
}

type Layer = { target: string; limits: Limits; pattern: EntryPattern | null };

/** Writes what is inside of a file to `target`; returns its name. */
async function unpackLayer(
  kind: 'zip' | 'gzip' | 'mhtml',
  file: { path: string; name: string },
  { target, limits, pattern }: Layer,
): Promise<string> {
  if (kind === 'gzip') return (await import('./gzip.ts')).unpackGzip(file, target, limits);
  if (kind === 'mhtml') return (await import('./mhtml.ts')).unpackMhtml(file, target);
  return (await import('./zip.ts')).unpackZip(file, target, limits, pattern);
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
function nameDelivery(error: unknown, name: string): unknown {
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
