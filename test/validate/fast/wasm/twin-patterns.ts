const STATES = 64 + 8192;
const FOUND = 0xffff;

/** Runs the automaton over every byte of a cell. */
export function patternsTwin(bytes: Uint8Array, view: DataView) {
  return (automaton: number, from: number, to: number): boolean => {
    let state = 1;
    for (let at = from; at < to; at += 1) {
      state = view.getUint16(automaton + STATES + state * 512 + bytes[at]! * 2, true);
      if (state === FOUND) return true;
    }
    return false;
  };
}
