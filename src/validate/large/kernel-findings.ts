import type { IssueLog } from '../issue-log.ts';
import { SAMPLE_PER_CODE } from '../issue-log.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { FindingTemplate } from './finding-templates.ts';
import type { Layout, ThreadRoom } from './layout.ts';

/** A line of the issues file, and the line of the supplier's file that it is about. */
export type Finding = { line: number; text: Uint8Array };

const FINDING_WORDS = 4;
const DUPLICATE = 2;

export type KernelFindings = ReturnType<typeof createKernelFindings>;

/** What kernels write about rows of one thread's stretches. */
export function createKernelFindings({ memory, templates }: Layout, room: ThreadRoom, kernel: Kernel) {
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  return {
    /**
     * Lets the kernel write about rows of a stretch, but for issues of which `log` does not have enough yet: those that are
     * shown are made with care.
     */
    allow: (isAllowed: boolean, log: IssueLog): void => {
      const isEnough = (template: FindingTemplate) =>
        template !== null && (log.counts[template.code] ?? 0) >= SAMPLE_PER_CODE;
      for (const [kind, template] of templates.entries()) {
        words[(room.templates >>> 2) + kind] = isAllowed && isEnough(template) ? template!.address : 0;
      }
    },
    /** How many findings are listed. */
    count: (): number => ((kernel.findingAt.value >>> 0) - room.findings) / (FINDING_WORDS * 4),
    /** The findings from a number on; they are counted in the log. */
    from: (number: number, log: IssueLog): Finding[] => {
      const found: Finding[] = [];
      const end = (kernel.findingAt.value >>> 0) >>> 2;
      for (let at = (room.findings >>> 2) + number * FINDING_WORDS; at < end; at += FINDING_WORDS) {
        const { code } = templates[words[at]!]!;
        log.counts[code] = (log.counts[code] ?? 0) + 1;
        found.push({ line: words[at + 1]!, text: bytes.subarray(words[at + 2], words[at + 3]) });
      }
      return found;
    },
    /** Whether the kernel wrote that a row repeats an earlier one. */
    isNamed: (entry: number, first: number, indexed: number): boolean =>
      words[(room.templates >>> 2) + DUPLICATE] !== 0 && kernel.nameDuplicate(entry, first, room.index, indexed) !== 0,
  };
}
