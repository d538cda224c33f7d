/** A number or brand as it is compared: letters and digits only, in capitals, whatever separators were typed. */
export function partKey(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** A VIN or Frame number as it is compared. */
export function identKey(text: string): string {
  return partKey(text);
}

const HOMOGLYPHS: Record<string, string> = {
  A: 'А',
  B: 'В',
  E: 'Е',
  K: 'К',
  M: 'М',
  H: 'Н',
  O: 'О',
  P: 'Р',
  C: 'С',
  T: 'Т',
  Y: 'У',
  X: 'Х',
};

/** A registration plate as it is compared: Russian plates use the letters that exist in both alphabets. */
export function plateKey(text: string): string {
  return partKey(text).replaceAll(/[A-Z]/g, (letter) => HOMOGLYPHS[letter] ?? letter);
}
