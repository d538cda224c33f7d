import type { Cause, Outcome, RunAnswer } from '../../model.ts';
import { CAUSES, usualCause } from '../causes.ts';
import type { Language, MessageKey } from '../language/language.ts';
import type { RunReason } from '../reasons/run-reasons.ts';
import { guardTitle } from './guard-words.ts';
import { reasonText } from './reason-words.ts';
import { offersRead } from '../words.ts';

/** How a run ended: its reason as a code with its facts, or as a sentence of an earlier version, which is not said to managers. */
export type RunEnd = { outcome: Outcome | null; cause: Cause; reason: RunReason | string | null };

/** A run as managers are told of it; a `RunAnswer` fits, but its reason says more with its facts, see `reasonOfRun`. */
export type ToldRun = RunEnd & Pick<RunAnswer, 'rows' | 'receipt'> & Partial<Pick<RunAnswer, 'leftOut'>>;

/** What a subject has room for beside what a mail program shows. */
const LONGEST_TITLE = 78;
/** What a supplier is cut to at the most. */
const SHORTEST_NAME = 12;

/**
 * What happened, as a subject or a heading says it: `Rhein GmbH: 600 of 1,201 parts offline, one cause`. A long name of a supplier
 * is cut where the whole would be longer than 78 characters. `causes`: of the lost rows; 0 when not known.
 */
export function runTitle(
  run: ToldRun,
  { supplier, causes }: { supplier: string; causes: number },
  language: Language,
): string {
  return fitted(supplier, (name) => {
    const { outcome } = run;
    if (outcome === 'live') return liveTitle(run, name, language);
    if (outcome === 'partial') return partialTitle(run, name, causes, language);
    return titleOfEnd(run, name, language);
  });
}

/** The title of a run by how it ended alone, for a reader who is told nothing of its rows. */
export function endTitle(end: RunEnd, supplier: string, language: Language): string {
  return fitted(supplier, (name) => titleOfEnd(end, name, language));
}

/** The same in a few words and without the supplier: `delivery held, 60% fewer parts`. */
export function endWords(end: RunEnd, language: Language): string {
  // Every title begins with the supplier and a colon; a test sees to it.
  return titleOfEnd(end, '', language).replace(/^\s*:\s*/u, '');
}

/** Why a run ended as it did, in whole sentences without technical facts; null where the title says it all. */
export function runWhy(end: RunEnd, language: Language): string | null {
  const reason = codedReason(end);
  const said = reason === null ? null : reasonText(reason, language);
  if (said !== null) return said;
  const cause = causeOf(end);
  if (cause === 'uploaded') return null;
  const headline = language.say(`run.headline.${cause}`);
  if (reason?.code !== 'failed' || reason.tries < 2) return headline;
  return `${headline} ${language.say('run.tried', { count: reason.tries })}`;
}

/** What the outcome means for what customers find, in whole sentences. */
export function runMeaning(run: ToldRun, language: Language): string {
  const cause = causeOf(run);
  if (cause !== 'uploaded') return language.say(`run.meaning.${cause}`);
  const meaning = run.outcome === 'partial' ? partialMeaning(run, language) : liveMeaning(run, language);
  return meaning.concat(leftOutMeaning(run, language)).join(' ');
}

/** What to do next and who does it, each step one or two sentences; none where there is nothing to say. */
export function runSteps(run: Omit<ToldRun, 'reason'>, language: Language): string[] {
  return stepsOf(run).map((key) => language.say(key));
}

/** The first of these steps in which somebody does something, for a reader who has room for one. */
export function runAction(run: Omit<ToldRun, 'reason'>, language: Language): string | null {
  const action = stepsOf(run).find((key) => !NO_ACTION.includes(key));
  return action === undefined ? null : language.say(action);
}

function stepsOf(run: Omit<ToldRun, 'reason'>): readonly MessageKey[] {
  const cause = causeOf(run);
  return cause === 'uploaded' ? stepsOfUploaded(run) : STEPS[cause];
}

/** An outcome in a word or two, as it stands in a badge or a legend. */
export function outcomeWord(outcome: Outcome | null, language: Language): string {
  return language.say(`run.outcome.${outcome ?? 'open'}`);
}

function titleOfEnd(end: RunEnd, supplier: string, language: Language): string {
  const reason = codedReason(end);
  const cause = causeOf(end);
  if (cause === 'uploaded') return `${supplier}: ${outcomeWord(end.outcome, language)}`;
  if (cause === 'guard' && reason?.code === 'guard') return guardTitle(reason.tripped, supplier, language);
  if (cause === 'correction' && reason?.code === 'correction') {
    return language.say('run.title.correctionOf', { supplier, count: reason.rows });
  }
  return language.say(`run.title.${cause}`, { supplier });
}

function codedReason({ reason }: RunEnd): RunReason | null {
  return typeof reason === 'string' ? null : reason;
}

function liveTitle({ rows, receipt }: ToldRun, supplier: string, { say }: Language): string {
  const facts = { supplier, count: rows.live };
  if (receipt?.verified === false) return say('run.title.unconfirmed', facts);
  return say(rows.live === offersRead(rows) && rows.live > 0 ? 'run.title.all' : 'run.title.online', facts);
}

function partialTitle({ rows }: ToldRun, supplier: string, causes: number, { say }: Language): string {
  const { lost, notTaken } = rejectedOf(rows);
  if (lost > 0) return say('run.title.offline', { supplier, lost, count: offersRead(rows), causes });
  if (notTaken > 0)
    return say('run.title.notTaken', { supplier, lost: notTaken, count: rows.read + rows.expanded, causes });
  return say('run.title.unexplained', { supplier, lost: rows.unexplained, count: offersRead(rows) });
}

