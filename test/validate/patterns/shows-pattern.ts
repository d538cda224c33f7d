const STATES = 64 + 8192;
const FOUND = 0xffff;

/** Whether a text shows a pattern of a packed automaton, which runs over every byte here. */
export function showsPattern(automaton: Uint8Array, text: string): boolean {
  const view = new DataView(automaton.buffer, automaton.byteOffset + STATES);
  let state = 1;
  for (const byte of Buffer.from(text)) {
    state = view.getUint16(state * 512 + byte * 2, true);
    if (state === FOUND) return true;
  }
  return false;
}
