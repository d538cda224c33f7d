/** Unicode's classes Cc and Cf (a test compares them), of which V8 would make the sets at each start. */
const CONTROLS = [
  String.raw`\0-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e`,
  String.raw`\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}`,
  String.raw`\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}`,
].join('');
/** What moves a cursor, turns the direction of writing round, or is not seen at all. */
export const UNSEEN = new RegExp(String.raw`[${CONTROLS}\u2028\u2029]`, 'gu');
/** The same, but for the line feeds and tabs of a text of several lines. */
const UNSEEN_IN_TEXT = new RegExp(String.raw`(?![\n\t])${UNSEEN.source}`, 'gu');

/** A text from outside as a part of a line: control characters, line breaks too, are spelled out. */
export function printable(text: string): string {
  return text.replaceAll(UNSEEN, spelled);
}

/** A text of several lines of ours: what texts from outside brought into it is spelled out, line breaks are kept. */
export function printableText(text: string): string {
  return text.replaceAll(UNSEEN_IN_TEXT, spelled);
}

/** JSON as it may reach a terminal: the same value, with the characters escaped that JSON itself leaves alone. */
export function printableJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_TEXT, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function spelled(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** A text of at most so many characters; one that was cut ends with an ellipsis and never with half a character. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
