import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { AuthConfig } from '../config/schema/sources/auth.ts';
import { authHeaders } from './http/auth-headers.ts';

const derive = promisify<string, string, number, Buffer>(scrypt);

/** Distinguishes credentials without keeping them: a keyed hash that is slow to guess from. */
export async function fingerprintOf(auth: AuthConfig, key: string): Promise<string> {
  return (await derive(JSON.stringify(authHeaders(auth)), key, 32)).toString('base64url');
}
