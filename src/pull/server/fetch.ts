import { rm } from 'node:fs/promises';
import type { ServerSource } from '../../config/schema/source-schema.ts';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { save, type Saved, tooLarge } from '../save.ts';
import { cleanName, type PullInput } from '../source.ts';
import { urlOf } from './place.ts';
import type { ServerFolder } from './server.ts';

/**
 * Brings a file to the target, as long as the listing said and unchanged afterwards; undefined when it was changed or replaced
 * meanwhile and must be chosen again.
 */
export async function fetchFile(
  file: Listed,
  source: ServerSource,
  server: ServerFolder,
  { target, signal, received, limits }: PullInput,
): Promise<Saved | undefined> {
  const what = `${urlOf(source)}/${cleanName(file.name)}`;
  const limit = limits.fileSize;
  if (file.size > limit && file.inexact !== true) throw tooLarge(what, `${file.size} bytes`, limit);
  const saved = await save(server.read(file), { target, limit, what, signal, received });
  const unchanged = isSameFile(file, await server.look(file));
  const whole = saved.bytes === file.size || file.inexact === true;
  if (!unchanged || !whole) await rm(target, { force: true });
  if (!unchanged) return undefined;
  if (!whole) {
    const message = `${what} ended after ${saved.bytes} of ${file.size} bytes.`;
    throw new OfferlineError('pull-failed', message, { retryable: true, details: { url: urlOf(source) } });
  }
  return saved;
}
