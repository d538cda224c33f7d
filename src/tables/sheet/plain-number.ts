/** Digits that a cell keeps. */
const SIGNIFICANT = 15;
const [ZERO, NINE, DOT, MINUS] = [48, 57, 46, 45];

/**
 * A stored number as plain digits: no exponent, no more than 15 significant digits, as Excel keeps them. What is no number
 * stays what it is.
 */
export function plainNumber(stored: string): string {
  return isPlain(stored) ? stored : rounded(stored);
}

/** Most numbers are stored as they are shown. */
function isPlain(stored: string): boolean {
  const { length } = stored;
  const first = stored.charCodeAt(0) === MINUS ? 1 : 0;
  if (length > SIGNIFICANT || length === first) return false;
  let dot = -1;
  for (let at = first; at < length; at++) {
    const code = stored.charCodeAt(at);
    if (code === DOT && dot < 0) dot = at;
    else if (code < ZERO || code > NINE) return false;
  }
  const whole = dot < 0 ? length : dot;
  if (whole === first || (stored.charCodeAt(first) === ZERO && (whole > first + 1 || first === 1))) return false;
  return dot < 0 || (dot < length - 1 && stored.charCodeAt(length - 1) !== ZERO);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function rounded(stored: string): string {
  const text = stored.trim();
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return stored;
  if (number === 0) return '0';
  const [mantissa = '', exponent] = Math.abs(number)
    .toExponential(SIGNIFICANT - 1)
    .split('e');
  const digits = mantissa.replace('.', '').replace(/0+$/, '');
  const point = Number(exponent) + 1;
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return number < 0 ? `-${plain}` : plain;
}
