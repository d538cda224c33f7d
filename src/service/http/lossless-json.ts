/**
 * Parses JSON so that int64 ids lose no digit: an integer that JavaScript cannot hold exactly becomes the string of its
 * digits. Throws a SyntaxError like JSON.parse.
 */
export function parseLossless(text: string): unknown {
  return JSON.parse(text, keepDigits);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}
