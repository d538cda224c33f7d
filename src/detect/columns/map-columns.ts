import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { matchNames } from '../../config/schema/match-names.ts';
import type { ColumnMapping } from '../../model.ts';
import { columnEvidence, type ColumnEvidence } from '../../wording/column-evidence.ts';
import { profileColumns } from './column-profile.ts';
import { JUDGES, type Fitness, type MakerKind } from './judge-column.ts';

/** A table as detection found it: its header cells (empty when there is none), the width of most rows, and some of its rows. */
export type FoundTable = { header: string[]; width: number; rows: string[][] };

/**
 * Says which column of a file holds what: at most one entry for each offer column, none for one that the file lacks. Exact names
 * decide. What they leave open is judged by names and content together; unless no other column can be meant, the best one is
 * only proposed. Pure, apart from `makers`, which is asked for only when something is open.
 */
export async function mapColumns(
  columns: ColumnSettings[],
  table: FoundTable,
  makers: () => Promise<MakerKind>,
): Promise<ColumnMapping[]> {
  const { header, width } = table;
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  const matches = matchNames(columns, cells).map(([index]) => index);
  const open = columns.filter(
    ({ key, position }, at) => matches[at] === undefined && position === null && isKnown(key),
  );
  const judged = open.length === 0 ? new Map<string, Judged>() : judge(open, table, matches, await makers());
  return columns.flatMap((column, at) => {
    const index = matches[at];
    if (index !== undefined) return [mapped(column.key, index, cells, true, exactEvidence(column, cells[index]!))];
    const found = judged.get(column.key);
    return found === undefined ? [] : [mapped(column.key, found.index, cells, found.sure, found.evidence)];
  });
}

function isKnown(key: string): boolean {
  return Object.hasOwn(JUDGES, key);
}

function exactEvidence({ position }: ColumnSettings, name: string): ColumnEvidence {
  return position === null ? { code: 'known-name', name: name.trim() } : { code: 'set-position', position };
}

function mapped(key: string, index: number, cells: string[], sure: boolean, evidence: ColumnEvidence): ColumnMapping {
  const name = cells[index]?.trim() ?? '';
  return { key, column: name === '' ? null : name, position: index + 1, sure, evidence: columnEvidence(evidence) };
}

type Judged = { index: number; sure: boolean; evidence: ColumnEvidence };

/** The most certain pair of columns first; no column of the file is taken twice. */
function judge(
  open: ColumnSettings[],
  { header, width, rows }: FoundTable,
  matches: (number | undefined)[],
  makerKind: MakerKind,
): Map<string, Judged> {
  const free = profileColumns(header, width, rows).filter(({ index }) => !matches.includes(index));
  const fits = open.map(({ key }) => ({
    key,
    found: free
      .map((profile) => JUDGES[key]!(profile, makerKind))
      .filter((fit) => fit !== null)
      .filter(isWorthProposing)
      .sort((a, b) => weight(b) - weight(a) || a.profile.index - b.profile.index),
  }));
  const judged = new Map<string, Judged>();
  const taken = new Set<number>();
  fits.sort((a, b) => weightOfBest(b.found) - weightOfBest(a.found));
  for (const { key, found } of fits) {
    const [best, ...others] = found.filter(({ profile }) => !taken.has(profile.index));
    if (best === undefined) continue;
    taken.add(best.profile.index);
    const rival = others.find((other) => rivals(best, other));
    const hasHeader = header.length > 0;
    judged.set(key, {
      index: best.profile.index,
      sure: hasHeader && isSure(best) && rival === undefined,
      evidence: {
        code: 'judged',
        named: best.named > 0,
        content: best.evidence,
        rival: rival === undefined || rival.profile.name === '' ? null : rival.profile.name,
      },
    });
  }
  return judged;
}

/** Content that few columns have by chance. */
const TELLING = 0.6;

function isWorthProposing({ named, content, plausible }: Fitness): boolean {
  return named >= 2 || (plausible && (named > 0 || content >= TELLING));
}

function weight({ named, content, plausible }: Fitness): number {
  return named + content * 2 + (plausible ? 1 : 0);
}

function weightOfBest(found: Fitness[]): number {
  return found[0] === undefined ? 0 : weight(found[0]);
}

/** The whole name says what it is and the cells do not contradict, or a word of the name and most cells say the same. */
function isSure({ named, content, plausible }: Fitness): boolean {
  return plausible && (named === 3 || (named === 2 && content >= TELLING));
}

/** Another column that a careful person would have to look at before deciding. */
function rivals(best: Fitness, other: Fitness): boolean {
  if (!other.plausible) return false;
  return other.named >= best.named || other.named >= 2 || other.content >= best.content + 0.3;
}
