import { foldHalf } from './part-key.ts';

/** What is taken off numbers at their beginning and at their end, the first that fits of each. */
export type Strip = { prefixes: string[]; suffixes: string[] };

/** A number without what is taken off it, whatever its case; as it is where nothing of a number would be left. */
export function stripNumber(number: string, strip: Strip | null): string {
  if (strip === null) return number;
  const lower = number.toLowerCase();
  const prefix = strip.prefixes.find((one) => lower.startsWith(one.toLowerCase())) ?? '';
  const rest = number.slice(prefix.length);
  const suffix = strip.suffixes.find((one) => rest.toLowerCase().endsWith(one.toLowerCase())) ?? '';
  const stripped = rest.slice(0, rest.length - suffix.length).trim();
  return /\d/.test(foldHalf(stripped)) ? stripped : number;
}
