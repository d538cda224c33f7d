const CHARSETS = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const;

/** A charset of ideographs or syllables, most of them two bytes. */
export type IdeographicCharset = (typeof CHARSETS)[number];

export function isIdeographic(charset: string): charset is IdeographicCharset {
  return CHARSETS.some((one) => one === charset);
}

/** What a byte that means nothing where it stands costs. */
export const BROKEN = Math.log(1e-8);

/** The share of a character's plane in running text, divided by the number of its characters. Japanese: by its bytes in EUC-JP. */
export function planeShare(bytes: ArrayLike<number>, charset: IdeographicCharset): number {
  return PLANES[charset](bytes[0] ?? 0, bytes[1] ?? 0, bytes.length);
}

const PLANES: Record<IdeographicCharset, (lead: number, trail: number, length: number) => number> = {
  gb18030: (lead, trail, length) => {
    if (length > 2) return 1e-7;
    if (lead < 0xa1 || trail < 0xa1) return 0.01 / 14_000;
    if (lead === 0xa1 || lead === 0xa3) return 0.1 / 188;
    if (lead >= 0xb0 && lead <= 0xd7) return 0.75 / 3755;
    return lead >= 0xd8 && lead <= 0xf7 ? 0.06 / 3008 : 2e-6;
  },
  big5: (lead) => {
    if (lead >= 0xa4 && lead <= 0xc6) return 0.8 / 5401;
    if (lead >= 0xc9 && lead <= 0xf9) return 0.04 / 7652;
    return lead >= 0xa1 && lead <= 0xa3 ? 0.1 / 400 : 1e-6;
  },
  'euc-kr': (lead, trail) => {
    if (lead < 0xa1 || trail < 0xa1) return 0.01 / 8822;
    if (lead >= 0xb0 && lead <= 0xc8) return 0.85 / 2350;
    if (lead >= 0xca && lead <= 0xfd) return 0.01 / 4888;
    if (lead === 0xa2 || lead === 0xa4) return 0.02 / 188;
    return lead === 0xa1 || lead === 0xa3 ? 0.05 / 188 : 1e-6;
  },
  shift_jis: japanese,
  'euc-jp': japanese,
};

const HALF_WIDTH = 0x8e;
/** Marks of katakana that stand among the punctuation. */
const KATAKANA_MARKS = [0xa6, 0xb3, 0xb4, 0xbc];

function japanese(lead: number, trail: number, length: number): number {
  if (lead === HALF_WIDTH) return 0.02 / 63;
  if (length > 2 || lead < 0xa1) return 1e-6;
  if (lead === 0xa4) return 0.3 / 83;
  if (lead === 0xa5 || (lead === 0xa1 && KATAKANA_MARKS.includes(trail))) return 0.25 / 86;
  if (lead >= 0xb0 && lead <= 0xcf) return 0.3 / 2965;
  if (lead >= 0xd0 && lead <= 0xf4) return 0.02 / 3390;
  if (lead === 0xa2) return 0.01 / 94;
  return lead <= 0xa3 ? 0.1 / 160 : 1e-5;
}

const LEAD = 1;
const TRAIL = 2;
const SINGLE = 4;
const MOST = [0x81, 0xfe, LEAD | TRAIL] as const;

/** What each byte beyond ASCII, and below it behind one, can be. */
const CLASSES: Record<IdeographicCharset, Uint8Array> = {
  gb18030: byteClasses([[0x30, 0x39, TRAIL], [0x40, 0x7e, TRAIL], [0x80, 0x80, TRAIL], [...MOST]]),
  big5: byteClasses([
    [0x40, 0x7e, TRAIL],
    [0x81, 0xa0, LEAD],
    [0xa1, 0xfe, LEAD | TRAIL],
  ]),
  shift_jis: byteClasses([
    [0x40, 0x7e, TRAIL],
    [0x80, 0x80, TRAIL],
    [0x81, 0x9f, LEAD | TRAIL],
    [0xa0, 0xa0, TRAIL],
    [0xa1, 0xdf, SINGLE | TRAIL],
    [0xe0, 0xfc, LEAD | TRAIL],
  ]),
  'euc-jp': byteClasses([
    [HALF_WIDTH, HALF_WIDTH + 1, LEAD],
    [0xa1, 0xfe, LEAD | TRAIL],
  ]),
  'euc-kr': byteClasses([[0x41, 0x5a, TRAIL], [0x61, 0x7a, TRAIL], [...MOST]]),
};

/** The class of each byte: of the last range that has it. */
function byteClasses(ranges: [first: number, last: number, found: number][]): Uint8Array {
  const classes = new Uint8Array(256);
  for (const [first, last, found] of ranges) classes.fill(found, first, last + 1);
  return classes;
}

/** What a character costs at most that stands in the row of the one before it: such rows are alphabets. */
const NEXT_OF_ROW = Math.log(0.8 / 63);

/**
 * The logarithm of a word's likelihood as far as its bytes show, somewhat too high rather than too low: without the tables of
 * the charset, whose loading takes longer than all other charsets together.
 */
export function bytesScore(word: string, charset: IdeographicCharset): { score: number; steps: number } {
  const classes = CLASSES[charset];
  let score = 0;
  let steps = 0;
  let row = 0;
  for (let at = 0; at < word.length; at += 1) {
    const lead = word.charCodeAt(at);
    const kind = lead < 0x80 ? 0 : classes[lead]!;
    if (lead < 0x80) row = 0;
    else steps += 1;
    if ((kind & SINGLE) !== 0) score += NEXT_OF_ROW;
    else if ((kind & LEAD) !== 0 && (classes[word.charCodeAt(at + 1)]! & TRAIL) !== 0) {
      at += 1;
      const share = Math.log(planeShare(ownBytes(lead, word.charCodeAt(at), charset), charset));
      score += lead === row ? Math.max(share, NEXT_OF_ROW) : share;
      row = lead;
    } else if (lead >= 0x80) score += BROKEN;
  }
  return { score, steps };
}

/** Two bytes of Shift_JIS as EUC-JP; those of other charsets as they are. */
function ownBytes(lead: number, trail: number, charset: IdeographicCharset): [number, number] {
  if (charset !== 'shift_jis') return [lead, trail];
  const row = (lead - (lead >= 0xe0 ? 0xc1 : 0x81)) * 2 + (trail >= 0x9f ? 1 : 0);
  return [row + 0xa1, trail];
}
