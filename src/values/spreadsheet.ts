/** Months as spreadsheets write them beside a day or a year, in the languages of their users. Words that part numbers have are left out. */
export const MONTH_NAMES = [
  'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec',
  'january|february|march|april|june|july|august|september|october|november|december',
  'mär|mrz|märz|mai|juni|juli|okt|oktober|dez|dezember|januar|februar',
  'янв|фев|мар|апр|май|мая|июн|июл|авг|сен|сент|окт|ноя|нояб|дек|января|февраля|марта|апреля|июня|июля|августа|сентября|октября|ноября|декабря',
  'январь|февраль|март|апрель|июнь|июль|август|сентябрь|октябрь|ноябрь|декабрь',
  'січ|лют|бер|кві|чер|лип|сер|вер|жов|лис|гру|яну|юни|юли|сеп|ное',
  'janv|févr|mars|avr|avril|juin|juil|juillet|août|déc',
  'ene|abr|ago|dic|fev|dez|giu|lug|ott|ian|iun|iul|mrt|mei|maj',
  'sty|lut|kwi|cze|sie|wrz|paź|gru|oca|şub|nis|haz|ağu|eyl|kas',
  'febr|márc|ápr|máj|jún|júl|szept|ιαν|φεβ|μαρ|απρ|μαϊ|ιουν|ιουλ|αυγ|σεπ|οκτ|νοε|δεκ',
].flatMap((names) => names.split('|'));
const WEEKDAYS = 'mon|tue|wed|thu|fri|sat|sun';

const NUMERIC_DATES = [
  String.raw`(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d\d`,
  String.raw`(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d`,
  String.raw`(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`(?:19|20)\d\d([./])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])`,
  String.raw`(?:19|20)\d\d\. (?:0?[1-9]|1[0-2])\. (?:0?[1-9]|[12]\d|3[01])\.?`,
  String.raw`(?:(?:19|20)\d\d[年년] ?)?(?:0?[1-9]|1[0-2])[月월](?: ?(?:0?[1-9]|[12]\d|3[01])[日일])?`,
];
const NAMED_DATES = [
  String.raw`\d{1,2}(?:[-. /]|\. )(?:${MONTH_NAMES.join('|')})\.?(?:[-. /](?:\d\d|(?:19|20)\d\d))?`,
  String.raw`(?:${MONTH_NAMES.join('|')})(?:[-. /]|\. )(?:\d\d|(?:19|20)\d\d)`,
  String.raw`(?:${WEEKDAYS}) (?:${MONTH_NAMES.join('|')}) \d\d (?:19|20)\d\d`,
];
/** A time behind a date, as programs write it. */
const TIME = String.raw`[ T]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?(?: ?(?:Z|(?:GMT|UTC)?[+-]\d\d:?\d\d))?(?: \([^)]*\))?`;
/** How dates begin, and few numbers; the expression for dates with names takes milliseconds to compile. */
const LIKE_DATE =
  /^(?:\d{1,2}[-./ ](?:\d{1,2}[-./]|\D)|\d{4}[-./年년]|\d{1,2}[月월]|\D{3,9}\.?[-. /] ?\d\d|\D{3} \D{3} \d\d )/;
const NUMERIC_DATE = new RegExp(`^(?:${NUMERIC_DATES.join('|')})(?:${TIME})?$`, 'i');
const NAMED_DATE = new RegExp(`^(?:${NAMED_DATES.join('|')})(?:${TIME})?$`, 'iu');
/** How months and weekdays begin, in lower case. */
const NAMED = new Set([...MONTH_NAMES, ...WEEKDAYS.split('|')].map((name) => name.slice(0, 3)));

/** What spreadsheets show for a formula that fails, in the languages of their users. */
export const FORMULA_ERRORS = (
  '#REF! #N/A #NAME? #VALUE! #DIV/0! #NULL! #NUM! #SPILL! #CALC! #FIELD! #BUSY! #BEZUG! #NV #WERT! #ZAHL! ' +
  '#ССЫЛКА! #Н/Д #ИМЯ? #ЗНАЧ! #ДЕЛ/0! #ПУСТО! #ЧИСЛО! #ADR! #ARG! #NOM #NOM? #VALEUR! #NOMBRE!'
).split(' ');
/** The same in any case, also in languages that are not listed; or what stands for a value in a column that is too narrow. */
const ERROR = new RegExp(
  `^(?:${FORMULA_ERRORS.join('|').replaceAll('?', String.raw`\?`)}|#(?:N/[ADB]|NÉV\\?|YOK|HIÁNYZIK|НД|[¡¿]?[\\p{L}_]{2,20}(?:/0)?[!?])|#{3,})$`,
  'iu',
);
/** What LibreOffice shows for a failed formula. */
const ERROR_NUMBER = /^(?:Err|Fehler|Ошибка|Erreur|Błąd):5\d\d$/i;

