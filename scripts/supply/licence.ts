/** What a manifest says of its licence: an expression, or what old ones have instead. */
export type Licensed = { license?: string | { type: string }; licenses?: { type: string }[] };

/** The licence that a manifest names; undefined when it names none. */
export function licenceOf({ license, licenses = [] }: Licensed): string | undefined {
  if (typeof license === 'string') return license;
  return license?.type ?? (licenses.length === 0 ? undefined : licenses.map(({ type }) => type).join(' OR '));
}

/** Licences under which libraries may be passed on inside the package: they ask for no more than their text. */
const PASSED_ON = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
];
/** Licences of tools, which are run and not passed on. CC0 gives up every right; it grants none of patents. */
const OF_TOOLS = [...PASSED_ON, 'CC0-1.0', 'MPL-2.0', 'MIT/X11'];

/** Whether a library, or a tool, may be used under a licence: one of an alternative, and all of a conjunction. */
export function isAllowed(expression: string, { isTool }: { isTool: boolean }): boolean {
  const list = isTool ? OF_TOOLS : PASSED_ON;
  const words = expression.replaceAll(/[()]/gu, ' ').trim();
  if (/[()].*[()]/u.test(expression.replace(/^\((.*)\)$/u, '$1'))) return false;
  const all = (text: string) => text.split(/ +AND +/u).every((one) => list.includes(one.trim()));
  return words.split(/ +OR +/u).some(all);
}
