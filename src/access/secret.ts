import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/** A new secret that nobody can guess, for a browser or a program to keep. */
export function newSecret(prefix = ''): string {
  return `${prefix}${randomBytes(BYTES).toString('base64url')}`;
}

/** What is kept of a secret: whoever reads the ledger cannot use it. A secret of 256 random bits needs no slow hash. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a text is the secret that a hash was kept of; the time that this takes tells nothing of either. */
export function isSecretOf(hash: string, text: string): boolean {
  const [kept, made] = [Buffer.from(hash), Buffer.from(secretHash(text))];
  return kept.length === made.length && timingSafeEqual(kept, made);
}
