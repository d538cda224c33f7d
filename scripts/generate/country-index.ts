import { foldCountry } from '../../src/detect/columns/cells/countries.ts';

/** The languages of suppliers; each names all countries. */
const LANGUAGES =
  'en de fr es pt it nl pl cs sk hu ro bg ru uk tr el lt lv et hr sr sl sv da nb fi zh ja ko ar fa he id vi'.split(' ');

/** What lists write beside the names that a dictionary has. */
const SHORT_NAMES = [
  'USA, UK, England, Korea, South Korea, Taiwan, EU, Europe, PRC, Holland, Czechia, Turkey, UAE',
  'РФ, КНР, Корея, Южная Корея, Ю.Корея, Тайвань, Англия, Голландия, Чехия, ЕС, Евросоюз, Европа, ОАЭ, Белоруссия',
  'Корея Південна, Південна Корея, Corea, Corea del Sur, Inglaterra, Holanda, EEUU, EE.UU., Südkorea, Korea Selatan',
].flatMap((names) => names.split(','));

/** Codes that stand for no country in particular. */
const NO_COUNTRIES = new Set(['ZZ', 'XA', 'XB', 'QO', 'UN', 'EZ']);

/** src/detect/columns/cells/country-index.json: codes of two letters and the names that Unicode's CLDR has in the languages of suppliers, folded. */
export function countryIndex(): string {
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
  const folded = [...new Set([...codes, ...names, ...SHORT_NAMES].map(foldCountry))].sort();
  return `${JSON.stringify(folded.join(' '))}\n`;
}
