import type { Path } from '../read/path.ts';
import type { Config } from '../schema/schema.ts';
import type { FindWritten, Written } from './written.ts';

/** A setting in effect. `shown`: false where the value cannot be pasted: it is secret, or a remark. */
export type Setting = { path: Path; value: unknown; from: string; shown: boolean };

/** Where settings are looked up. */
export type Source = { config: Config; written: FindWritten; file: string };

/** The file and line of what is written. */
export function placeOf({ line, file: other }: Written, { file }: Pick<Source, 'file'>): string {
  return `${other ?? file}:${line}`;
}

/** The file and line that a setting stands in; null when it is not written. */
export function originOf(path: Path, source: Source): string | null {
  const found = source.written(path);
  return found === null ? null : placeOf(found, source);
}
