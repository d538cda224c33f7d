import { readFileSync } from 'node:fs';
import type { SourceMap } from 'node:module';

const maps = new Map<string, SourceMap | null>();

/**
 * Gives the stacks of errors the places of the sources, by the maps beside the scripts of a folder. These are read when the first
 * stack is: Node would read them at every start.
 */
export function mapStacks(folder: string): void {
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${placeOf(site, folder)}`)].join('\n');
}

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return '<error>';
  }
}

function placeOf(site: NodeJS.CallSite, folder: string): string {
  const text = (site as { toString: () => string }).toString();
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith(folder) || line === null || column === null) return text;
  const found = mapOf(file)?.findEntry(line - 1, column - 1);
  if (found === undefined || !('originalSource' in found) || found.originalSource === undefined) return text;
  return text.replace(
    `${file}:${line}:${column}`,
    `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`,
  );
}

function mapOf(file: string): SourceMap | null {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file)!;
}

function readMap(file: string): SourceMap | null {
  try {
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    // A stack without its sources says more than an error about a map.
    return null;
  }
}
