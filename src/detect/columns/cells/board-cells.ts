/** A place on a board, or several: `C1`, `R8, R11`, `LED1-LED24`. */
const PLACE = String.raw`[A-Z]{1,5}\d{1,4}(?:\s?-\s?[A-Z]{0,5}\d{1,4})?`;
const PLACES = new RegExp(String.raw`^${PLACE}(?:[,;\s]+${PLACE})*[,;]?$`);
/** The first places of each kind: numbers of parts do not begin at one for several letters. */
const FIRST_PLACE = /\b[A-Z]{1,5}[1-9](?!\d)/g;
const KINDS_OF_PLACES = new Set('R C U J D Q L IC F K P T Y X SW LED FB JP TP CN BT'.split(' '));
const LEAST_KINDS = 3;

/** Sizes of chips in hundredths of an inch, behind the letters of a kind of part at most: `C0603`, `LED_0805`, `R_0603_1608Metric`. */
const CHIP = /^(?:[A-Z]{1,12}[-_ ]?)?(0201|0402|0603|0805|1206|1210|1812|2010|2512)[A-Z]?(?:_[A-Z\d].*)?$/i;
/** Forms of cases, and how many pins they have: `SOT-23`, `DIP16`, `LQFP-48_7x7mm`. */
const CASE =
  /^(?:[A-Z]{1,4}_)?(SOT|SOD|SOIC|SOP|SSOP|TSSOP|MSOP|SOJ|SO|P?DIP|SIP|[VWU]?QFN|DFN|[LT]?QFP|BGA|TO|DO|PLCC|WSON|MELF|HC)[-_ ]?\d{1,3}[A-Z]{0,2}(?:-\d{1,2}[A-Z]{0,2})?(?:[_(].*)?$/i;
/** Measures in the names that drawing programs give to cases: `SMA_L4.3-W2.6`, `HDR-TH_2P-P2.54-V-M`. */
const MEASURED = /[_-](?:L\d+\.\d+-W|P\d+\.\d+(?:mm)?\b)|\d+(?:\.\d+)?x\d+(?:\.\d+)?mm/i;
const LEAST_CASES = 2;

/** The value of a component, and more of them: `10uF`, `4k7`, `22pF 50V`, `1u/50V`. */
const VALUE = String.raw`\d+(?:[.,]\d+)?\s?(?:[pnuµμmkKMG]?(?:F|H|Hz|V|A|W|R|Ω|Ω|[oO]hms?)|[pnuµμkKMR]\d{0,2}|%)`;
const VALUES = new RegExp(String.raw`^[±<>~]?${VALUE}(?:[\s,;/@]+±?${VALUE})*$`);

/** So many of a column's cells say what it has; of values more, which stand for the numbers of plain parts: `10k`. */
const MOST = 0.6;
const NEARLY_ALL = 0.8;

/** What the cells of a column say of a part on a board: its place or the form of its case, or the value that it has. */
type BoardCells = { looks: 'board' | 'values'; share: number };

/** What most cells of a column say of parts on a board, if they do; `counts`: how often each value occurs. Pure. */
export function boardCells(counts: Map<string, number>): BoardCells | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shareOf = (isOne: (value: string) => boolean) =>
    [...counts].reduce((sum, [value, count]) => (isOne(value) ? sum + count : sum), 0) / Math.max(all, 1);
  const places = shareOf((value) => PLACES.test(value));
  if (places >= MOST && kindsOfPlaces(counts) >= LEAST_KINDS) return { looks: 'board', share: places };
  const cases = shareOf((value) => caseOf(value) !== null);
  const forms = new Set([...counts.keys()].flatMap((value) => caseOf(value) ?? []));
  if (cases >= MOST && forms.size >= LEAST_CASES) return { looks: 'board', share: cases };
  const values = shareOf((value) => VALUES.test(value));
  return values >= NEARLY_ALL && counts.size > 1 ? { looks: 'values', share: values } : null;
}

/** How many kinds of parts are counted from one, as on a board. */
function kindsOfPlaces(counts: Map<string, number>): number {
  const first = [...counts.keys()].flatMap((value) => (PLACES.test(value) ? (value.match(FIRST_PLACE) ?? []) : []));
  return new Set(first.map((place) => place.slice(0, -1)).filter((kind) => KINDS_OF_PLACES.has(kind))).size;
}

/** What form or size a case has; null for what is none. */
function caseOf(value: string): string | null {
  const form = CHIP.exec(value)?.[1] ?? CASE.exec(value)?.[1];
  return form?.toUpperCase() ?? (MEASURED.test(value) ? value : null);
}
