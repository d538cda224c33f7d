/** The beginning of a text as a text of its own: a part of a text keeps the whole of it in memory. */
export function ownCopy(text: string, longest = text.length): string {
  return Buffer.from(text.slice(0, longest)).toString();
}
