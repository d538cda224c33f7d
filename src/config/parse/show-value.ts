import { isAlias, isScalar } from 'yaml';
import { showUrl } from '../../wording/show-url.ts';
import type { ConfigDocument } from '../read/document.ts';
import type { Interpolation } from '../read/interpolate.ts';
import type { Path } from '../read/path.ts';

const SECRET_KEYS = new Set(['password', 'token', 'value', 'key', 'passphrase', 'clientSecret']);

/** True for the settings that hold a credential: those of an `auth`, every header, what a form is sent, and what stands in their place. */
export function isSecretPath(path: Path): boolean {
  const last = path.at(-1);
  const under = path.at(-2);
  if (last === 'auth' || last === 'headers') return true;
  if (path[2] === 'source' && (path[3] === 'body' || path[4] === 'fields')) return true;
  return under === 'headers' || (under === 'auth' && typeof last === 'string' && SECRET_KEYS.has(last));
}

/** The environment variable that left the value at a path empty, if one did. */
export function emptyVariable(document: ConfigDocument, { empty }: Interpolation, path: Path): string | undefined {
  const found = document.find(path);
  const node = isAlias(found) ? found.resolve(document.tree) : found;
  return node === undefined ? undefined : empty.get(node);
}

/** The value at a path as a message may show it: short, as it was written, and never a secret. */
export function showValue(document: ConfigDocument, { written }: Interpolation, path: Path): string {
  const found = document.find(path);
  const node = isAlias(found) ? found.resolve(document.tree) : found;
  if (node === undefined) return 'nothing';
  if (!isScalar(node))
    return isSecretPath(path)
      ? '[secret]'
      : 'items' in node && node.items.length === 0
        ? 'an empty one'
        : 'several values';
  if (node.value === null || node.value === '') return 'nothing';
  if (written.has(node)) return `${JSON.stringify(written.get(node))} (from the environment, always as text)`;
  if (isSecretPath(path)) return '[secret]';
  const text = typeof node.value === 'string' ? JSON.stringify(showUrl(node.value)) : JSON.stringify(node.value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
