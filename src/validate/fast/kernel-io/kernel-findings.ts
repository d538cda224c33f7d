import type { IssueLog } from '../../issues/issue-log.ts';
import { SAMPLE_PER_CODE } from '../../issues/issue-log.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { FindingTemplate } from './finding-templates.ts';
import type { Layout } from './layout.ts';
import type { ChunkBuffers } from './buffers.ts';

/** A line of the issues file, and the line of the supplier's file that it is about. */
export type Finding = { line: number; text: Buffer };

const FINDING_WORDS = 4;
const CELL_COUNT = 0;
const DUPLICATE = 2;
/** More findings than a chunk has; times a line of 32 bits it is still an exact integer. */
const MOST_FINDINGS = 2 ** 21;
/** A chunk with more findings of the slow path ends the fast path; the other half is left for kernels and duplicates. */
export const MOST_SLOW_PATH_FINDINGS = MOST_FINDINGS / 2;

export type KernelFindings = ReturnType<typeof createKernelFindings>;

/** The findings that a kernel writes about the rows of its chunks. */
export function createKernelFindings(
  { memory, templates, ruleTemplates }: Layout,
  buffers: ChunkBuffers,
  kernel: Kernel,
) {
  const bytes = Buffer.from(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const list = buffers.findings >>> 2;
  const firstRule = templates.length - ruleTemplates;
  const counted = new Float64Array(templates.length);
  let order = new Float64Array(256);
  // One for all chunks: new memory would cost as much as parsing.
  let joined = Buffer.alloc(0);
  const listEnd = () => (kernel.findingAt.value >>> 0) >>> 2;
  return {
    /**
     * Lets the kernel write findings about a chunk, except for issues of which no log, of the chunk or of those before it, has
     * enough samples: samples come from the slow path.
     */
    allow: (isAllowed: boolean, logs: IssueLog[]): void => {
      const isEnough = (template: FindingTemplate) =>
        template !== null && logs.some(({ counts }) => (counts[template.code] ?? 0) >= SAMPLE_PER_CODE);
      for (const [kind, template] of templates.entries()) {
        words[(buffers.templates >>> 2) + kind] = isAllowed && isEnough(template) ? template!.address : 0;
      }
    },
    /** How many rows the listed findings say are refused, and are left out by rules. */
    rows: (): { refused: number; leftOut: number } => {
      const leftOut = kernel.leftOut.value;
      return { refused: (listEnd() - list) / FINDING_WORDS - kernel.warnings.value - leftOut, leftOut };
    },
    /** The line of the last listed finding if it is about a number of cells, else null. */
    cutLine: (): number | null => {
      const last = listEnd() - FINDING_WORDS;
      return last < list || words[last] !== CELL_COUNT ? null : words[last + 1]!;
    },
    /** The length of the texts of the listed findings, which follow one another. */
    textBytes: (): number => (listEnd() === list ? 0 : words[listEnd() - 1]! - words[list + 2]!),
    /**
     * Counts the listed findings, and returns their texts and those of `others`, `length` bytes in all, in the order of
     * their lines; they are to be written before the kernel goes on.
     */
    inOrder: (others: Finding[], length: number): Buffer => {
      const listed = (listEnd() - list) / FINDING_WORDS;
      const all = listed + others.length;
      if (order.length < all) order = new Float64Array(all * 2);
      for (let number = 0; number < listed; number += 1) {
        const at = list + number * FINDING_WORDS;
        counted[words[at]!]! += 1;
        order[number] = words[at + 1]! * MOST_FINDINGS + number;
      }
      for (const [at, { line }] of others.entries()) order[listed + at] = line * MOST_FINDINGS + listed + at;
      if (others.length === 0 && isAscending(order, all)) {
        return listed === 0 ? bytes.subarray(0, 0) : bytes.subarray(words[list + 2], words[list + 2]! + length);
      }
      if (joined.length < length) joined = Buffer.allocUnsafeSlow(length + (length >>> 1));
      const text = joined.subarray(0, length);
      const sorted = order.subarray(0, all).sort();
      let end = 0;
      for (let place = 0; place < all;) {
        const number = sorted[place]! % MOST_FINDINGS;
        place += 1;
        if (number >= listed) {
          end += others[number - listed]!.text.copy(text, end);
          continue;
        }
        // The texts of findings that follow one another are copied at once.
        let last = number;
        for (; last + 1 < listed && place < all && sorted[place]! % MOST_FINDINGS === last + 1; place += 1) last += 1;
        end += bytes.copy(text, end, words[list + number * FINDING_WORDS + 2], words[list + last * FINDING_WORDS + 3]);
      }
      return text;
    },
    /** Adds the counts to a log. */
    countIn: ({ counts }: IssueLog): void => {
      for (const [kind, count] of counted.entries()) {
        const code = templates[kind]?.code;
        if (code !== undefined && count > 0) counts[code] = (counts[code] ?? 0) + count;
      }
    },
    /** Whether the kernel could write that a row repeats an earlier one. */
    isNamed: (entry: number, first: number, indexed: number): boolean =>
      words[(buffers.templates >>> 2) + DUPLICATE] !== 0 &&
      kernel.nameDuplicate(entry, first, buffers.index, indexed) !== 0,
    /** Whether the kernel could write that a rule left a row out. */
    isNamedLeftOut: (entry: number, rule: number, indexed: number): boolean =>
      words[(buffers.templates >>> 2) + firstRule + rule] !== 0 &&
      kernel.nameLeftOut(entry, rule, buffers.index, indexed) !== 0,
  };
}

function isAscending(numbers: Float64Array, length: number): boolean {
  for (let at = 1; at < length; at += 1) if (numbers[at]! < numbers[at - 1]!) return false;
  return true;
}
