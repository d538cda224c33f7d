import { readFile, stat, writeFile } from 'node:fs/promises';
import { decodeBytes, canDecode } from '../../io/text-decode.ts';
import { diskError, refusal } from '../../io/refusal.ts';

/** A part of a web archive: the lines above its blank line, and what stands below. */
type Part = { head: string; body: string };

const BOUNDARY = /boundary=(?:"([^"]+)"|([^;\s]+))/i;
const BLANK_LINE = /\r?\n\r?\n/;
const CHARSET = /charset=(?:"([^"]+)"|([^;\s]+))/i;
const ENCODING = /^content-transfer-encoding:\s*([\w-]+)/im;

/** The largest web archive that is read, which has to be in memory at once. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Writes the page of a web archive (MHTML) that holds the table to `target`, in UTF-8; returns its name. Throws `file-rejected`. */
export async function unpackMhtml(source: { path: string; name: string }, target: string): Promise<string> {
  const { path, name } = source;
  if ((await stat(path)).size > MOST_BYTES) {
    const message = `${name} is a web archive (MHTML) of more than ${MOST_BYTES} bytes. Save the list as .xlsx and send it again.`;
    throw refusal('file-too-large', message, { file: name, limit: MOST_BYTES });
  }
  const { head, body } = partOf(await readFile(path, 'latin1'));
  const boundary = BOUNDARY.exec(head)
    ?.slice(1)
    .find((found) => found !== undefined);
  const parts = boundary === undefined ? [{ head, body }] : body.split(`--${boundary}`).slice(1).map(partOf);
  const pages = parts.filter((part) => /^content-type:\s*text\/html/im.test(part.head)).map(pageOf);
  const [page] = pages.filter((text) => /<table\b/i.test(text)).sort((a, b) => b.length - a.length);
  if (page === undefined) {
    const message = `${name} is a web archive (MHTML) without a table. Save the list as .xlsx and send it again.`;
    throw refusal('no-table', message, { file: name });
  }
  await writeFile(target, `\uFEFF${page}`).catch((error: unknown) => {
    throw diskError(error, target, (cause) => cause);
  });
  return name;
}

function partOf(text: string): Part {
  const written = text.replace(/^\s+/, '');
  const end = BLANK_LINE.exec(written);
  if (end === null) return { head: written, body: '' };
  // A line that begins with a blank goes on with the line before it.
  const head = written.slice(0, end.index).replaceAll(/\r?\n[ \t]+/g, ' ');
  return { head, body: written.slice(end.index + end[0].length) };
}

/** The text of a page, without what protects it in mails. */
function pageOf({ head, body }: Part): string {
  const encoding = ENCODING.exec(head)?.[1]?.toLowerCase();
  const bytes = Buffer.from(
    encoding === 'quoted-printable' ? unquoted(body) : body,
    encoding === 'base64' ? 'base64' : 'latin1',
  );
  const named = CHARSET.exec(head) ?? CHARSET.exec(bytes.toString('latin1', 0, 4096));
  const charset = named?.slice(1).find((found) => found !== undefined) ?? 'utf-8';
  return decodeBytes(bytes, canDecode(charset) ? charset : 'utf-8');
}

function unquoted(text: string): string {
  return text
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
