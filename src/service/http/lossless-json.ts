const [QUOTE, ESCAPE, COMMA, LIST, RECORD] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

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

/** About how many values a JSON text has, without reading it: a short text of many small ones takes a hundred times its size. */
export function countValues(text: string): number {
  let values = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (isText) {
      if (sign === ESCAPE) at += 1;
      else if (sign === QUOTE) isText = false;
    } else if (sign === QUOTE) isText = true;
    else if (sign === COMMA || sign === LIST || sign === RECORD) values += 1;
  }
  return values;
}
