import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AuthConfig } from '../config/schema/sources/auth.ts';
import { authHeaders } from './http/auth-headers.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);

/** Distinguishes credentials without keeping them: a keyed hash that is slow to guess from. */
export function fingerprintOf(auth: AuthConfig, key: string): Promise<string> {
  return derived(auth, key, () => JSON.stringify(authHeaders(auth)));
}

/** Distinguishes settings with all the credentials in them, as `fingerprintOf` does. */
export function markOf(settings: object, key: string): Promise<string> {
  return derived(settings, key, () => JSON.stringify(revealed(settings)));
}

const KNOWN = new WeakMap<object, Map<string, Promise<string>>>();

/** Derives once for the same settings and key: it takes long on purpose, and every page that shows a refusal asks for it. */
function derived(settings: object, key: string, text: () => string): Promise<string> {
  const known = KNOWN.get(settings) ?? new Map<string, Promise<string>>();
  KNOWN.set(settings, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const hash = derive(text(), key, 32).then((bytes) => bytes.toString('base64url'));
  known.set(key, hash);
  return hash;
}

/** Credentials hide themselves when they are written as JSON. */
function revealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('reveal' in value && typeof value.reveal === 'function') return (value.reveal as () => string)();
  if (Array.isArray(value)) return value.map(revealed);
  return Object.entries(value).map(([name, inner]) => [name, revealed(inner)]);
}
