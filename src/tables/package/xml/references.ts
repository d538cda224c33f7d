import { XmlError } from './xml-error.ts';

const PREDEFINED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const REFERENCE = /&([^;&]{0,20});?|\r\n?/g;

/** Text of a document with its references replaced and its line breaks as XML reads them. Entities of a DTD are refused. */
export function decodeReferences(text: string): string {
  return text.replaceAll(REFERENCE, (whole, name: string | undefined) => {
    if (name === undefined) return '\n';
    if (!whole.endsWith(';')) throw new XmlError('an "&" is not written as "&amp;"');
    const character = Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name] : numbered(name);
    if (character === undefined) throw new XmlError(`the entity "&${name};" is unknown`);
    return character;
  });
}

function numbered(name: string): string | undefined {
  const digits = /^#(?:x([\da-fA-F]{1,8})|(\d{1,9}))$/.exec(name);
  if (digits === null) return undefined;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0x10ffff ? undefined : String.fromCodePoint(code).toWellFormed();
}
