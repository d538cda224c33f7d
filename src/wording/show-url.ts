/** An address as messages may show it: without user, password and fragment, and with the values of its query hidden. */
export function showUrl(address: string): string {
  const hidden = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/iu, '$1').replace(/^[^/?#@]*:[^/?#]*@/u, '');
  if (!address.includes('://')) return hidden;
  return hidden.replace(/#.*$/su, '').replace(/\?.*$/su, (query) => query.replaceAll(/=[^&]*/gu, '=…'));
}
