import { nameWords } from '../../../columns/name-words.ts';
import type { ColumnProfile } from '../column-profile.ts';

/** What a column is called that has the ids of records. */
const ROW_ID = new Set(['id', 'ids', 'pk', 'uid', 'uuid', 'guid', 'ид', 'гуид', 'уид']);

/** Whether a word of a name says that records are counted. */
export function isIdByName(name: string): boolean {
  return nameWords(name).some((word) => ROW_ID.has(word));
}

/** How words begin that name places and papers, whose numbers and codes are no parts'. */
const NO_PARTS =
  /^(?:zip|postal|postcode|postleitzahl|plz|почтов|invoice|document|dokument|receipt|rechnung|beleg|fact?ur|fattur|faktur|фактур|накладн|документ|plate)/u;

export function isOfSomethingElse(name: string): boolean {
  return nameWords(name).some((word) => NO_PARTS.test(word));
}

/** Who sells the goods of many makers, electronics above all, under numbers of its own. */
const SELLERS =
  /mouser|digi?key|lcsc|jlc(?:pcb)?|farnell|newark|element14|reichelt|distrelec|avnet|conrad|rutronik|buerklin|radiospares|sparkfun|adafruit|mcmaster|grainger/;
/** Parts of other words as well. */
const SELLERS_WORDS = new Set(['rs', 'tme', 'arrow', 'seller', 'retailer', 'distributor']);

/** A seller's own number, by its name: `Mouser Part Number`, `RS no.`. */
export function isSellersNumber({ name }: ColumnProfile): boolean {
  const words = nameWords(name);
  return SELLERS.test(words.join('')) || words.some((word) => SELLERS_WORDS.has(word));
}

/** How words begin that say that a number is the maker's: `MPN`, `Mfr. no.`, `Herst.-Nr.`. */
const MAKERS =
  /^(?:mpn|mnf|mfr|mfg|manuf|maker|herst|fabri[ck]|produ[ct]e|produtt|vyrob|gyart|uretici|valmist|произв|изготов|виробн|brand|厂|廠)/u;

/** The whole name says that the numbers are those of the maker. */
export function isCalledMakersNumber({ name, means }: ColumnProfile): boolean {
  return means.get('oem') === 3 && nameWords(name).some((word) => MAKERS.test(word));
}
