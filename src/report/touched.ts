import { foldHalf } from '../parts/part-key.ts';
import type { Speller } from '../parts/spellings.ts';
import type { ReportInput } from './input.ts';

/**
 * Which of the `wanted` brands have rows among the issues and rejections of a run, spelled as they were wanted; case,
 * spaces, dashes and dots make no difference, nor do spellings that stand for one brand. Memory grows with `wanted` only.
 */
export async function brandsTouched(
  input: Pick<ReportInput, 'issues' | 'rejections' | 'columns'>,
  wanted: Iterable<string>,
  spell: Speller,
): Promise<Set<string>> {
  const fold = (brand: string) => foldHalf(spell(brand));
  const open = Map.groupBy(wanted, fold);
  const touched = new Set<string>();
  const meet = (brand: string | null | undefined) => {
    const folded = fold(brand ?? '');
    for (const spelling of open.get(folded) ?? []) touched.add(spelling);
    open.delete(folded);
  };
  const brandAt = input.columns.issues.indexOf('brand');
  for await (const issue of input.issues()) {
    if (open.size === 0) return touched;
    meet(issue.cells?.[brandAt]);
  }
  for await (const rejection of input.rejections()) {
    if (open.size === 0) return touched;
    meet(rejection.brand);
  }
  return touched;
}
