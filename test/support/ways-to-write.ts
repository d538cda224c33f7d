/** Every byte of UTF-8 as a percent escape. */
export const percentEncoded = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const named = new Map(
  Object.entries({ '"': '&quot;', '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', ü: '&uuml;', é: '&eacute;' }),
);
/** HTML with the names of its signs. */
export const asHtml = (text: string) => text.replaceAll(/["<>&'üé]/g, (sign) => named.get(sign) ?? sign);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const each = (text: string, write: (point: number) => string) =>
  Array.from(text, (one) => write(one.codePointAt(0)!)).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** How servers and programs write what they were given. */
export function waysToWrite(user: string): [string, (text: string) => string][] {
  return [
    ['as it is', (text) => text],
    ['in capitals', (text) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())],
    ['as JSON', json],
    ['as JSON with slashes escaped', (text) => json(text).replaceAll('/', '\\/')],
    ['as JSON of ASCII', (text) => each(text, (point) => `\\u${point.toString(16).padStart(4, '0')}`)],
    [
      'as JSON of ASCII in capitals',
      (text) => each(text, (point) => `\\u${point.toString(16).toUpperCase().padStart(4, '0')}`),
    ],
    ['as HTML with names', asHtml],
    ['as HTML with numbers', (text) => each(text, (point) => `&#${point};`)],
    ['as HTML with long numbers', (text) => each(text, (point) => `&#00${point};`)],
    ['as HTML with hex numbers', (text) => each(text, (point) => `&#x${point.toString(16)};`)],
    [
      'as HTML with hex numbers in capitals',
      (text) => each(text, (point) => `&#X${point.toString(16).toUpperCase()};`),
    ],
    ['as HTML twice', (text) => asHtml(asHtml(text))],
    ['as a component of an address', encodeURIComponent],
    [
      'as a component of an address in small letters',
      (text) => encodeURIComponent(text).replaceAll(/%../g, (hex) => hex.toLowerCase()),
    ],
    ['as a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
    ['with every byte percent-encoded', percentEncoded],
    ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['percent-encoded by Latin 1', escape],
    ['percent-encoded in JSON', (text) => json(encodeURIComponent(text))],
    ['as HTML in JSON', (text) => json(asHtml(text))],
    ['as JSON in JSON', (text) => json(json(text))],
    ['as JSON in HTML', (text) => asHtml(json(text))],
    ['as UTF-8 read as Latin 1', (text) => Buffer.from(text).toString('latin1')],
    ['in base64', base64],
    ['in base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
    ['in base64, percent-encoded', (text) => encodeURIComponent(base64(text))],
    ['with its user in base64', (text) => base64(`${user}:${text}`)],
    ['with its user in base64 for addresses', (text) => Buffer.from(`${user}:${text}`).toString('base64url')],
    ['as the header Authorization', (text) => `Basic ${base64(`${user}:${text}`)}`],
    ['for SMTP', (text) => base64(`\0${user}\0${text}`)],
    ['in hex', (text) => Buffer.from(text).toString('hex')],
    ['in hex in capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ];
}
