import type { ReportInput } from './input.ts';

/** The JSON report: the run's answer as `show --json` gives it, with its timeline under `events`. */
export function jsonReport({ answer, events }: Pick<ReportInput, 'answer' | 'events'>): string {
  return `${JSON.stringify({ ...answer, events }, null, 2)}\n`;
}
