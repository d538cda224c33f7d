/** Bytes that the secret of a hook may have, as Standard Webhooks say. */
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** The bytes of a hook's secret, which is `whsec_` with their base64; null when it is not. */
export function keyOfSecret(secret: string): Buffer | null {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/u.exec(secret) ?? [];
  return text === undefined ? null : Buffer.from(text, 'base64');
}

/** What is wrong with a secret; null when messages can be signed with it. */
export function secretProblem(secret: string): string | null {
  const bytes = keyOfSecret(secret);
  if (bytes !== null && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES) return null;
  return `is not whsec_ with the base64 of ${LEAST_BYTES} to ${MOST_BYTES} random bytes; ${MAKE_SECRET}`;
}

/** How a secret is made. */
export const MAKE_SECRET = 'make one: echo "whsec_$(openssl rand -base64 32)"';
