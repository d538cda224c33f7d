/** Milliseconds that a `Retry-After` header asks us to wait, as seconds or as a date; null when it is neither. */
export function parseRetryAfter(header: string, now: number): number | null {
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** True for a status that says nothing final about the request: 408, 425, 429 and 5xx. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
