const CLASSES = 64 + 8192;
const WIDTH = CLASSES + 256;
const STATES = WIDTH + 16;
const FOUND = 0xffff;

/** Whether a text shows a pattern of a packed automaton, which runs over every byte here. */
export function showsPattern(automaton: Uint8Array, text: string): boolean {
  const view = new DataView(automaton.buffer, automaton.byteOffset);
  const width = view.getUint32(WIDTH, true);
  let state = 1;
  for (const byte of Buffer.from(text)) {
    state = view.getUint16(STATES + (state * width + view.getUint8(CLASSES + byte)) * 2, true);
    if (state === FOUND) return true;
  }
  return view.getUint16(STATES + (state * width + width - 1) * 2, true) === FOUND;
}
