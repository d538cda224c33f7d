import type { Pattern } from './pattern.ts';

/** A file of a place, as a listing shows it. */
export type Listed = {
  /** The name as the place has it. */
  name: string;
  size: number;
  /** Epoch milliseconds by the place's clock; null when the place does not say. */
  mtimeMs: number | null;
};

/** What a listing comes to. */
export type Choice<T extends Listed> = {
  /** The file to take. */
  newest: T | undefined;
  /** Files that fit as well, newest first. */
  older: T[];
  /** Files that were passed over, with the reason. */
  passedOver: { name: string; why: string }[];
};

/**
 * Chooses among the files of a place: those that fit the pattern, by the date in the name, else by time of change, then by
 * name. With `ready`, a file counts once its marker lies beside it: the `*` of the marker stands for the file's name, with
 * or without its extension; a marker without `*` stands for all files.
 */
export function choose<T extends Listed>(files: T[], pattern: Pattern, ready?: string): Choice<T> {
  const names = new Set(files.map(({ name }) => name));
  const passedOver: Choice<T>['passedOver'] = [];
  const fitting = files.filter(({ name }) => {
    if (isMarker(name, ready)) return false;
    const why = !pattern.matches(name)
      ? 'does not match the pattern'
      : (unusable(name) ?? (isReady(name, names, ready) ? undefined : `has no marker ${ready} yet`));
    if (why !== undefined) passedOver.push({ name, why });
    return why === undefined;
  });
  const [newest, ...older] = newestFirst(fitting, pattern);
  return { newest, older, passedOver };
}

/** The newest by the date in the name, else by time of change, then the last by name. */
export function newestFirst<T extends Omit<Listed, 'size'>>(files: T[], { dateOf }: Pattern): T[] {
  const dated = files.map((file) => ({ file, date: dateOf(file.name) ?? -Infinity, at: file.mtimeMs ?? -Infinity }));
  dated.sort((a, b) => compare(b.date, a.date) || compare(b.at, a.at) || compare(b.file.name, a.file.name));
  return dated.map(({ file }) => file);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names that lead out of the folder, or that a line of a protocol cannot carry. */
function unusable(name: string): string | undefined {
  if (/[/\\]/u.test(name) || name === '..' || name === '.') return 'has a name that leads out of the folder';
  if (/\p{Cc}/u.test(name)) return 'has a line break or control character in its name';
  return name.includes('\uFFFD') ? 'has a name in another charset' : undefined;
}

function isMarker(name: string, ready: string | undefined): boolean {
  if (ready === undefined) return false;
  const [before = '', after] = ready.split('*');
  return after === undefined ? name === ready : name.startsWith(before) && name.endsWith(after);
}

function isReady(name: string, names: Set<string>, ready: string | undefined): boolean {
  if (ready === undefined) return true;
  return [name, name.replace(/\.[^.]+$/u, '')].some((stem) => names.has(ready.replace('*', () => stem)));
}
