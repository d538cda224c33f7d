/**
 * Measures detection on a folder of real files: `node bench/detect.ts FOLDER`. The folder has `charset/` and `dialect/`,
 * each with a `manifest.json` of `path`, `charset`, `delimiter`, `quote`, `offer_like`, `domain`. The files are for
 * measuring only; none of them may go into the repository or a test.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detect } from '../src/detect/detect.ts';
import type { Detection } from '../src/model.ts';
import { canDecode, decodeBytes } from '../src/text-decode.ts';

type Labelled = {
  path: string;
  charset: string;
  domain?: string;
  delimiter?: string;
  quote?: string;
  offer_like?: boolean;
};

type Tally = { files: number; right: number; unsure: number; wrong: number };

/** The charsets that suppliers use; the others are counted apart. */
const KEY_CHARSETS =
  /^(?:ascii|utf-8|utf-8-sig|utf-16(?:le|be)?|windows-125[01247]|iso-8859-(?:1|2|5|9|15)|cp866|koi8-[ru]|cp85[02]|maccyrillic|gb18030|big5|shift_jis|cp932|euc-jp|euc-kr|cp949)$/;

/** Labels of the manifests that are spelled otherwise here. */
const SPELLINGS: Record<string, string> = {
  ascii: 'utf-8',
  'utf-8-sig': 'utf-8',
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  'utf-16': 'utf-16le',
  'utf-32': 'utf-32le',
  kz1048: 'kz-1048',
  'tis-620': 'windows-874',
};

const tallies = new Map<string, Tally>();

/** `right` is the best guess; `wrong` is a wrong guess that claims to be sure: the worst outcome. */
function tally(name: string, isRight: boolean, sure: boolean): void {
  const counts = tallies.get(name) ?? { files: 0, right: 0, unsure: 0, wrong: 0 };
  counts.files += 1;
  if (isRight) counts.right += 1;
  if (!sure) counts.unsure += 1;
  else if (!isRight) counts.wrong += 1;
  tallies.set(name, counts);
}

/** Right when it is the label or decodes the file to the same text. */
function isSameCharset(bytes: Buffer, found: string, label: string): boolean {
  const expected = SPELLINGS[label] ?? label;
  if (found === expected || label === found.slice(0, -2)) return true;
  if (!canDecode(found) || !canDecode(expected)) return false;
  return decodeBytes(bytes, found) === decodeBytes(bytes, expected);
}

function countCharset(file: Labelled, bytes: Buffer, found: Detection): void {
  const isRight = isSameCharset(bytes, found.charset, file.charset);
  tally('charset, all', isRight, found.sure);
  tally(`charset, ${file.domain}`, isRight, found.sure);
  if (KEY_CHARSETS.test(file.charset)) tally('charset, key charsets', isRight, found.sure);
}

function countDialect(file: Labelled, found: Detection): void {
  if (file.offer_like !== true) return;
  const isRight = found.delimiter === file.delimiter;
  tally('delimiter, offer-like', isRight, found.sure);
  if (file.delimiter !== ',') tally('delimiter, offer-like, not comma', isRight, found.sure);
  tally('delimiter and quote, offer-like', isRight && (found.quote ?? '') === file.quote, found.sure);
}

async function measure(folder: string): Promise<void> {
  for (const kind of ['charset', 'dialect']) {
    const files = JSON.parse(readFileSync(join(folder, kind, 'manifest.json'), 'utf8')) as Labelled[];
    for (const file of files) {
      const path = join(folder, kind, file.path);
      const found = await detect(path);
      if (kind === 'charset') countCharset(file, readFileSync(path), found);
      else countDialect(file, found);
    }
  }
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Say where the files are: node bench/detect.ts FOLDER');
  process.exitCode = 2;
} else {
  await measure(folder);
  const rows = [...tallies].map(([name, { files, right, unsure, wrong }]) => [
    name,
    { files, 'right %': Number(((100 * right) / files).toFixed(2)), unsure, 'sure but wrong': wrong },
  ]);
  console.table(Object.fromEntries(rows));
}
