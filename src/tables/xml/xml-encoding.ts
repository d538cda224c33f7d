import { refusal } from '../../io/refusal.ts';
import { canDecode } from '../../io/text-decode.ts';
import { checkUtf8, decodeHead, headOf, markedEncoding, wrongEncoding, type Encoding } from '../encoding.ts';
import type { TableInput } from '../table-file.ts';

/** Bytes in which a declaration ends. */
const HEAD = 1_024;

/**
 * The encoding of an XML file: by its byte order mark, else by its declaration, else UTF-8. Throws `file-rejected` when the
 * bytes are not what is declared: what is read in the wrong encoding looks right to a machine and wrong to everyone else.
 */
export async function xmlEncoding(input: TableInput): Promise<Encoding> {
  const head = await headOf(input, HEAD);
  const marked = markedEncoding(head);
  const declared = declaredIn(decodeHead(head, marked));
  if (marked !== null && marked.charset !== 'utf-8') return marked;
  const says = declared === null ? 'declares no encoding, which means UTF-8' : `declares the encoding ${declared}`;
  const charset = marked?.charset ?? declared?.toLowerCase() ?? 'utf-8';
  if (/^utf-?16|^utf-?32|^ucs/.test(charset)) {
    const what = `${input.name} ${says}, but its characters are single bytes.`;
    throw refusal('wrong-encoding', `${what} Declare the encoding that it has.`, { declared });
  }
  if (!canDecode(charset)) {
    throw refusal('wrong-encoding', `${input.name} ${says}, which is unknown. Save it as UTF-8.`, { declared });
  }
  const { badLine, surelyUtf8 } = await checkUtf8(input);
  if (/^utf-?8$/.test(charset)) {
    if (badLine !== null) throw wrongEncoding(input.name, marked === null ? says : 'begins as UTF-8', badLine);
    return { charset: 'utf-8', bom: marked !== null };
  }
  if (surelyUtf8) {
    throw refusal('wrong-encoding', `${input.name} ${says}, but it is UTF-8. Declare UTF-8.`, { declared });
  }
  return { charset, bom: false };
}

function declaredIn(head: string): string | null {
  const [declaration] = /^\s*<\?xml\s[^>]*\?>/.exec(head) ?? [''];
  return /\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? null;
}
