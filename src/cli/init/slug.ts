/** The name of a feed has at most 64 characters; a number may follow. */
const LONGEST_SLUG = 60;

/**
 * Letters and how they are spelled with those of a feed's name, each letter before its spelling: Cyrillic as BGN/PCGN romanises Russian
 * (without hard and soft signs, and with `ё` as the `е` that often stands for it), with the letters of Ukrainian, Belarusian, Serbian,
 * Macedonian and Kazakh; Greek as ELOT 743; Latin letters that are no others with a mark.
 */
const SPELLED = new Map(
  [
    'аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya',
    'іi їyi єye ґg ўw ђdj јj љlj њnj ћc џdz ѓgj ќkj ѕdz әa ғg қq ңn өo ұu үu һh',
    'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo',
    'ßss æae œoe øo łl đd ðd þth ıi ħh ŋn ŧt',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => {
      const [letter = '', ...latin] = Array.from(pair);
      return [letter, latin.join('')] as const;
    }),
);

/** A text in the letters that the name of a feed may have; empty where nothing of it is left. Pure. */
export function slug(text: string): string {
  return Array.from(text.normalize('NFKC').toLowerCase(), (letter) => SPELLED.get(letter) ?? spelledBare(letter))
    .join('')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, LONGEST_SLUG);
}

/** A letter without its marks, spelled. */
function spelledBare(letter: string): string {
  const bare = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return SPELLED.get(bare) ?? bare;
}
