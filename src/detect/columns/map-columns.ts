import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName, matchNames, namedByConfiguration } from '../../config/schema/match-names.ts';
import type { AcceptedColumns, ColumnMapping } from '../../model.ts';
import { columnEvidence, type ColumnEvidence } from '../../wording/columns/column-evidence.ts';
import { profileColumns, type ColumnProfile } from './column-profile.ts';
import { JUDGES, makersIn, type Fitness, type Makers } from './judge-column.ts';

/** A table as detection found it: its header cells (empty when there is none), the width of most rows, and some of its rows. */
export type FoundTable = { header: string[]; width: number; rows: string[][] };

/** Where a column of the offer file is, and why. */
type Found = { index: number; sure: boolean; evidence: ColumnEvidence };

type Judged = Found & { evidence: Extract<ColumnEvidence, { code: 'judged' }> };

/** What is known beside the table. */
export type KnownBeside = {
  /** The columns that people accepted for its header. */
  accepted: AcceptedColumns | undefined;
  /** The feed's live delivery has the same header: what its exact names mean has been decided. */
  isLive: boolean;
  /** Asked for when needed. */
  makers: () => Promise<Makers>;
};

/**
 * Says which column of a file holds what: at most one entry for each offer column, none for one that the file lacks. The
 * configuration decides, then what people accepted, then the exact names that are known by default. What they leave open is
 * judged by names and content together; unless no other column can be meant, the best one is only proposed.
 */
export async function mapColumns(
  columns: ColumnSettings[],
  table: FoundTable,
  { accepted, isLive, makers }: KnownBeside,
): Promise<ColumnMapping[]> {
  const { header, width, rows } = table;
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  const found = decidedColumns(columns, cells, accepted);
  const open = columns.filter(({ key, position }) => position === null && !found.has(key) && isJudged(key));
  const doubtful = isLive && header.length > 0 ? [] : columns.filter((column) => isDoubtful(column, found));
  if (open.length + doubtful.length > 0) {
    const known = [...open, ...doubtful].some(({ required }) => required) ? await makers() : NO_MAKERS;
    const doubted = new Map<string, string>();
    const profiles = profileColumns(header, width, rows);
    const exact = new Map([...found].map(([key, { index }]) => [key, profiles[index]!]));
    const used = new Set(exact.values());
    const unused = profiles.filter((profile) => !used.has(profile));
    const misnamed = doubtful.filter(({ key }) => isMisnamed(key, exact.get(key)!, unused, known));
    for (const { key } of misnamed) {
      const profile = exact.get(key)!;
      const content = isLetterless(key, profile, known)
        ? ({ looks: 'letterless', share: 1 - profile.lettered, values: profile.values } as const)
        : (JUDGES[key]!(profile, known)?.evidence ?? null);
      found.set(key, {
        ...found.get(key)!,
        sure: false,
        evidence: { code: 'judged', named: true, content, rival: null },
      });
      doubted.set(key, profile.name);
    }
    // The columns that contradict their names may be swapped among themselves.
    const swapped = misnamed.length < 2 ? [] : misnamed.map(({ key }) => nameless(exact.get(key)!));
    const judged = judgeColumns([...misnamed, ...open], [...unused, ...swapped], known);
    for (const [key, best] of judged) {
      const owner = misnamed.find((other) => other.key !== key && exact.get(other.key)!.index === best.index);
      // A column that another one still holds is no proposal.
      if (owner !== undefined && !judged.has(owner.key)) continue;
      const rival = doubted.get(key) ?? best.evidence.rival;
      const sure = best.sure && header.length > 0 && !doubted.has(key);
      found.set(key, { ...best, sure, evidence: { ...best.evidence, rival } });
    }
  }
  return columns.flatMap(({ key }) => {
    const one = found.get(key);
    if (one === undefined) return [];
    const name = cells[one.index]?.trim() ?? '';
    const column = name === '' ? null : name;
    return [{ key, column, position: one.index + 1, sure: one.sure, evidence: columnEvidence(one.evidence) }];
  });
}

/** The columns about which nothing is left to judge. */
function decidedColumns(
  columns: ColumnSettings[],
  cells: string[],
  accepted: AcceptedColumns | undefined,
): Map<string, Found> {
  const found = exactColumns(columns, cells);
  if (accepted === undefined) return found;
  const configured = exactColumns(namedByConfiguration(columns), cells);
  const places = [...configured.values()].map(({ index }) => index);
  const taken = accepted.columns.filter(({ key, position }) => !configured.has(key) && !places.includes(position - 1));
  for (const [key, { index }] of found) {
    if (taken.some(({ position }) => position - 1 === index)) found.delete(key);
  }
  const { who, at, reason } = accepted;
  for (const { key, position } of taken) {
    found.set(key, { index: position - 1, sure: true, evidence: { code: 'accepted', who, at, reason } });
  }
  return found;
}

function exactColumns(columns: ColumnSettings[], cells: string[]): Map<string, Found> {
  const matches = matchNames(columns, cells);
  return new Map(
    columns.flatMap((column, at) => {
      const { key, position } = column;
      const index = matches[at]![0];
      if (index === undefined) return [];
      const name = cells[index]!.trim();
      const evidence: ColumnEvidence =
        position === null
          ? { code: 'known-name', name, configured: isConfigured(column, name) }
          : { code: 'set-position', position };
      return [[key, { index, sure: true, evidence }] as const];
    }),
  );
}

