import { dictionary } from '../../../io/dictionary.ts';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import type { AmountMarks, Detection, RulePlan } from '../../../model.ts';
import { findSignals } from '../../../signals/find-columns.ts';
import { marksOf } from '../../../values/amounts.ts';
import { askedIn } from '../../../validate/rules/fields.ts';
import { scanFile, sourceOf } from '../../../validate/scan/scan-file.ts';
import { namedColumns } from './named-columns.ts';
import type { RuleColumnProblem } from '../../../wording/reasons/rule-reasons.ts';

/** So many rows show how the numbers of a column are written. */
const SAMPLE = 2000;
/** So many columns are named in a message. */
const SHOWN = 20;

/** Settings with the places of the columns that rules ask for, or the first column that is not there. */
export type PlannedRules = { settings: ReadSettings } | { problem: RuleColumnProblem };

/** Finds the columns that the rules of a feed ask for in a file, or in each of several, and how their numbers are written. */
export async function planRules(settings: ReadSettings, detection: Detection, path: string): Promise<PlannedRules> {
  const { rules } = settings;
  if (rules.length === 0) return { settings };
  const plan: RulePlan = { price: null, stock: null, columns: {}, marks: {} };
  const asked = askedIn(rules);
  for (const { field, tests } of asked) {
    if (typeof field === 'string' && field !== 'price' && field !== 'stock') continue;
    const name = typeof field === 'string' ? field : field.column;
    const found = typeof field === 'string' ? seenColumn(field, settings, detection) : namedColumns(name, detection);
    const isSeen = typeof field === 'string';
    if (found.length !== 1) return { problem: problemOf(name, found, { settings, detection, isSeen }) };
    const place = found[0]!;
    const lacking = detection.files?.find(({ places }) => !places.includes(place));
    if (lacking !== undefined) {
      const problem = problemOf(name, [], { settings, detection: lacking.written, isSeen });
      return { problem: { ...problem, file: lacking.name } };
    }
    if (typeof field === 'string') plan[field] = place;
    else plan.columns[name] = place;
    if (field === 'price' || tests.some(({ test }) => test === 'below' || test === 'above'))
      plan.marks[place] = NO_MARKS;
  }
  if (Object.keys(plan.marks).length > 0)
    plan.marks = await readMarks(Object.keys(plan.marks).map(Number), { path, detection, settings });
  return { settings: { ...settings, rulePlan: plan } };
}

const NO_MARKS: AmountMarks = { '.': 'decimal', ',': 'decimal' };

/** The column of prices or stock, as signals find it. */
function seenColumn(
  kind: 'price' | 'stock',
  { signals }: ReadSettings,
  { columns, width, mapping }: Detection,
): number[] {
  const setting = signals?.[kind] ?? 'auto';
  const used = mapping.filter(({ sure }) => sure).map(({ position }) => position - 1);
  const asked = { price: 'off', stock: 'off', [kind]: setting === 'off' ? 'auto' : setting };
  const found = findSignals(asked, { header: columns, width, used })[kind];
  return found === null ? [] : [found.position - 1];
}

function problemOf(
  column: string,
  found: number[],
  { settings, detection, isSeen }: { settings: ReadSettings; detection: Pick<Detection, 'columns'>; isSeen: boolean },
): RuleColumnProblem {
  const keyOf = JSON.stringify(isSeen ? column : { column });
  const rule = settings.rules.find((one) => askedIn([one]).some(({ field }) => JSON.stringify(field) === keyOf))!.name;
  const places = found.length > 1 ? found : detection.columns.map((_name, at) => at);
  const names = places
    .slice(0, SHOWN)
    .map((at) => `"${(detection.columns[at] ?? '').trim().slice(0, 60)}" (column ${at + 1})`);
  const more = places.length - names.length;
  return {
    rule,
    column,
    isSeen,
    isMissing: found.length === 0,
    found: [...names, ...(more > 0 ? [`and ${more} more`] : [])],
  };
}

type File = { path: string; detection: Detection; settings: ReadSettings };

/** How the numbers of columns are written, by the first rows. */
async function readMarks(places: number[], file: File): Promise<RulePlan['marks']> {
  const cells = new Map(places.map((place) => [place, [] as string[]]));
  let rows = 0;
  reading: for await (const batch of scanFile(file, sourceOf(file))) {
    for (const row of batch) {
      for (const [place, found] of cells) if (row.cells[place] !== undefined) found.push(row.cells[place]);
      rows += 1;
      if (rows > SAMPLE) break reading;
    }
  }
  return dictionary([...cells].map(([place, found]) => [String(place), marksOf(found)]));
}
