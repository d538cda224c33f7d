import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CERTIFICATE = new URL('tls/certificate.pem', import.meta.url);

/** A key that is no secret, and its certificate for loopback: `openssl req -x509 -newkey ec -nodes …`, until 2119. */
export const TEST_TLS = {
  key: readFileSync(new URL('tls/key.pem', import.meta.url)),
  cert: readFileSync(CERTIFICATE),
};

/** Lets a program trust the certificate. */
export const TRUST_TEST_TLS = { NODE_EXTRA_CA_CERTS: fileURLToPath(CERTIFICATE) };
