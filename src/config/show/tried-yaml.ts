import { Document, isCollection, visit } from 'yaml';
import { dictionary } from '../../io/dictionary.ts';
import type { Path } from '../read/path.ts';
import type { FindWritten } from './written.ts';

/** What of a feed can be tried before it is written into the configuration, the rules first. */
export const TRIED = ['rules', 'brands', 'numbers'] as const;

/** Maps that are read best on one line. */
const ON_ONE_LINE = new Set(['when', 'tags', 'set', 'strip']);

/** What the configuration says under a feed of what can be tried, as YAML to edit; without rules an empty list of them. `written`: of the configuration alone. */
export function triedYaml(feed: string, written: FindWritten): string {
  const settings = TRIED.flatMap((key) => {
    const path = ['feeds', feed, key];
    if (written(path) !== null) return [[key, valueAt(path, written)] as const];
    return key === 'rules' ? [[key, []] as const] : [];
  });
  const document = new Document(dictionary<unknown>(settings));
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isCollection(value) && ON_ONE_LINE.has(String(key))) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function valueAt(path: Path, written: FindWritten): unknown {
  const found = written(path);
  if (found === null) return null;
  if (found.kind === 'map') return dictionary(found.keys.map((key) => [key, valueAt([...path, key], written)]));
  if (found.kind === 'list') return Array.from({ length: found.length }, (_, at) => valueAt([...path, at], written));
  return found.value;
}
