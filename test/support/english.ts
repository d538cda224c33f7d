/** Words that hold an English sentence together; none of them is a word of German, Polish or Russian. */
const ENGLISH = new Set(
  'the of is are were has have had been be not it its this that these those which with from for and or because would could cannot than there will they them does did should only more than when while until again yet'.split(
    ' ',
  ),
);

/** The sentences of a text that are English: two words in them or more are of English alone. */
export function englishIn(text: string): string[] {
  return text
    .split(/[.;:!?\n“”„«»]+/u)
    .map((sentence) => sentence.trim())
    .filter(
      (sentence) => (sentence.match(/[a-z]+/giu) ?? []).filter((word) => ENGLISH.has(word.toLowerCase())).length > 1,
    );
}

/** What a page says of itself in its own language: without what is marked as English, code, and what people and suppliers wrote. */
export function ownWords(page: string): string {
  const [main = ''] = /<main[^]*<\/main>/u.exec(page) ?? [];
  let words = main;
  for (const other of [/<(\w+)[^>]* lang="en"[^>]*>[^]*?<\/\1>/gu, /<(code|textarea|script)\b[^>]*>[^]*?<\/\1>/gu])
    words = words.replaceAll(other, ' ');
  return words
    .replaceAll(/<\/?(?:p|li|dd|dt|td|th|h\d|div|option|label|button|caption)\b[^>]*>/gu, '\n')
    .replaceAll(/<[^>]*>/gu, ' ');
}
