import { isAlias, isScalar } from 'yaml';
import { showUrl } from '../../wording/show-url.ts';
import type { ConfigDocument } from '../read/document.ts';
import type { Interpolation } from '../read/interpolate.ts';
import type { Path } from '../read/path.ts';
import type { IsSecret } from '../schema/secret-paths.ts';

/** An environment variable that is the whole value; with a default, or beside text, part of it might be secret. */
export const VARIABLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/u;

/** The environment variable that left the value at a path empty, if one did. */
export function emptyVariable(document: ConfigDocument, { empty }: Interpolation, path: Path): string | undefined {
  const found = document.find(path);
  const node = isAlias(found) ? found.resolve(document.tree) : found;
  return node === undefined ? undefined : empty.get(node);
}

/** The value at a path as a message may show it: short, as it was written, and never a secret. */
export function showValue(
  document: ConfigDocument,
  { written }: Interpolation,
  isSecret: IsSecret,
): (path: Path) => string {
  return (path) => {
    const found = document.find(path);
    const node = isAlias(found) ? found.resolve(document.tree) : found;
    if (node === undefined) return 'nothing';
    if (isScalar(node) && (node.value === null || node.value === '')) return 'nothing';
    const variable = written.get(node);
    if (isSecret(path) && (variable === undefined || !VARIABLE.test(variable))) return '[secret]';
    if (variable !== undefined) return `${JSON.stringify(showUrl(variable))} (from the environment, always as text)`;
    if (!isScalar(node)) return 'items' in node && node.items.length === 0 ? 'an empty one' : 'several values';
    const text = typeof node.value === 'string' ? JSON.stringify(showUrl(node.value)) : JSON.stringify(node.value);
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  };
}
