/** System calls that fail before a connection exists. The same codes from reading or writing prove nothing. */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);
/** Codes of failures that happen before the first byte of a request is sent. */
const NEVER_CONNECTED = new Set<unknown>([
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
]);

/** True when the failure of a call proves that no connection was opened. */
export function neverConnected(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof AggregateError) return at.errors.length > 0 && at.errors.every((one) => neverConnected(one));
    if ('syscall' in at && CONNECTING.has(at.syscall)) return true;
    if ('code' in at && NEVER_CONNECTED.has(at.code)) return true;
  }
  return false;
}
