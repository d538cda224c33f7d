import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { showUrl } from '../../wording/show-url.ts';
import { VARIABLE } from '../parse/show-value.ts';
import type { ConfigDocument } from '../read/document.ts';
import type { Interpolation } from '../read/interpolate.ts';
import type { Path } from '../read/path.ts';
import type { IsSecret } from '../schema/secret-paths.ts';

/** What is written at a path: a value with nothing secret in it, the keys of a map or the length of a list, and its line; of another file than the configuration also which. */
export type Written = { line: number; file?: string } & (
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'hidden'; value: string }
  | { kind: 'map'; keys: string[] }
  | { kind: 'list'; length: number }
);

/** Finds what is written at a path of the configuration; null when nothing is. */
export type FindWritten = (path: Path) => Written | null;

/** Looks things up in a document as it is written: variables by their names, and secrets not at all. */
export function findWritten(document: ConfigDocument, interpolation: Interpolation, isSecret: IsSecret): FindWritten {
  return (path) => {
    const found = document.find(path);
    const node = isAlias(found) ? found.resolve(document.tree) : found;
    if (node === undefined) return null;
    const { line } = document.locate(path);
    if (isMap(node)) return { line, kind: 'map', keys: keysOf(document, node) };
    if (isSeq(node)) return { line, kind: 'list', length: node.items.length };
    return isScalar(node) ? { line, ...valueOf(node, node.value, interpolation, isSecret(path)) } : null;
  };
}

function keysOf(document: ConfigDocument, node: Node): string[] {
  const value: unknown = node.toJS(document.tree);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function valueOf(node: Node, value: unknown, { written }: Interpolation, isSecret: boolean) {
  const variable = written.get(node);
  if (variable !== undefined && VARIABLE.test(variable)) return { kind: 'value', value: variable } as const;
  if (isSecret) return { kind: 'hidden', value: '[secret]' } as const;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return { kind: 'value', value } as const;
  const text = variable ?? (typeof value === 'string' ? value : JSON.stringify(value));
  const shown = showUrl(text);
  return shown === text ? ({ kind: 'value', value: text } as const) : ({ kind: 'hidden', value: shown } as const);
}
