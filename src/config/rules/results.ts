import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
import type { SourceConfig } from '../schema/source-schema.ts';
import { BESIDE } from '../schema/sources/folders.ts';

/** Kinds of places that take files of ours. */
const TAKING = new Set<SourceConfig['type']>(['directory', 'sftp', 'ftp', 'webdav', 's3']);

/** A result is put into a place that takes files, inside it, and under a name that is not that of a delivery. */
export function resultsHavePlaces({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([feed, { source }]): Finding[] => {
    const { type, result } = source;
    if (result === undefined) return [];
    const path = ['feeds', feed, 'source', 'result'];
    if (!TAKING.has(type)) {
      const message = `is for directory, sftp, ftp, webdav and s3; nothing can be put into a source of type ${type}, so remove it`;
      return [{ path, message }];
    }
    const wrong: [key: string, message: string | undefined][] = [
      ['to', misfitOfTo(result.to)],
      ['name', misfitOfName(result, source)],
    ];
    return wrong.flatMap(([key, message]) => (message === undefined ? [] : { path: path.concat(key), message }));
  });
}

function misfitOfTo(to: string): string | undefined {
  if (to === BESIDE) return undefined;
  const isInside =
    !to.startsWith('/') && !/[\\\p{Cc}]/u.test(to) && to.split('/').every((part) => !/^\.{0,2}$/u.test(part));
  return isInside
    ? undefined
    : 'is a folder inside the place of the source, such as results; write it without "/" at its ends, ".." and "\\"';
}

const ENDING = '.xlsx';
const NAME = '{name}';

function misfitOfName(
  { name, to }: NonNullable<SourceConfig['result']>,
  { pattern, files = {} }: SourceConfig,
): string | undefined {
  const strange = name.replaceAll(NAME, '').match(/\{[^}]*\}?|\}/u)?.[0];
  if (strange !== undefined)
    return `"${strange}" stands for nothing; only {name} does, for the name of the delivery without its ending`;
  if (name.split(NAME).length > 2) return '{name} stands in it once at most';
  if (/[/\\\p{Cc}]/u.test(name)) return 'is the name of a file, without folders; put the folder into to';
  if (name.startsWith('.') || !name.toLowerCase().endsWith(ENDING))
    return 'is the name of a workbook: let it end in .xlsx, and not begin with a dot';
  if (to !== BESIDE) return undefined;
  const [before = '', after] = name.split(NAME);
  if (after !== undefined && before === '' && after.toLowerCase() === ENDING)
    return 'may be the name of the delivery itself, such as prices.xlsx; add a word to it, as in {name}_result.xlsx';
  const taken = [pattern ?? '', ...Object.values(files).map((file) => file.pattern)].find((one) =>
    isNamedLike(name, one),
  );
  return taken === undefined
    ? undefined
    : `is that of every file that fits ${taken}, so that no delivery would be taken; write another one`;
}

/** Whether all files that fit a pattern are named like results: it has the same beginning and the same end. */
function isNamedLike(name: string, pattern: string): boolean {
  const [before = '', after] = name.toLowerCase().split(NAME);
  const taken = pattern.toLowerCase();
  if (after === undefined) return taken === before;
  return taken.length >= before.length + after.length && taken.startsWith(before) && taken.endsWith(after);
}
