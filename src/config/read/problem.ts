import { OfferlineError } from '../../errors.ts';
import type { Path } from './path.ts';

/**
 * Something wrong with a setting, found without knowing where in the file it is written. `missing`: the value is not there, which
 * matters only to those who use it.
 */
export type Finding = { path: Path; message: string; at?: 'key'; missing?: true };

/** Something wrong with the configuration, with its place; line and column count from 1, 0 when there is no place. */
export type Problem = { file: string; line: number; column: number; path: string; message: string };

/** One line per problem: `FILE:LINE:COL  PATH  message`. */
export function showProblems(problems: Problem[]): string {
  return problems
    .map(({ file, line, column, path, message }) =>
      [line === 0 ? file : `${file}:${line}:${column}`, ...(path === '' ? [] : [path]), message].join('  '),
    )
    .join('\n');
}

/** The error that carries every problem of the configuration in `file`, in the order of the file; those of files that it names follow. */
export function configError(
  file: string,
  problems: Problem[],
  options: { warnings?: Problem[]; cause?: unknown } = {},
): OfferlineError {
  const { warnings = [], cause } = options;
  const isElsewhere = (problem: Problem) => problem.line > 0 && problem.file !== file;
  const elsewhere = Map.groupBy(problems.filter(isElsewhere), (problem) => problem.file);
  const own = problems.filter((problem) => !isElsewhere(problem));
  const sorted = [own, ...elsewhere.values()].flatMap(inOrder);
  return new OfferlineError('config', showProblems(sorted), { details: { file, problems: sorted, warnings }, cause });
}

/** Problems in the order of the file. */
export function inOrder(problems: Problem[]): Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
