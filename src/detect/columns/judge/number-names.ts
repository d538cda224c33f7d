import { meaningsOf } from '../../../columns/column-names.ts';
import { nameWords } from '../../../columns/name-words.ts';
import type { ColumnProfile } from '../column-profile.ts';

/** What a column is called that has the ids of records. */
const ROW_ID = new Set(
  `id ids pk uid uuid guid ид гуид уид identifier identifikator identyfikator identificador identifiant identificativo
  identificatore identificator identificatie идентификатор ідентифікатор azonosito tunniste`.split(/\s+/),
);

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

/** The name says that the numbers are those of the maker: as a whole, or by words of several languages (`partNumberFabricante`). */
export function isCalledMakersNumber({ name, means }: ColumnProfile): boolean {
  return (means.get('oem') ?? 0) >= 2 && nameWords(name).some((word) => MAKERS.test(word));
}

/** So many columns are no chance. */
const KINDS = 3;

/**
 * Whether a column has the numbers of one kind of part, beside others for other kinds: `oil filter code`, `air filter code`, `fuel filter
 * code`. Each row is a vehicle or a kit then, and none of them is its number.
 */
export function isOfOneKind({ name }: ColumnProfile, all: ColumnProfile[]): boolean {
  const [kind, ...rest] = wordsOfKind(name);
  if (kind === undefined || rest.length === 0) return false;
  const beside = all
    .filter(({ partNumbers }) => partNumbers >= 0.6)
    .map((other) => wordsOfKind(other.name))
    .filter((words) => words.slice(1).join(' ') === rest.join(' '));
  return new Set(beside.map(([first]) => first)).size >= KINDS;
}

/** The words of a name that is not known as a whole, as `order code` is. */
function wordsOfKind(name: string): string[] {
  return meaningsOf(name).some(({ whole }) => whole) ? [] : nameWords(name);
}