/** Rows whose parts customers cannot find, and rows of changes that we do not take: their parts stay as they were. */
function rejectedOf({ rejectedLocally, rejectedRemotely, change }: ToldRun['rows']): {
  lost: number;
  notTaken: number;
} {
  return change === undefined
    ? { lost: rejectedLocally + rejectedRemotely, notTaken: 0 }
    : { lost: rejectedRemotely, notTaken: rejectedLocally };
}

function liveMeaning({ rows, receipt }: ToldRun, { say }: Language): string[] {
  if (receipt?.verified === false) return [say('run.meaning.unproved')];
  const double = rows.duplicates + rows.outranked;
  return [
    say(receipt === null ? 'run.meaning.live' : 'run.meaning.confirmed'),
    ...(double === 0 ? [] : [say('run.meaning.double', { count: double })]),
  ];
}

/** How many rows each rule left out. */
function leftOutMeaning({ leftOut = [] }: ToldRun, { say, list, number }: Language): string[] {
  if (leftOut.length === 0) return [];
  const rules = list(leftOut.map(({ rule, rows }) => `${say('quoted', { text: rule })} ${number(rows)}`));
  return [say('run.meaning.leftOut', { rules })];
}

function partialMeaning({ rows }: ToldRun, { say }: Language): string[] {
  const { lost, notTaken } = rejectedOf(rows);
  return [
    ...(lost === 0 ? [] : [say('run.meaning.partial', { lost })]),
    ...(notTaken === 0 ? [] : [say('run.meaning.notTaken', { count: notTaken })]),
    ...(lost + notTaken === 0 || rows.live === 0 || rows.unexplained > 0 ? [] : [say('run.meaning.others')]),
    ...(rows.unexplained === 0 ? [] : [say('run.meaning.unexplained', { count: rows.unexplained })]),
  ];
}

function stepsOfUploaded({ outcome, rows, receipt }: Omit<ToldRun, 'reason'>): MessageKey[] {
  const isPartial = outcome === 'partial';
  return [
    ...(isPartial && rows.rejectedLocally + rows.rejectedRemotely > 0 ? (['run.step.sendList'] as const) : []),
    ...(isPartial && rows.rejectedLocally > 0 ? (['run.step.mostFrequent'] as const) : []),
    ...(isPartial && rows.unexplained > 0 ? (['run.step.unexplained'] as const) : []),
    ...(receipt?.verified === false ? (['run.step.unconfirmed'] as const) : []),
  ];
}

const OURS = ['run.step.notAtFault', 'run.step.administrator'] as const;
const AFTER_UPLOAD = ['run.step.kept', 'run.step.uploadAgain'] as const;

/** What only says that the supplier does not have to do anything. */
const NO_ACTION: readonly MessageKey[] = ['run.step.notAtFault', 'run.step.kept'];

/** What to do about each cause of an end without rows of its own that are live. */
const STEPS: Record<Exclude<Cause, 'uploaded'>, readonly MessageKey[]> = {
  'at-work': [],
  approved: ['run.step.approved'],
  'same-file': [],
  'same-dataset': [],
  'no-file': ['run.step.due'],
  superseded: ['run.step.newer'],
  guard: ['run.step.complete', 'run.step.release'],
  'older-file': ['run.step.newerRight', 'run.step.releaseOlder'],
  order: ['run.step.missingChanges', 'run.step.releaseChanges'],
  correction: ['run.step.fullList', 'run.step.releaseFull'],
  unsure: ['run.step.reading', 'run.step.readingTell'],
  columns: ['run.step.columns', 'run.step.columnsTell'],
  cells: ['run.step.cells', 'run.step.cellsTell'],
  rules: ['run.step.rules', 'run.step.rulesTell'],
  frozen: ['run.step.hold', 'run.step.releaseHeld'],
  'file-unusable': ['run.step.goodFile', 'run.step.readOtherwise'],
  'turned-down': ['run.step.nextAlone'],
  'source-unreachable': ['run.step.serverWorks'],
  'source-refused': ['run.step.whereIsIt'],
  'source-credentials': ['run.step.access'],
  'disk-full': OURS,
  fault: OURS,
  'compose-failed': OURS,
  'damaged-archive': OURS,
  unsent: ['run.step.sentSoon', 'run.step.persists'],
  credentials: [...OURS, 'run.step.sentSoon'],
  'outcome-unknown': ['run.step.keepsChecking', 'run.step.noHand'],
  refused: AFTER_UPLOAD,
  'upload-failed': AFTER_UPLOAD,
  'upload-aborted': AFTER_UPLOAD,
  'failed-together': ['run.step.keepsChecking', 'run.step.persists'],
  unproved: ['run.step.kept', 'run.step.keepsChecking', 'run.step.persists'],
};

/** The cause, or the usual one of the outcome where only another version knows it. */
function causeOf({ outcome, cause }: Pick<RunEnd, 'outcome' | 'cause'>): Cause {
  return Object.hasOwn(CAUSES[outcome ?? 'open'], cause) ? cause : usualCause(outcome);
}

function fitted(supplier: string, title: (name: string) => string): string {
  const whole = title(supplier);
  const kept = Math.max(SHORTEST_NAME, supplier.length - (whole.length - LONGEST_TITLE) - 1);
  if (whole.length <= LONGEST_TITLE || kept >= supplier.length) return whole;
  return title(`${supplier.slice(0, kept).toWellFormed().trimEnd()}…`);
}
