/**
 * What a page may do: use our own style and script, send forms to us, follow us; nothing inline, nothing from elsewhere, and no frame
 * of another site around it.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer. `secure`: its users come by https, and are to come by nothing else. */
export function safeHeaders(secure: boolean): Record<string, string> {
  return {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // `no-referrer` would have browsers hide the origin of our own forms.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
