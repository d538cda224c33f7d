/** A part of a mail with what lies in it. */
export type MimePart = {
  header: Buffer;
  body: Buffer;
  type: string;
  subtype: string;
  parameters: [name: string, value: string][];
  encoding: string;
  disposition: { kind: string; parameters: [name: string, value: string][] } | undefined;
  parts: MimePart[];
};

/** Takes a mail apart as its sender wrote it: header fields, bodies, parts between their boundaries. */
export function readMime(bytes: Buffer): MimePart {
  const end = bytes.indexOf('\r\n\r\n');
  const header = bytes.subarray(0, end < 0 ? bytes.length : end + 4);
  const body = bytes.subarray(header.length);
  const { first, parameters } = fieldOf(header, 'Content-Type') ?? { first: 'text/plain', parameters: [] };
  const [type = '', subtype = ''] = first.split('/');
  const disposed = fieldOf(header, 'Content-Disposition');
  const boundary = parameters.find(([name]) => name.toLowerCase() === 'boundary')?.[1];
  return {
    header,
    body,
    type,
    subtype,
    parameters,
    encoding: fieldOf(header, 'Content-Transfer-Encoding')?.first ?? '7bit',
    disposition: disposed && { kind: disposed.first, parameters: disposed.parameters },
    parts: boundary === undefined ? [] : between(body, boundary).map(readMime),
  };
}

/** The part that a section names: `2` or `1.3`; the mail itself has section 1 when it has no parts. */
export function partAt(mail: MimePart, section: string): MimePart | undefined {
  if (mail.parts.length === 0) return section === '1' ? mail : undefined;
  return section.split('.').reduce<MimePart | undefined>((part, number) => part?.parts[Number(number) - 1], mail);
}

/** A header field's value on one line; undefined where there is none. */
export function headerField(header: Buffer, name: string): string | undefined {
  const lines = header
    .toString('utf8')
    .replaceAll(/\r\n[ \t]+/gu, ' ')
    .split('\r\n');
  const start = `${name.toLowerCase()}:`;
  return lines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

function fieldOf(header: Buffer, name: string) {
  const value = headerField(header, name);
  if (value === undefined) return undefined;
  const [first = '', ...rest] = value.split(';');
  const parameters = rest.map((part): [string, string] => {
    const at = part.indexOf('=');
    return [
      part.slice(0, at).trim(),
      part
        .slice(at + 1)
        .trim()
        .replaceAll(/^"|"$/gu, ''),
    ];
  });
  return { first: first.trim(), parameters };
}

function between(body: Buffer, boundary: string): Buffer[] {
  const parts: Buffer[] = [];
  const mark = `--${boundary}`;
  let start = body.indexOf(`${mark}\r\n`);
  while (start >= 0) {
    const from = start + mark.length + 2;
    const end = body.indexOf(`\r\n${mark}`, from - 2);
    if (end < 0) break;
    parts.push(body.subarray(from, Math.max(from, end)));
    start = body.subarray(end + 2, end + 4 + mark.length).toString() === `${mark}\r\n` ? end + 2 : -1;
  }
  return parts;
}
