import type { Answer } from '../route.ts';

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

/** Headers of the pages of suppliers besides: they have no script, and no other site is told that they are. */
export const SUPPLIER_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/** A file is saved, never shown: what a supplier sent must not become a page of ours. */
export function fileHeaders({ name, type, bytes }: Extract<Answer, { file: unknown }>): Record<string, string> {
  const plain = name.replaceAll(/[^\w.-]+/gu, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
    ...(bytes === undefined ? {} : { 'content-length': String(bytes) }),
  };
}
