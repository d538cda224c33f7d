/*
 * What people write in the place of an article number, or behind one, in the languages of suppliers: amounts, references to another part,
 * remarks. Words that are a code at some maker (`NEU`, `SE`, `TL`) are left out, or need more around them.
 */

/** Blanks that people type, and that programs put before a unit. */
const BLANK = String.raw`[ \u00a0]`;
const CODES = 'EUR|USD|GBP|CHF|PLN|CZK|HUF|RON|BGN|RUB|RUR|UAH|BYN|KZT|TRY|SEK|NOK|DKK|JPY|CNY|KRW|BRL|MXN';
const NATIONAL = String.raw`руб\.?|р\.|грн\.?|zł|Kč|лв\.?|тг\.?`;
const SIGNS = '[€£¥₽₴₺₸₩]';
/** `12,50 €`, `$ 12.50`, `1 200 руб.`; a dollar alone needs the cents. */
const PRICE = new RegExp(
  String.raw`^(?:${SIGNS}\s?\d[\d.,'\s]*|\d[\d.,'\s]*(?:${SIGNS}|${BLANK}(?:${CODES}|${NATIONAL}))|\$\s?\d[\d,]*\.\d\d|\d[\d,]*\.\d\d\s?\$|(?:${CODES})${BLANK}\d[\d.,']*[.,]\d\d)$`,
  'iu',
);
/** `10 Stk.`, `5 шт`: nobody numbers parts with four digits and such a word. */
const UNITS = 'stk|stück|stck|pcs|pieces|piezas|pezzi|pièces|szt|sztuk|шт|штук|adet|buc|kom|kpl|τεμ|darab';
const QUANTITY = new RegExp(String.raw`^\d{1,4}${BLANK}?(?:${UNITS})\.?$`, 'iu');

/** How a cell begins that names another part, in whatever letters. */
// prettier-ignore
const REFERENCES = [
  'siehe', 'смотри', 'дивись', 'patrz', 'voir', 'véase', 'vedi', 'bakınız', 'lásd', 'vezi', 'replaced by', 'superseded by', 'ersetzt durch',
  'заменен на', 'заменён на', 'замінено на', 'remplacé par', 'sustituido por', 'sostituito da', 'substituído por', 'vervangen door',
  'zastąpiony przez', 'nahrazeno', 'înlocuit cu', 'helyette', 'βλέπε',
];
/** The same, but not in capitals, in which some are a maker's prefix. */
const SHORT_REFERENCES = ['see', 'см.', 'см', 'див.', 'zie', 'viz', 'bkz', 'bkz.', 'vgl.', 's. auch'];
const REFERENCE = new RegExp(String.raw`^(?:${written([...REFERENCES, ...SHORT_REFERENCES])})[\s:].*\d{3}`, 'iu');
const IN_CAPITALS = new RegExp(`^(?:${written(SHORT_REFERENCES).toUpperCase()})[\\s:]`, 'u');

/** Remarks behind a number, after a blank, with or without brackets. */
// prettier-ignore
const REMARKS = [
  'restposten', 'restbestand', 'auslaufartikel', 'auslaufteil', 'sonderposten', 'sonderpreis', 'sonderangebot', 'abverkauf', 'lieferbar', 'ausverkauft',
  'discontinued', 'obsolete', 'clearance', 'superseded', 'special offer', 'in stock', 'sold out', 'last pieces',
  'распродажа', 'остаток', 'остатки', 'уценка', 'новинка', 'акция', 'снят с производства', 'под заказ', 'в наличии', 'розпродаж', 'уцінка', 'залишок',
  'wyprzedaż', 'promocja', 'końcówka', 'nowość', 'wycofany', 'výprodej', 'novinka', 'kifutó', 'akciós', 'lichidare', 'promoție',
  'déstockage', 'promotion', 'nouveauté', 'liquidación', 'oferta', 'descatalogado', 'promoção', 'liquidação', 'offerta', 'esaurimento', 'novità',
  'б/у', 'уценён', 'уценен', 'контрактный', 'gebraucht', 'używany', 'używana', 'usado', 'usata', 'usato', 'refurbished', 'second hand', 'б/в',
  'uitverkoop', 'aanbieding', 'kampanya', 'indirim', 'προσφορά',
];
const REMARK = new RegExp(
  String.raw`(?:(?<!${BLANK})${BLANK}+(?:[([*]${BLANK}*)?|[(#*]${BLANK}*)(?:${written(REMARKS)})[!.)\]*]*$`,
  'iu',
);

/** How many pieces a number stands for, behind it in brackets. */
const PACKED = new RegExp(String.raw`[\d\p{L}]${BLANK}*[([]\d{1,4}${BLANK}?(?:${UNITS})\.?[)\]]$`, 'iu');

/** A remark has a mark before its first letter, and a quantity one before its digits; both expressions take milliseconds to compile. */
const MAY_HAVE_REMARK = /[ \u00a0(#*][^\d \u00a0]|[([]\d/;

/** The words of all these texts, for who looks for their beginnings first. */
export function remarkWords(): Record<'currencies' | 'units' | 'references' | 'remarks', string[]> {
  return {
    currencies: `${CODES}|${NATIONAL}`.toLowerCase().replaceAll(/[\\?]/g, '').split('|'),
    units: UNITS.split('|'),
    references: [...REFERENCES, ...SHORT_REFERENCES],
    remarks: REMARKS,
  };
}

/** Whether a text is an amount of money. Pure. */
export function isPrice(text: string): boolean {
  return PRICE.test(text);
}

/** Whether a text says how many pieces there are. Pure. */
export function isQuantity(text: string): boolean {
  return QUANTITY.test(text);
}

/** Whether a text names another part instead of this one: `siehe 334810`. Pure. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text) && !IN_CAPITALS.test(text);
}

/** Whether a remark or a quantity in brackets stands behind a number: `4589 Restposten`, `02858-021 (10 pcs)`. Pure. */
export function hasRemark(text: string): boolean {
  if (!MAY_HAVE_REMARK.test(text)) return false;
  if (PACKED.test(text)) return true;
  const found = REMARK.exec(text);
  return found !== null && /\d/.test(text.slice(0, found.index));
}

function written(words: string[]): string {
  return words.map((word) => word.replaceAll('.', String.raw`\.`)).join('|');
}
