import { refusal } from '../../io/refusal.ts';
import { canDecode } from '../../io/text-decode.ts';
import { checkUtf8, decodeHead, headOf, markedEncoding, wrongEncoding, type Encoding } from '../encoding.ts';
import type { TableInput } from '../table-file.ts';

/** Browsers look for a declaration in the first 1,024 bytes; programs that write tables put styles before it. */
const HEAD = 16_384;

/**
 * The encoding of a page: the one that the settings name, else by its byte order mark, else as it declares, else UTF-8. Throws
 * `file-rejected` when the bytes are not what is declared, or not UTF-8 where nothing is.
 */
export async function htmlEncoding(input: TableInput, charset: string | null): Promise<Encoding> {
  const head = await headOf(input, HEAD);
  const marked = markedEncoding(head);
  if (charset !== null) return { charset, bom: marked?.bom ?? false };
  if (marked !== null && marked.charset !== 'utf-8') return marked;
  const declared = declaredIn(decodeHead(head, marked));
  const { badLine, surelyUtf8 } = await checkUtf8(input);
  if (marked !== null || declared === null || /^utf-?8$/i.test(declared)) {
    if (badLine === null) return { charset: 'utf-8', bom: marked !== null };
    if (marked === null && declared === null) throw undeclared(input.name);
    throw wrongEncoding(input.name, marked === null ? `declares the charset ${declared}` : 'begins as UTF-8', badLine);
  }
  const says = `${input.name} declares the charset ${declared}`;
  if (/^utf-?(?:16|32)/i.test(declared) || surelyUtf8) {
    const really = surelyUtf8 ? 'it is UTF-8' : 'its characters are single bytes';
    throw refusal('wrong-encoding', `${says}, but ${really}. Set dialect.charset to what it is.`, { declared });
  }
  if (!canDecode(declared)) {
    throw refusal('wrong-encoding', `${says}, which is unknown. Set dialect.charset to what it is.`, { declared });
  }
  return { charset: declared, bom: false };
}

function undeclared(name: string): Error {
  const what = `${name} is a web page that declares no charset and is not UTF-8.`;
  return refusal('wrong-encoding', `${what} Set dialect.charset to what it is, such as windows-1251.`);
}

/** `<meta charset=…>`, or `charset=…` in the content of another `<meta>`. */
function declaredIn(head: string): string | null {
  const metas = head.replaceAll(/<!--.*?-->/gs, '').match(/<meta\s[^>]*>/gi) ?? [];
  for (const meta of metas) {
    const charset = /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(meta)?.[1];
    if (charset !== undefined) return charset;
  }
  return null;
}
