/** Where to go after something was done: a page of ours that was asked for, else the first. Never an address of somebody else. */
export function targetOf(wanted: string | null): string {
  const url = wanted === null || !wanted.startsWith('/') ? null : URL.parse(wanted, 'http://console');
  // Browsers read `//host` and `/\host` as another host.
  if (url === null || url.origin !== 'http://console' || /^\/[/\\]/u.test(wanted!)) return '/';
  return url.pathname + url.search;
}
