import type { Kernel } from '../../src/validate/fast/wasm/kernel.ts';

const ENTRY_BYTES = 20;
const FINDING_BYTES = 16;
const [LEFT, ASKED] = [1, 3];

/**
 * What kernels did: rows that they took, issues that they wrote themselves, rows that they left to the slow path, rows of which rules had to be asked,
 * and rows that they left out by rules.
 */
export type KernelCounts = { rows: number; findings: number; left: number; asked: number; leftOut: number };

/** Counts what kernels do in this thread from now on; answers how much it is so far. Kernels do as ever. */
export function countKernelRows(): () => KernelCounts {
  const counts: KernelCounts = { rows: 0, findings: 0, left: 0, asked: 0, leftOut: 0 };
  const Instance = WebAssembly.Instance;
  function CountedInstance(...given: ConstructorParameters<typeof Instance>): WebAssembly.Instance {
    const instance = new Instance(...given);
    const kernel = instance.exports as Kernel;
    if (kernel.parseRows === undefined) return instance;
    const parseRows: Kernel['parseRows'] = (...words) => {
      const [entry, finding] = [kernel.entryAt.value >>> 0, kernel.findingAt.value >>> 0];
      const leftOut = kernel.leftOut.value;
      const answer = kernel.parseRows(...words);
      counts.rows += ((kernel.entryAt.value >>> 0) - entry) / ENTRY_BYTES;
      counts.findings += ((kernel.findingAt.value >>> 0) - finding) / FINDING_BYTES;
      counts.leftOut += kernel.leftOut.value - leftOut;
      if (answer === LEFT) counts.left += 1;
      if (answer === ASKED) counts.asked += 1;
      return answer;
    };
    return { exports: { ...kernel, parseRows } };
  }
  WebAssembly.Instance = CountedInstance as unknown as typeof Instance;
  return () => ({ ...counts });
}
