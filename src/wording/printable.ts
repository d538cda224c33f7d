/** What moves a cursor, turns the direction of writing round, or is not seen at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** The same, but for the line feeds and tabs of a text of several lines. */
const UNSEEN_IN_TEXT = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

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
