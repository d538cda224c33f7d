import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Limits } from '../../config/schema.ts';
import { messageOf, systemCode } from '../../errors.ts';
import { meter } from './meter.ts';
import { diskError, refusal } from './refusal.ts';

/** Unpacks a gzip file of one or several members to `target`; returns the name of what is inside. */
export async function unpackGzip(source: { path: string; name: string }, target: string, limits: Limits) {
  const { size } = await stat(source.path);
  const { stream } = meter(source.name, size, limits, 'gzip-bomb');
  try {
    await pipeline(createReadStream(source.path), createGunzip(), stream, createWriteStream(target));
  } catch (error) {
    throw diskError(error, target, (cause) => gzipRefusal(source.name, cause));
  }
  return source.name.replace(/\.(?:gz|gzip)$/i, '');
}

function gzipRefusal(name: string, cause: unknown): unknown {
  const code = systemCode(cause) ?? '';
  if (!code.startsWith('Z_')) return cause;
  if (code === 'Z_BUF_ERROR') {
    return refusal('gzip-truncated', `${name} is cut short: the gzip data ends too early. Ask for the file again.`, {
      file: name,
    });
  }
  const message = `${name} is a broken gzip file (${messageOf(cause)}). Ask for the file again.`;
  return refusal('gzip-broken', message, { file: name });
}
