/** The languages of suppliers; each names all countries. */
const LANGUAGES =
  'en de fr es pt it nl pl cs sk hu ro bg ru uk tr el lt lv et hr sr sl sv da nb fi zh ja ko ar fa he id vi'.split(' ');

/** What lists write beside the names that a dictionary has. */
const SHORT_NAMES = [
  'USA, UK, England, Korea, South Korea, Taiwan, EU, Europe, PRC, Holland, Czechia, Turkey, UAE',
  'РФ, КНР, Корея, Южная Корея, Ю.Корея, Тайвань, Англия, Голландия, Чехия, ЕС, Евросоюз, Европа, ОАЭ, Белоруссия',
  'Корея Південна, Південна Корея, Corea, Corea del Sur, Inglaterra, Holanda, EEUU, EE.UU., Südkorea, Korea Selatan',
].flatMap((names) => names.split(','));

let countries: Set<string> | undefined;

/** Whether a cell is the name of a country, in the languages of suppliers, or its code of two letters. */
export function isCountry(cell: string): boolean {
  if (cell.length > LONGEST_NAME || /\d/.test(cell)) return false;
  countries ??= allCountries();
  return countries.has(folded(cell)) || countries.has(folded(cell.replace(/\(.*$/, '')));
}

const LONGEST_NAME = 60;

/** Made when it is first asked for: it takes some milliseconds. */
function allCountries(): Set<string> {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !NO_COUNTRIES.has(code) && english.of(code) !== undefined);
  const names = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const region = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' });
      return codes.flatMap((code) => region.of(code) ?? []);
    }),
  );
  return new Set([...codes, ...names, ...SHORT_NAMES].map(folded));
}

/** Codes that stand for no country in particular. */
const NO_COUNTRIES = new Set(['ZZ', 'XA', 'XB', 'QO', 'UN', 'EZ']);

function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]+/gu, '')
    .toLowerCase();
}
