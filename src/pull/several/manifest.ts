import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { OfferlineError } from '../../errors.ts';
import { byteKind } from '../../io/byte-kind.ts';
import { cleanName } from '../../io/file-name.ts';
import { decodeBytes } from '../../io/text-decode.ts';
import type { Listed } from '../choose/choose.ts';
import type { PullInput } from '../source.ts';
import type { Brought } from './pack.ts';

/** A file that a manifest names, with its size and hash where it says them. */
export type ManifestEntry = { name: string; size: number | null; hash: { algorithm: string; hex: string } | null };

/** A manifest has a line for each file of a delivery. */
const MOST_BYTES = 1024 * 1024;
const MOST_ENTRIES = 1000;

const ALGORITHMS: Record<number, string> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };
const HEX = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i;
/** As `sha256sum` writes it: a hash, then the name. */
const SUM = /^(\S+)\s+\*?(\S.*)$/;
const SPACED = /^(\S+)((?:\s+[0-9a-f]+){1,2})$/i;
const BETWEEN = /[\t;,|]/;

/**
 * Reads the manifest of a delivery, in whatever charset it is, as lists are read. Throws `pull-failed` where it names no files, or is larger
 * than one can be.
 */
export async function readManifest(
  { path, bytes, listed }: Brought,
  charsetOf: PullInput['charsetOf'],
): Promise<ManifestEntry[]> {
  const name = cleanName(listed.name);
  const entries = bytes > MOST_BYTES ? [] : manifestEntries(await textOf(await readFile(path), charsetOf));
  if (entries.length > 0 && entries.length <= MOST_ENTRIES) return entries;
  const message = `${name} names ${entries.length === 0 ? 'no files' : 'too many files'}, so it is no list of the files of a delivery (source.manifest).`;
  throw new OfferlineError('pull-failed', message, { details: { file: name } });
}

async function textOf(bytes: Buffer, charsetOf: PullInput['charsetOf']): Promise<string> {
  const kind = byteKind(bytes);
  if (kind.kind === 'unicode') return decodeBytes(bytes, kind.charset);
  const charset = isUtf8(bytes) || charsetOf === undefined ? 'utf-8' : await charsetOf(bytes);
  return decodeBytes(bytes, charset);
}

/**
 * The files that a manifest names, a line for each: a name alone, with a size or a hash, or a hash with a name. Pure.
 * @internal exported for tests
 */
export function manifestEntries(text: string): ManifestEntry[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line, at) => entryOf(line, at === 0) ?? []);
}

/** The file that a line names; null for the line that names the columns. */
function entryOf(line: string, isFirst: boolean): ManifestEntry | null {
  const sum = SUM.exec(line);
  if (sum !== null && HEX.test(sum[1]!)) return { name: lastPart(sum[2]!), size: null, hash: hashOf(sum[1]!) };
  const spaced = SPACED.exec(line);
  const [name = '', ...facts] =
    spaced === null ? line.split(BETWEEN).map(unquoted) : [spaced[1]!, ...spaced[2]!.trim().split(/\s+/)];
  const hash = facts.find((fact) => HEX.test(fact));
  const size = facts.find((fact) => fact !== hash && /^\d{1,15}$/.test(fact));
  if (isFirst && facts.length > 0 && hash === undefined && size === undefined) return null;
  return {
    name: lastPart(name),
    size: size === undefined ? null : Number(size),
    hash: hash === undefined ? null : hashOf(hash),
  };
}

function hashOf(hex: string) {
  return { algorithm: ALGORITHMS[hex.length]!, hex: hex.toLowerCase() };
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1');
}

function lastPart(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}

/** Whether a manifest means a file: letters with accents may be composed otherwise in it. Pure. */
export function isNamed({ name }: Pick<Listed, 'name'>, entry: Pick<ManifestEntry, 'name'>): boolean {
  return name.normalize() === entry.name.normalize();
}

/** The files whose bytes are not those that the manifest names, in words. */
export async function withOtherHashes(files: Brought[], entries: ManifestEntry[], manifest: string): Promise<string[]> {
  const found: string[] = [];
  for (const { path, sha256, listed } of files) {
    const hash = entries.find((entry) => isNamed(listed, entry))?.hash ?? null;
    if (hash === null) continue;
    const own = hash.algorithm === 'sha256' ? sha256 : await digestOf(path, hash.algorithm);
    if (own !== hash.hex) found.push(`${cleanName(listed.name)} with the hash that ${manifest} names`);
  }
  return found;
}

async function digestOf(path: string, algorithm: string): Promise<string> {
  const digest = createHash(algorithm);
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
