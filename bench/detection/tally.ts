/** What a detector said about one file: `right`, `wrong`, or that it does not know. */
export type Verdict = {
  /** The best guess is right, whether the detector is sure of it or not. */
  isRight: boolean;
  isSure: boolean;
};

type Counts = { files: number; right: number; unsure: number; wrong: number };

/** Counts verdicts by measure and detector. `wrong` is a wrong guess that claims to be sure: the worst outcome. */
export function tallies() {
  const measures = new Map<string, Map<string, Counts>>();
  return {
    add(measure: string, detector: string, { isRight, isSure }: Verdict): void {
      const detectors = measures.get(measure) ?? new Map<string, Counts>();
      measures.set(measure, detectors);
      const counts = detectors.get(detector) ?? { files: 0, right: 0, unsure: 0, wrong: 0 };
      detectors.set(detector, counts);
      counts.files += 1;
      if (isRight) counts.right += 1;
      if (!isSure) counts.unsure += 1;
      else if (!isRight) counts.wrong += 1;
    },
    /** A Markdown table: a line per measure, a column per detector, `right % (unsure, wrong)` in each cell. */
    table(order: string[]): string {
      const rows = [
        ['', 'files', ...order],
        ['---', '--:', ...order.map(() => '---')],
      ];
      for (const [measure, detectors] of measures) {
        const files = Math.max(...Array.from(detectors.values(), ({ files }) => files));
        rows.push([measure, String(files), ...order.map((name) => shown(detectors.get(name)))]);
      }
      return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
    },
  };
}

export type Tallies = ReturnType<typeof tallies>;

function shown(counts: Counts | undefined): string {
  if (counts === undefined) return '';
  const { files, right, unsure, wrong } = counts;
  return `${((100 * right) / files).toFixed(2)} (${unsure}, ${wrong})`;
}