/** What only the judgement of brands asks for. */
const NO_MAKERS: Makers = { makerKind: () => null, isNoMakerEvidence: () => false };

/** Columns that a configuration adds have no meaning beyond their names. */
function isJudged(key: string): boolean {
  return Object.hasOwn(JUDGES, key);
}

/** A required column that was found by a name known by default. Names of the configuration are never doubted. */
function isDoubtful({ key, required }: ColumnSettings, found: Map<string, Found>): boolean {
  const evidence = found.get(key)?.evidence;
  return required && isJudged(key) && evidence?.code === 'known-name' && !evidence.configured;
}

function isConfigured({ configured }: ColumnSettings, name: string): boolean {
  const folded = foldExactName(name);
  return configured.some((spelling) => foldExactName(spelling) === folded);
}

/**
 * Row numbers under `номер` beside part numbers, makes of cars under `marca` beside makers of parts, a shop's own numbers under
 * `Artikelnummer` beside those of the makers.
 */
function isMisnamed(key: string, profile: ColumnProfile, free: ColumnProfile[], makers: Makers): boolean {
  const judge = JUDGES[key]!;
  const own = judge(profile, makers);
  if (own?.contradicted === true || isLetterless(key, profile, makers)) return true;
  const others = free.map((other) => judge(other, makers)).filter((fitness) => fitness !== null);
  const telling = others.filter(({ plausible, content }) => plausible && content >= TELLING);
  if (key !== 'brand') {
    const areBarcodes = profile.barcodes >= TELLING || (profile.length === BARCODE && profile.numbers >= TELLING);
    const isUnlikely = own?.absurd === true || areBarcodes;
    return telling.some(({ named }) => isUnlikely || named >= 2);
  }
  const areVehicles = own?.evidence?.looks === 'vehicle-makers';
  if (areVehicles && others.some(({ named, content }) => named >= 2 || content >= TELLING)) return true;
  const hasNone = own === null || own.content === 0;
  return (own?.absurd ?? true) && telling.some(({ named }) => hasNone || named >= 2);
}

/** Digits of a barcode, also of one whose check digit is wrong. */
const BARCODE = 13;

/** A column as its cells alone show it. */
function nameless(profile: ColumnProfile): ColumnProfile {
  return { ...profile, means: new Map() };
}

/** Brands have letters, but for a few that are known makers (`555`): what has none is a number, or a code of the supplier. */
function isLetterless(key: string, profile: ColumnProfile, makers: Makers): boolean {
  return key === 'brand' && profile.values > 0 && profile.lettered < 0.5 && makersIn(profile, makers).parts < 0.5;
}

/** The most certain pair of columns first; no column of the file is taken twice. */
function judgeColumns(open: ColumnSettings[], free: ColumnProfile[], makers: Makers): Map<string, Judged> {
  const fits = open.map(({ key }) => {
    const fitnesses = free.map((profile) => JUDGES[key]!(profile, makers)).filter((one) => one !== null);
    const isPossible = (one: Fitness) => isWorthProposing(one) && !(one.contradicted && key === 'brand');
    const ranked = fitnesses.filter(isPossible).sort((a, b) => weight(b) - weight(a));
    return { key, ranked, most: ranked[0] === undefined ? 0 : weight(ranked[0]) };
  });
  fits.sort((a, b) => b.most - a.most);
  const judged = new Map<string, Judged>();
  const taken = new Set<number>();
  for (const { key, ranked } of fits) {
    const [best, ...others] = ranked.filter(({ profile }) => !taken.has(profile.index));
    if (best === undefined) continue;
    taken.add(best.profile.index);
    const rival = others.find((other) => isRival(best, other));
    const { named, evidence: content } = best;
    judged.set(key, {
      index: best.profile.index,
      sure: isSure(best) && rival === undefined,
      evidence: { code: 'judged', named: named > 0, content, rival: rival?.profile.name || null },
    });
  }
  return judged;
}

/** Content that few columns have by chance. */
const TELLING = 0.6;
/** A column with so much more of it is the better one, whatever the names say. */
const CLEARLY_MORE = 0.3;

function isWorthProposing({ named, content, plausible, contradicted }: Fitness): boolean {
  return (!contradicted || named === 3) && (named >= 2 || (plausible && named > 0) || content >= TELLING);
}

function weight({ named, content, plausible }: Fitness): number {
  return named + content * 2 + (plausible ? 1 : 0);
}

/** The whole name says what it is, and the cells do not contradict it. A word of a name says too little. */
function isSure({ named, plausible }: Fitness): boolean {
  return plausible && named === 3;
}

/** Another column that a careful person would look at before deciding. */
function isRival(best: Fitness, other: Fitness): boolean {
  if (other.named >= Math.max(best.named, 2)) return true;
  if (!other.plausible) return false;
  // A column whose name is not known may be anything that it looks like.
  const isUnknown = other.profile.means.size === 0 && other.evidence?.looks === 'part-numbers';
  return other.named >= 1 || other.content >= best.content + (isUnknown ? 0 : CLEARLY_MORE);
}
