import type { Kernel } from '../../../../src/validate/fast/wasm/kernel.ts';
import { patternsTwin } from './twin-patterns.ts';
import { keyTwin } from './twin-key.ts';
import { rowsTwin } from './twin-rows.ts';
import { tableTwin } from './twin-table.ts';

const LF = 10;
const CR = 13;

/** The kernel of kernel/ in plain TypeScript, a byte at a time: what it does to a memory is what the compiled one must do. */
export function twinKernel(memory: WebAssembly.Memory): Kernel {
  const bytes = new Uint8Array(memory.buffer);
  const view = new DataView(memory.buffer);
  const key = keyTwin(bytes);
  const breaks = { value: 0 };
  const rows = rowsTwin({ bytes, view, key, needsSlowPath: patternsTwin(bytes, view) });
  return {
    ...rows,
    ...tableTwin(view),
    hashKey: key.hashKey,
    hashLow: key.low,
    hashHigh: key.high,
    breaks,
    indexBytes: (from, to, target) => {
      const { delimiter, quote } = rows.settings();
      let count = 0;
      breaks.value = 0;
      for (let at = from; at < to; at += 1) {
        if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) breaks.value += 1;
        if (![delimiter, quote, LF, CR].includes(bytes[at])) continue;
        view.setUint32(target + count * 4, at, true);
        count += 1;
      }
      return count;
    },
    transcode: (from, to, target, table) => {
      let out = target;
      for (let at = from; at < to; at += 1) {
        const letter = table + bytes[at]! * 4;
        for (let index = 0; index < bytes[letter + 3]!; index += 1) bytes[out++] = bytes[letter + index]!;
      }
      return out;
    },
  };
}
