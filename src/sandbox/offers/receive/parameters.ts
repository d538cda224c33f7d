import { invalid, readParameters } from '../../http/parameters.ts';

/** Refuses an upload whose query has something unknown or repeated, before its body is read. */
export function checkUploadQuery(query: URLSearchParams): void {
  const parameters = readParameters(query);
  for (const name of ['delimiter', 'charsetName', 'fileName']) parameters.text(name);
  parameters.end();
}

/** The delimiter of a CSV file: a comma or a semicolon; null when it is left out. */
export function readDelimiter(text = ''): string | null {
  if (text === '') return null;
  if (text === ',' || text === ';') return text;
  throw invalid('delimiter', 'is neither "," nor ";"');
}

/** The charset of the file; null when it is left out. */
export function readCharset(text = ''): 'UTF-8' | 'UTF-16' | null {
  if (text === '') return null;
  const name = text.toUpperCase();
  if (name === 'UTF-8' || name === 'UTF-16') return name;
  throw invalid('charsetName', 'is neither UTF-8 nor UTF-16');
}
