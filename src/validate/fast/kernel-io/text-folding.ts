/**
 * How kernel/rule-cells.ts folds texts as rules compare them: a byte for each character of ASCII, a half word for each letter of two bytes in
 * UTF-8, 0 for what only the text tells. `unlike`: characters of ASCII that make a cell another text.
 */
export function textFolding(unlike: string): Uint8Array {
  const bytes = Buffer.alloc(TEXT_FOLDING_BYTES);
  for (let code = 0; code < ASCII; code += 1) {
    const character = String.fromCodePoint(code);
    bytes[code] = unlike.includes(character) ? 0 : foldedCharacter(character);
  }
  for (let code = ASCII; code < LETTERS_OF_TWO; code += 1)
    bytes.writeUInt16LE(foldedCharacter(String.fromCodePoint(code)), ASCII + code * 2);
  return bytes;
}

const ASCII = 128;
/** Letters behind these have more bytes. */
const LETTERS_OF_TWO = 2048;
export const TEXT_FOLDING_BYTES = ASCII + LETTERS_OF_TWO * 2;

/** What nobody sees, what may become one letter with another one, and the letter whose small one depends on its place. */
const DEPENDS = /[\p{C}\p{M}Σ]/u;

/** The bytes of a character as texts are folded, the first one below; 0 where they are more than two, or depend on its neighbours. */
function foldedCharacter(character: string): number {
  const normal = character.normalize('NFKC');
  const folded = normal.toLowerCase();
  const isAlone = Array.from(normal).length === 1 && Array.from(folded).length === 1;
  if (!isAlone || DEPENDS.test(character) || DEPENDS.test(normal)) return 0;
  const bytes = Buffer.from(folded);
  return bytes.length > 2 ? 0 : bytes[0]! | ((bytes[1] ?? 0) << 8);
}
