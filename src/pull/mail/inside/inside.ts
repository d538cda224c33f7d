import { foreignText } from '../../../wording/foreign-text.ts';
import { fileOf, tidyName } from '../part-name.ts';
import { DamagedError, type Entry, type Holding } from './entry.ts';
import { readNestedMail } from './nested-mail.ts';
import { readTnef } from './tnef.ts';
import { readUuencode } from './uuencode.ts';

/** A file inside an attachment; `path` leads to it and stays the same, such as `2` or, inside the second, `2!1`. */
export type InnerFile = { path: string; name: string; bytes: Uint8Array };

/** What is inside an attachment, and why some of it is passed over. */
export type Inside = { files: InnerFile[]; passedOver: string[] };

/** Such files inside one another. */
const DEEPEST = 4;

/** What a part is called that holds files and has no name. */
export const UNNAMED: Record<Holding, string> = { mail: 'unnamed.eml', tnef: 'winmail.dat', uuencode: 'unnamed.txt' };

/** Whether a part holds files itself: a mail, Outlook's winmail.dat, or what is uuencoded. */
export function holdingOf({
  name,
  type,
  encoding = '',
}: Pick<Entry, 'name' | 'type'> & { encoding?: string | undefined }): Holding | undefined {
  if (/^(?:application\/(?:vnd\.)?ms-tnef)$/u.test(type) || /^winmail\.dat$/iu.test(name)) return 'tnef';
  if (/^message\/(?:rfc822|global)$/u.test(type) || /\.eml$/iu.test(name)) return 'mail';
  return /^(?:x-)?uu(?:e|encode)?$/u.test(encoding) ? 'uuencode' : undefined;
}

/** True for what is a file itself where nothing is found in it. */
export function isFileItself(holding: Holding | undefined, type: string): boolean {
  return holding === undefined || (holding === 'mail' && !type.startsWith('message/'));
}

/** The files in an attachment that holds some. What is damaged has none, and says so. */
export async function openInside(bytes: Uint8Array, holding: Holding, name: string, depth = 1): Promise<Inside> {
  const inside: Inside = { files: [], passedOver: [] };
  try {
    const { entries, damaged } = await entriesOf(bytes, holding);
    inside.passedOver.push(...damaged);
    for (const [at, entry] of entries.entries()) await add(inside, entry, String(at + 1), depth);
    if (holding === 'tnef' && entries.length === 0) inside.passedOver.push(`has ${shown(name)}, in which is no file`);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    const how = holding === 'tnef' ? ', or mails as HTML or plain text' : '';
    inside.passedOver.push(
      `has ${shown(name)}, which is damaged (${error.message}): ask the supplier for it again${how}`,
    );
  }
  return inside;
}

async function entriesOf(bytes: Uint8Array, holding: Holding): Promise<{ entries: Entry[]; damaged: string[] }> {
  switch (holding) {
    case 'mail':
      return readNestedMail(bytes);
    case 'tnef':
      return { entries: readTnef(bytes), damaged: [] };
    case 'uuencode':
      return readUuencode(bytes);
  }
}

async function add(inside: Inside, entry: Entry, path: string, depth: number): Promise<void> {
  const holding = holdingOf({ ...entry, name: tidyName(entry.name) });
  const name = tidyName(entry.name) || (holding === undefined ? '' : UNNAMED[holding]);
  const file = fileOf({ ...entry, name });
  if (file === undefined) return;
  if ('why' in file) {
    inside.passedOver.push(file.why);
    return;
  }
  if (holding !== undefined) {
    const inner =
      depth < DEEPEST
        ? await openInside(entry.bytes, holding, name, depth + 1)
        : { files: [], passedOver: [`has ${shown(name)}, which is inside too many others`] };
    inside.passedOver.push(...inner.passedOver);
    for (const found of inner.files) inside.files.push({ ...found, path: `${path}!${found.path}` });
    if (inner.files.length > 0 || !isFileItself(holding, entry.type)) return;
  }
  inside.files.push({ path, name: file.name, bytes: entry.bytes });
}

function shown(name: string): string {
  return foreignText(name, 100);
}
