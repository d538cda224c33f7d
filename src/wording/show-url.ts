/** Letters and digits that take turns, as in no word with a number behind it: what stands for a password in many addresses. */
const TOKEN = /[A-Za-z0-9]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/giu;
const LEAST_TURNS = 3;

/**
 * An address as messages may show it: without user, password and fragment, and with the values of its query and what looks like a
 * token in its path hidden.
 */
export function showUrl(address: string): string {
  const hidden = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/iu, '$1').replace(/^[^/?#@:]*:[^/?#]*@/u, '');
  if (!address.includes('://')) return hidden;
  const tokens = pathTokens(hidden);
  return tokens
    .reduce((text, token) => text.replaceAll(token, '…'), hidden)
    .replace(/#.*$/su, '')
    .replace(/\?.*$/su, (query) => query.replaceAll(/=[^&]*/gu, '=…'));
}

/** What looks like a token in the path of an address. */
export function pathTokens(address: string): string[] {
  const [, path = ''] = /^[^/]*:\/\/[^/?#]*([^?#]*)/u.exec(address) ?? [];
  return (path.match(TOKEN) ?? []).filter(
    (run) => (run.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/gu) ?? []).length >= LEAST_TURNS,
  );
}
