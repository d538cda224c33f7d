import type { Measured } from '../../test/support/suite/measure.ts';

/** Files that have a line of their own. */
const SHOWN = 60;

/** The page of results; files are ordered by their seconds, the longest first. */
export function suitePage(
  files: Measured[],
  { quick, rest, machine }: { quick: number; rest: number; machine: string },
): string {
  const sum = (of: (file: Measured) => number, some = files) => some.reduce((total, file) => total + of(file), 0);
  const whole = sum((file) => file.seconds);
  const share = (count: number) =>
    `${count} files hold ${Math.round((100 * sum((file) => file.seconds, files.slice(0, count))) / whole)} %`;
  const rows = files
    .slice(0, SHOWN)
    .map((file) => `| ${file.file} | ${file.seconds.toFixed(1)} | ${file.processor.toFixed(1)} | ${file.starts} |`);
  return [
    '# The suite',
    '',
    `\`npm run bench:suite\`: ${files.length} files on ${machine}, several side by side. \`npm test\` took ${Math.round(quick)} s,`,
    `\`npm run test:rest\` ${Math.round(rest)} s.`,
    `Their seconds add up to ${Math.round(whole)}, of processors to ${Math.round(sum((file) => file.processor))};`,
    `${sum((file) => file.starts)} programs were started by tests. ${share(11)}, ${share(41)}, ${share(81)}.`,
    '',
    `The ${SHOWN} longest:`,
    '',
    '| file | s | processor s | programs |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
