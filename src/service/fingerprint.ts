import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AuthConfig } from '../config/schema/sources/auth.ts';
import { authHeaders } from './http/auth-headers.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);

/** Distinguishes credentials without keeping them: a keyed hash that is slow to guess from. */
export async function fingerprintOf(auth: AuthConfig, key: string): Promise<string> {
  return (await derive(JSON.stringify(authHeaders(auth)), key, 32)).toString('base64url');
}

/** Distinguishes settings with all the credentials in them, as `fingerprintOf` does. */
export async function markOf(settings: object, key: string): Promise<string> {
  const text = JSON.stringify(revealed(settings));
  return (await derive(text, key, 32)).toString('base64url');
}

/** Credentials hide themselves when they are written as JSON. */
function revealed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('reveal' in value && typeof value.reveal === 'function') return (value.reveal as () => string)();
  if (Array.isArray(value)) return value.map(revealed);
  return Object.entries(value).map(([name, inner]) => [name, revealed(inner)]);
}
