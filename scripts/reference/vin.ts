/** A letter's value is the last digit of its place. */
const PLACES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ';
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';

/** The letter of a model year, the tenth of a VIN. */
export function yearLetter(year: number): string {
  return YEARS[(year - 1980) % YEARS.length]!;
}

/** A VIN with its check digit in the ninth place: the first eight characters, and the last eight. */
export function americanVin(head: string, tail: string): string {
  const letters = `${head}0${tail}`.split('');
  const sum = letters.reduce((total, letter, at) => total + (PLACES.indexOf(letter) % 10) * WEIGHTS[at]!, 0);
  const check = sum % 11;
  return `${head}${check === 10 ? 'X' : check}${tail}`;
}
