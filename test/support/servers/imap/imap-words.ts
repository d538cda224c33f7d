import { headerField, type MimePart } from './mail-structure.ts';
import type { ImapStyle } from './imap-style.ts';

/** How a make writes texts and structures. */
export type Writer = Pick<ImapStyle, 'asLiterals' | 'isShort' | 'keepsCase' | 'sizeOf'>;

/** The bytes of what is said. */
export function text(said: string): Buffer {
  return Buffer.from(said, 'utf8');
}

/** The structure of a mail or of a part of it (RFC 3501, 7.4.2). */
export function structureOf(part: MimePart, writer: Writer): string {
  const { isShort = false, keepsCase = false, sizeOf = (bytes: number) => bytes } = writer;
  const word = (name: string) => quoted(keepsCase ? name : name.toUpperCase(), writer);
  const list = (parameters: [string, string][]) =>
    parameters.length === 0
      ? 'NIL'
      : `(${parameters.map(([name, value]) => `${word(name)} ${quoted(value, writer)}`).join(' ')})`;
  if (part.parts.length > 0) {
    const inside = part.parts.map((one) => structureOf(one, writer)).join('');
    return `(${inside} ${word(part.subtype)}${isShort ? '' : ` ${list(part.parameters)} NIL NIL`})`;
  }
  const { type, subtype, parameters, encoding, body, disposition } = part;
  const facts = [word(type), word(subtype), list(nameOf(part, parameters, isShort)), 'NIL', 'NIL', word(encoding)];
  facts.push(String(sizeOf(body.length)));
  if (type.toLowerCase() === 'text') facts.push(String(body.toString('latin1').split('\r\n').length));
  if (isShort) return `(${facts.join(' ')})`;
  const disposed = disposition === undefined ? 'NIL' : `(${word(disposition.kind)} ${list(disposition.parameters)})`;
  return `(${[...facts, 'NIL', disposed, 'NIL'].join(' ')})`;
}

/** Where nothing tells of dispositions, senders write the name beside the type as well. */
function nameOf({ disposition }: MimePart, parameters: [string, string][], isShort: boolean): [string, string][] {
  const file = disposition?.parameters.find(([name]) => name.toLowerCase() === 'filename')?.[1];
  return isShort && file !== undefined ? [...parameters, ['name', file]] : parameters;
}

/** Date, subject and people of a mail. */
export function envelopeOf(header: Buffer, writer: Writer): string {
  const field = (name: string) => {
    const value = headerField(header, name);
    return value === undefined ? 'NIL' : quoted(value, writer);
  };
  const people = (name: string) => {
    const [, who = '', user = '', host = ''] =
      /^(?:(.*?) )?<?([^<>@ ]+)@([^<>@ ]+)>?$/u.exec(headerField(header, name) ?? '') ?? [];
    if (user === '') return 'NIL';
    return `((${[who === '' ? 'NIL' : quoted(who, writer), 'NIL', quoted(user, writer), quoted(host, writer)].join(' ')}))`;
  };
  const from = people('From');
  return `(${[field('Date'), field('Subject'), from, from, from, people('To'), 'NIL', 'NIL', 'NIL', field('Message-ID')].join(' ')})`;
}

function quoted(value: string, { asLiterals = false }: Writer): string {
  if (asLiterals) return `{${text(value).length}}\r\n${value}`;
  return `"${value.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
}
