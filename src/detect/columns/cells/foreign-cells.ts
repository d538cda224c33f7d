import { unicodePattern } from '../../../unicode-pattern.ts';
import { boardCells } from './board-cells.ts';
import { isRecordId } from './number-like.ts';

/** What no brand and no number of a part is; codes of one form may be numbers, and values may stand for those of plain parts. */
export type ForeignKind = 'links' | 'e-mails' | 'phones' | 'yes-or-no' | 'codes' | 'board' | 'values';

/** Most cells of a column are of a kind that says that it is another column. */
export type ForeignCells = { looks: ForeignKind; share: number };

const LINK =
  /^(?:[a-z]{3,6}:\/\/|www\.|(?:[a-z\d-]+\.)+(?:com|net|org|info|shop|eu|io|ru|ua|by|kz|de|pl|cz|it|fr|es|tr|cn|jp|id)\/)/i;
/** `/img/brands/bosch.png`, `C:\pictures\1.jpg`, `0986424797.jpg`. */
const PATH = /^(?:[a-z]:)?[\\/](?:[^\\/]+[\\/])+[^\\/]*$/i;
const FILE = /\.(?:jpe?g|png|gif|webp|svg|bmp|tiff?|pdf|html?|php|aspx?)(?:[?#].*)?$/i;
/** Drawings of parts, of boards and of the parts on them. */
const DRAWING =
  /\.(?:sym|fp|lbr|sch|brd|kicad_\w{3}|(?:sch|pcb|int)lib|sld(?:prt|asm|drw)|ipt|iam|prt|stp|step|stl|ige?s|dwg|dxf|f3d|3mf|x_t)$/i;
const E_MAIL = unicodePattern(String.raw`^\S+@\S+\.\p{L}{2,}$`, 'u');
/** With the country before it, or an area in brackets: numbers of parts begin with neither. */
const PHONE = /^(?:\+\d{1,3}[\s().-]*\d[\d\s().-]{5,14}|\d?\s?\(\d{3,5}\)\s?\d[\d\s-]{4,9})$/;
const YES_OR_NO =
  /^(?:true|false|yes|no|y|n|да|нет|так|ні|ja|nein|nee|oui|non|sí|si|sim|não|nao|tak|nie|ano|ne|igen|nem|da|nu|evet|hayır|hayir|ya|tidak|是|否)$/i;
const CODE = unicodePattern(String.raw`^(\p{L}{1,6})[\-_ ]?\d{2,6}$`, 'u');

/** A column is of another kind when so many of its cells are. */
const MOST = 0.8;

/** What most cells of a column are, if that is neither brands nor numbers; `counts`: how often each value occurs. Pure. */
export function foreignCells(counts: Map<string, number>): ForeignCells | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shareOf = (isOne: (value: string) => boolean) =>
    [...counts].reduce((sum, [value, count]) => (isOne(value) ? sum + count : sum), 0) / Math.max(all, 1);
  const kinds: [ForeignKind, (value: string) => boolean][] = [
    ['links', isLink],
    ['e-mails', (value) => E_MAIL(value).test(value)],
    ['phones', (value) => PHONE.test(value)],
    ['yes-or-no', (value) => YES_OR_NO.test(value)],
    ['codes', isCodeOf(counts)],
  ];
  for (const [looks, isOne] of kinds) {
    const share = shareOf(isOne);
    if (share >= MOST) return { looks, share };
  }
  return boardCells(counts);
}

/** Whether a cell is an address of the web, the path of a file, or the name of one. */
function isLink(value: string): boolean {
  return LINK.test(value) || PATH.test(value) || FILE.test(value) || DRAWING.test(value);
}

/** Ids of records, or several codes of one form with the same letters: `BR001`, `BR017`. */
function isCodeOf(counts: Map<string, number>): (value: string) => boolean {
  const letters = [...counts.keys()].flatMap((value) => CODE(value).exec(value)?.[1] ?? []);
  const isOneForm = letters.length > 1 && new Set(letters).size === 1;
  return (value) => isRecordId(value) || (isOneForm && CODE(value).test(value));
}
