import { isAbsolute, resolve } from 'node:path';
import type { Path } from '../read/path.ts';

/** A path that is written relative to the configuration file, and where it leads. */
export type RelativePath = { path: Path; written: string; leads: string };

/** The whole path of one that may be written relative to a folder; such a one is noted. */
export function absolute(
  written: string,
  path: Path,
  { folder, relative }: { folder: string; relative: RelativePath[] },
): string {
  const leads = resolve(folder, written);
  if (!isAbsolute(written)) relative.push({ path, written, leads });
  return leads;
}

/** The files of values that rules name: `in: { file: PATH }`. */
export function* filesInRules(written: unknown, path: Path): Generator<{ written: string; path: Path }> {
  if (typeof written !== 'object' || written === null) return;
  for (const [key, value] of Object.entries(written) as [string, unknown][]) {
    const at = [...path, Array.isArray(written) ? Number(key) : key];
    if (key === 'in' && isFile(value)) yield { written: value.file, path: [...at, 'file'] };
    else yield* filesInRules(value, at);
  }
}

function isFile(value: unknown): value is { file: string } {
  return typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string';
}
