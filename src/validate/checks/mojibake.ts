import { decodeBytes } from '../../io/text-decode.ts';

/** How the continuation bytes of UTF-8, 0x80 to 0xBF, look in windows-1252 and -1251. */
const TAIL_1252 = '\\x80-\\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const TAIL_1251 = '\\x98\\xa0-\\xbf\\u0401-\\u040f\\u0451-\\u045fҐґ€‚„…†‡‰‹‘’“”•–—™›';

/** The same in windows-1251 behind 0xD1: of those from 0xA0 on nobody writes the letters any more, but `СІРІ` is a word. */
const TAIL_OF_LATE_1251 = '\\x98ЂЃѓЉЊЌЋЏђљњќћџ€‚„…†‡‰‹‘’“”•–—™›';

/**
 * How two bytes of UTF-8 look, the first byte and the second one, that were read as windows-1252 (`Ð¤Ð¸`, `Ã¼`, `Â®`, `â€™`), as
 * windows-1251 (`Р¤Рё`), as ibm866 (`╨д╨╕`) or cp850 (`├╝`). Of one kind may be several pairs; `times` of them in a row are a sign of it.
 */
export const GARBLED: { pairs: [first: string, second: string][]; times: 1 | 2 }[] = [
  { pairs: [['[ÐÑ]', `[${TAIL_1252}]`]], times: 2 },
  { pairs: [['Ã', `[${TAIL_1252}]`]], times: 1 },
  { pairs: [['Â', '[\\xa0-\\xbf]']], times: 1 },
  { pairs: [['â', '[€‚„\\x80\\x82\\x84]']], times: 1 },
  {
    pairs: [
      ['Р', `[${TAIL_1251}]`],
      ['С', `[${TAIL_OF_LATE_1251}]`],
    ],
    times: 2,
  },
  { pairs: [['[╨╤]', '[\\u0400-\\u04ff\\u2500-\\u25ff]']], times: 2 },
  { pairs: [['├', '[\\x80-\\xff\\u2500-\\u25ff]']], times: 1 },
];

/** UTF-8 that was read in one of the charsets. */
export const MOJIBAKE = new RegExp(
  GARBLED.map(({ pairs, times }) => `(?:${pairs.map((pair) => pair.join('')).join('|')}){${times}}`).join('|'),
);

/** Charsets in which programs read UTF-8 by mistake. */
export const MISREADINGS = ['windows-1252', 'windows-1251', 'ibm866', 'cp850'];

/** Text may go through the same mistake several times. */
const MOST_TIMES = 3;

const encoders = new Map<string, Uint8Array>();

/** The text before it was decoded in a wrong charset, or null when that is uncertain. */
export function repairMojibake(text: string): string | null {
  let repaired = text;
  for (let time = 0; time < MOST_TIMES && MOJIBAKE.test(repaired); time += 1) {
    const next = MISREADINGS.values()
      .map((charset) => undo(repaired, charset))
      .find((undone) => undone !== repaired);
    if (next === undefined) return null;
    repaired = next;
  }
  return repaired === text || MOJIBAKE.test(repaired) ? null : repaired;
}

/** Decodes again every run of non-ASCII characters that is valid UTF-8 once encoded in the charset. */
function undo(text: string, charset: string): string {
  const encoder = encoderFor(charset);
  return text.replaceAll(/[^\0-\x7f]+/g, (run) => {
    const bytes = Buffer.allocUnsafe(run.length);
    for (let at = 0; at < run.length; at += 1) {
      const byte = encoder[run.charCodeAt(at)]!;
      if (byte === 0) return run;
      bytes[at] = byte;
    }
    const read = bytes.toString('utf8');
    return read.includes('\uFFFD') ? run : read;
  });
}

/** The byte of every character of a charset from 0x80 on, 0 for others; bytes without a character stand for themselves. */
export function encoderFor(charset: string): Uint8Array {
  const known = encoders.get(charset);
  if (known !== undefined) return known;
  const encoder = new Uint8Array(0x1_0000);
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    encoder[decodeBytes(Uint8Array.of(byte), charset).charCodeAt(0)] = byte;
    if (byte < 0xa0) encoder[byte] = byte;
  }
  encoder[0xfffd] = 0;
  encoders.set(charset, encoder);
  return encoder;
}
