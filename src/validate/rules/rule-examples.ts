import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection, RuleAccount, RuleExample } from '../../model.ts';
import { shortened } from '../../wording/printable.ts';
import { placeIn } from '../../wording/files/place.ts';
import { batchesOf, beginReading } from '../checks/begin-reading.ts';
import type { RuledRow } from '../checks/check-row.ts';
import { parseRows } from '../checks/read-rows.ts';
import { createIssueLog } from '../issues/issue-log.ts';
import { sourceOf } from '../scan/scan-file.ts';

/** A file that was read, with what rules did to it: how many rows each acted on. */
type Ruled = {
  path: string;
  detection: Detection;
  settings: ReadSettings;
  isMaker?: ((text: string) => boolean) | undefined;
  signal?: AbortSignal | undefined;
};

const LONGEST = 120;

/**
 * The first rows on which each rule of a file acts, at most `most` of a rule, in the order of the rules. The file is read once more, only until all
 * of them are found, and nothing of it is kept.
 */
export async function ruleExamples(
  { path, detection, settings, isMaker, signal }: Ruled,
  { rules }: RuleAccount,
  most: number,
): Promise<RuleExample[][]> {
  const examples = rules.map((): RuleExample[] => []);
  let wanted = rules.reduce((sum, { rows }) => sum + Math.min(rows, most), 0);
  const keys = settings.columns.map(({ key }) => key);
  const take = (rule: number, row: RuledRow): void => {
    const found = examples[rule]!;
    if (found.length >= most) return;
    found.push(exampleOf(row, keys, detection));
    wanted -= 1;
  };
  const reading = beginReading({
    settings,
    detection,
    isMaker,
    onRule: take,
    earlierHeader: null,
    // Rules act before duplicates are found, and on each of them.
    parts: { size: 0, firstLine: () => undefined },
    rows: NOWHERE,
    issues: createIssueLog(NOWHERE, { layout: null, tables: detection.parts }),
  });
  const file = { path, detection, settings };
  if (wanted === 0) return examples;
  for await (const rows of batchesOf(file, sourceOf(file))) {
    parseRows(reading, rows);
    if (wanted <= 0 || reading.reason !== null || signal?.aborted === true) break;
  }
  return examples;
}

const NOWHERE = { write: () => undefined };

function exampleOf({ line, part, before, after }: RuledRow, keys: string[], { parts }: Detection): RuleExample {
  const cells = keys.flatMap((column, at) => {
    const [was, is] = [before[at] ?? '', after[at] ?? ''];
    return was === is ? [] : [{ column, before: shortened(was, LONGEST), after: shortened(is, LONGEST) }];
  });
  return { ...placeIn(parts, line), part: shortened(part, LONGEST), cells };
}
