/** Words with which totals begin, and which are not the name of any maker of parts. */
const SUMS = (
  'grand total|subtotal|sub-total|summe|gesamt|gesamtsumme|gesamtanzahl|insgesamt|zwischensumme|endsumme|' +
  'anzahl positionen|общий итог|итого|всего|всього|усього|разом|ogółem|razem|łącznie|celkem|összesen|' +
  'genel toplam|iš viso|yhteensä|合計|总计|總計'
).split('|');
/** Words that may also be a brand: they count as a total only with a colon, or where the row is not an offer anyway. */
const MAYBE_SUMS =
  'totals?|sum|suma|summa|spolu|toplam|totale|totaal|totalt|kopā|kokku|rows|lines|positions|total positions|строк|позиций';

const SURE = new RegExp(`^(?:(?:${SUMS.join('|')})(?![\\p{L}\\d])|(?:${MAYBE_SUMS})\\s*:)`, 'iu');
const MAYBE = new RegExp(`^(?:${MAYBE_SUMS})(?![\\p{L}\\d])`, 'iu');

/** Amounts: digits with their punctuation, and one word such as a unit or a currency. */
const AMOUNT = /^[\d\s.,:%+\-–€$£₽]*(?:\p{L}+\.?)?[\d\s.,%€$£₽]*$/u;
const UNIT_LENGTH = 4;

/**
 * Whether a row is a line below the table such as `Total: 12 345 positions` or `Итого;;;12 345`. `brand` is the brand of a
 * row that would be an offer, with the right number of cells and a number, else null: an offer counts as a total only if it
 * begins with its brand, and the brand is unmistakably a word of totals.
 */
export function isFooter(cells: string[], brand: string | null): boolean {
  if (brand !== null && !SURE.test(brand.trim())) return false;
  const begin = cells.findIndex((cell) => cell.trim() !== '');
  const first = cells[begin]?.trim();
  if (first === undefined || (brand === null ? !SURE.test(first) && !MAYBE.test(first) : first !== brand.trim())) {
    return false;
  }
  const rest = cells
    .slice(begin + 1)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  return rest.every((cell) => AMOUNT.test(cell) && (/\d/.test(cell) || cell.length <= UNIT_LENGTH));
}
