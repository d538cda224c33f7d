const MONTHS = [
  'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec',
  'january|february|march|april|june|july|august|september|october|november|december',
  'mär|mrz|mai|okt|dez|янв|фев|мар|апр|май|мая|июн|июл|авг|сен|окт|ноя|дек',
  'janv|févr|mars|avr|juin|juil|août|déc',
].flatMap((names) => names.split('|'));

const DATES = [
  String.raw`(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d\d`,
  String.raw`(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d`,
  String.raw`(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`\d{1,2}[-. ](?:${MONTHS.join('|')})\.?(?:[-. ](?:\d\d|\d{4}))?`,
  String.raw`(?:${MONTHS.join('|')})\.?[-. ](?:\d\d|\d{4})`,
];
/** How dates begin, and few numbers; the expression for whole dates takes a millisecond to compile. */
const LIKE_DATE = /^(?:\d{1,2}[-./ ](?:\d{1,2}[-./]|\D)|\d{4}-\d|\D{3,9}\.?[-. ]\d\d)/;
const DATE = new RegExp(`^(?:${DATES.join('|')})(?: 0?0:00(?::00)?)?$`, 'iu');

/** What spreadsheets show for a formula that fails, in the languages of their users. */
export const FORMULA_ERRORS = (
  '#REF! #N/A #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #CALC! #FIELD! #BUSY! #BEZUG! #NV #WERT! #ZAHL! ' +
  '#ССЫЛКА! #Н/Д #ИМЯ? #ЗНАЧ! #ДЕЛ/0! #ПУСТО! #ЧИСЛО! #ADR! #ARG! #NOM #NOM? #VALEUR! #NOMBRE!'
).split(' ');
/** The same in any case, or what stands for a value in a column that is too narrow. */
const ERROR = new RegExp(`^(?:${FORMULA_ERRORS.join('|').replaceAll('?', String.raw`\?`)}|#{3,})$`, 'iu');

/** An article number that a spreadsheet turned into `1,23E+11`. */
export function isScientific(number: string): boolean {
  return /^-?\d(?:[.,]\d+)?E[+-]\d{2,3}$/i.test(number);
}

/** An article number that a spreadsheet took for a date: `01.03.2026`, `2026-03-01`, `1-Mar`, `мар.26`. */
export function isDate(number: string): boolean {
  return LIKE_DATE.test(number) && DATE.test(number);
}

/** The message of a failed formula in place of a value; it begins with `#`. */
export function isFormulaError(cell: string): boolean {
  return cell.startsWith('#') && ERROR.test(cell);
}
