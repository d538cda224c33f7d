/** An address as a message may show it: without user, password and fragment, and with the values of its query hidden. */
export function showUrl(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/iu, '$1')
    .replace(/#.*$/su, (fragment) => (address.includes('://') ? '' : fragment))
    .replace(/\?.*$/su, (query) => (address.includes('://') ? query.replaceAll(/=[^&]*/gu, '=…') : query));
}