/** An article number that a program turned into `1,23E+11`, `1.2E+6` or, without a sign, `1.2E7`. */
export function isScientific(number: string): boolean {
  const found = /^-?(?:\d(?:[.,]\d+)?E[+-]\d{2,3}|\d{1,3}[.,]\d+E[+-]\d|\d[.,]\d+E(\d{1,3}))$/i.exec(number);
  return found !== null && (found[1] === undefined || Number(found[1]) >= LEAST_POWER);
}

/** Programs that leave the sign out write smaller numbers in full. */
const LEAST_POWER = 7;

/** Digits that spreadsheets keep: of longer numbers all others become zeros. */
const KEPT_DIGITS = 15;

/**
 * An article number of more digits than a spreadsheet keeps, the rest of which are zeros: `12345678901234600000`. Programs keep up to two
 * digits more.
 */
export function lacksDigits(number: string): boolean {
  return number.length > KEPT_DIGITS && /^[1-9]\d{14}(?:0+|\d{2}00+)$/.test(number);
}

/** What stands between a number and the comment of its cell where an export has joined them. */
const COMMENT =
  /\d.*[\s[(](?:comment|note|author|kommentar|anmerkung|notiz|commentaire|comentario|comentário|commento|nota|komentarz|uwaga|poznámka|megjegyzés|not|yorum|комментарий|примечание|автор|коментар|примітка|бележка|opmerking|σχόλιο|批注|注释|コメント|메모)\s*[:：]/iu;

/** An article number with the comment of its cell behind it. */
export function hasComment(number: string): boolean {
  return /[:：]/.test(number) && COMMENT.test(number);
}

/** An article number that a spreadsheet took for a date: `01.03.2026`, `2026-03-01`, `1-Mar`, `мар.26`. */
export function isDate(number: string): boolean {
  if (!LIKE_DATE.test(number)) return false;
  const name = /[^\d\s./-]{3}/.exec(number)?.[0];
  return NUMERIC_DATE.test(number) || (name !== undefined && NAMED.has(name.toLowerCase()) && NAMED_DATE.test(number));
}

/** The message of a failed formula in place of a value. */
export function isFormulaError(cell: string): boolean {
  return cell.startsWith('#') ? ERROR.test(cell) : ERROR_NUMBER.test(cell);
}

/** A call of a function, a cell of another sheet, a cell alone or in an expression. */
const FORMULA =
  /^=\s*[-+(]*\s*(?:[\p{L}_][\p{L}\d_.]*\s*\(|(?:'[^']+'|[\p{L}\d_]+)!\$?[A-Z]|\$?[A-Z]{1,3}\$?\d+\s*(?:$|[-+*/&:^;,<>=]))/u;
const EXPRESSION = /^=\s*[-+(]*["'\p{L}\d$]/u;

/**
 * A formula in place of its value: `=VLOOKUP(A2;B:C;2)`, `=A12&B12`. No brand and no number begins with an equals sign; a text may.
 */
export function isFormula(cell: string, isPart: boolean): boolean {
  return cell.startsWith('=') && (isPart ? EXPRESSION : FORMULA).test(cell);
}
