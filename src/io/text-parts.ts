/** The beginning of a text as a text of its own: a part of a text keeps the whole of it in memory. */
export function ownCopy(text: string, longest = text.length): string {
  return Buffer.from(text.slice(0, longest)).toString();
}

/** A text without such signs at its end. A pattern would look at each run of them from each of its signs. */
export function trimEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
