const NUMBER = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;
/** Longer numbers than a double can have stay as they are written. */
const MOST_DIGITS = 400;

/**
 * A number as plain decimal digits, computed from its text and never through a double: `1.0E+10` is `10000000000`. Digits are
 * kept as they are written where there is no exponent (`12.50`, `0012`). What is no number stays as it is.
 */
export function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power] = NUMBER.exec(text) ?? [];
  if (power === undefined || whole + fraction === '') return text;
  const exponent = Number(power);
  if (Math.abs(exponent) > MOST_DIGITS || whole.length + fraction.length > MOST_DIGITS) return text;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const rest = padded.slice(at).replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${integer}${rest === '' ? '' : `.${rest}`}`;
}

/** A number of a sheet: up to 15 significant digits, as spreadsheet programs keep them; `0.30000000000000004` is `0.3`. */
export function sheetNumber(text: string): string {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed) || !/\d/.test(trimmed)) return text;
  const value = Number(trimmed);
  return Number.isFinite(value) ? plainNumber(String(Number(value.toPrecision(15)))) : text;
}

/**
 * A number as its format shows it where the format carries meaning: `0000000` and `0\ 000\ 000` fill up with zeros. Null for
 * formats that only round, group or colour.
 */
export function zeroFilled(digits: string, format: string): string | null {
  const pattern = (format.split(';')[0] ?? '').replaceAll(
    /\\(.)|"([^"]*)"|_./g,
    (_all, one, many) => one ?? many ?? ' ',
  );
  const zeros = pattern.match(/0/g)?.length ?? 0;
  if (!/^[-0 /()]+$/.test(pattern) || zeros < 2 || !/^\d+$/.test(digits)) return null;
  let rest = digits.padStart(zeros, '0');
  let shown = '';
  for (let at = pattern.length - 1; at >= 0; at--) {
    const isZero = pattern[at] === '0';
    shown = (isZero ? rest.slice(-1) : pattern[at]!) + shown;
    if (isZero) rest = rest.slice(0, -1);
    if (isZero && !pattern.slice(0, at).includes('0')) [shown, rest] = [rest + shown, ''];
  }
  return shown.trim();
}
