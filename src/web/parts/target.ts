/** Where to go after something was done: a page of ours that was asked for, else the first. Never an address of somebody else. */
export function targetOf(wanted: string | null): string {
  const url = wanted === null || !wanted.startsWith('/') ? null : URL.parse(wanted, 'http://console');
  // Browsers read `//host` as another host, and `/.//host` becomes that.
  if (url === null || url.origin !== 'http://console' || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}
