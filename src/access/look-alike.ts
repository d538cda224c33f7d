/** Letters that look like Latin ones, each before the one that it looks like: Cyrillic, Greek, Armenian, and odd Latin ones. */
const ALIKE = new Map(
  [
    'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ЅS ІI ЈJ ԀD ԌG ԚQ ԜW ҺH ӀI ҮY ЗZ',
    'аa еe оo рp сc уy хx ѕs іi јj ԁd ԛq ԝw һh ӏl үy ѵv ցg кk мm тt вb нh гr пn иu',
    'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy εe ηn ιi κk μu νv οo ρp σo τt υu χx ωw',
    'ՕO ՍU օo սu հh յj զq ոn ռn',
    'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz ɑa ɐa ɒa ƅb ɓb ƈc ɖd ɗd ƙk ƒf ɦh ɭl ɱm ŋn ɲn ƥp ɾr ʂs ƫt ʋv ƶz',
    'ıi ɩi ɪi ɑa ɡg ʏy ʀr ʟl ɴn ßb øo łl đd ħh',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => Array.from(pair) as [string, string]),
);

/** Digits that look like letters, letters that look like each other, and pairs that look like one. */
const SAME: Record<string, string> = { '0': 'o', '1': 'l', i: 'l', rn: 'm', vv: 'w' };

const SCRIPTS = 'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Thai Han Hiragana Katakana Hangul'
  .split(' ')
  .map((name) => ({ name, of: new RegExp(`\\p{Script=${name}}`, 'u') }));
/** Scripts that are written together, and look like nothing of each other. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
];

/** Whether people take one name for the other: capitals, accents, and letters of other scripts make no difference. */
export function looksLike(one: string, other: string): boolean {
  const shapes = shapesOf(one);
  return shapesOf(other).some((shape) => shapes.includes(shape));
}

/** How a name looks as it is, in capitals and in small letters, in which different letters look alike. */
function shapesOf(name: string): string[] {
  const text = name.normalize('NFKC');
  return [text, text.toUpperCase(), text.toLowerCase()].map(shapeOf);
}

function shapeOf(text: string): string {
  const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const latin = Array.from(bare, (letter) => ALIKE.get(letter) ?? letter).join('');
  return latin.toLowerCase().replaceAll(/[01i]|rn|vv/gu, (letters) => SAME[letters]!);
}

/** Whether a name has letters of scripts that hardly anybody can read, some of which look like Latin ones. */
export function hasOddScript(name: string): boolean {
  return Array.from(name).some((letter) => /\p{L}/u.test(letter) && !SCRIPTS.some(({ of }) => of.test(letter)));
}

/** The scripts of a name that should not stand in one word, such as "Latin and Cyrillic"; null when it is written in one. */
export function mixedScripts(name: string): string | null {
  const letters = Array.from(name).filter((letter) => /\p{L}/u.test(letter));
  const found = [
    ...new Set(letters.map((letter) => SCRIPTS.find(({ of }) => of.test(letter))?.name ?? 'other letters')),
  ];
  const fits = found.length < 2 || TOGETHER.some((scripts) => found.every((script) => scripts.includes(script)));
  return fits ? null : found.join(' and ');
}
