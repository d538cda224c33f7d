import { own } from '../../io/dictionary.ts';
import type { StoredRejection } from '../input.ts';

/** Words of service messages that mean a column. */
const MEANING: Record<string, RegExp> = {
  brand: /\bbrand\b/i,
  oem: /\boem\b|\barticle\b|\bpart number\b/i,
  name: /\bname\b/i,
  tags: /\btags?\b/i,
};

/** What kind of refusal it is: the service's text without the values of the row in it. */
export function kindOfRefusal({ message, brand, oem }: Pick<StoredRejection, 'message' | 'brand' | 'oem'>): string {
  return withoutValues(message, { brand, oem }).replaceAll(/["'“”«»][^"'“”«»]*["'“”«»]|\d+/g, '…');
}

/** The column that the service's text is about; null when it names none, or several. */
export function columnMeant(
  message: string,
  { brand, oem }: Pick<StoredRejection, 'brand' | 'oem'>,
  columns: string[],
): string | null {
  const text = withoutValues(message, { brand, oem });
  const named = columns.filter((key) => own(MEANING, key)?.test(text) ?? false);
  if (named.length > 0) return named.length === 1 ? named[0]! : null;
  const quoted = Object.entries({ brand, oem }).filter(
    ([, value]) => value !== null && value.length > 1 && message.includes(value),
  );
  return quoted.length === 1 ? quoted[0]![0] : null;
}

function withoutValues(message: string, { brand, oem }: Pick<StoredRejection, 'brand' | 'oem'>): string {
  const values = [brand, oem].filter((value) => value !== null && value.length > 1) as string[];
  return values.reduce((text, value) => text.replaceAll(value, '…'), message);
}
