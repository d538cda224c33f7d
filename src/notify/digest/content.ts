import { estimateText } from '../../wording/managers/estimate-words.ts';
import { gravestFirst } from '../../incidents.ts';
import type { Language } from '../../wording/language/language.ts';
import { incidentSteps, incidentTitle, incidentWhy } from '../../wording/managers/incident-words.ts';
import { workSentences } from '../../wording/managers/work-words.ts';
import { outcomeWord } from '../../wording/managers/run-words.ts';
import { short } from '../content/content.ts';
import type { DigestIncident, DigestInput, DigestSupplier } from './input.ts';
import { needsAttention, rejectedShare, worstFirst } from './rank.ts';
import { whyOf, type Why } from './why.ts';

/** One supplier: how it is called, how much of it is online, what else there is to know, and a bar of shares from 0 to 1. */
export type DigestLine = {
  name: string;
  live: string;
  /** Null where all is well. */
  why: Why | null;
  /** The page of the console about a supplier that needs attention, and what it is called; null where there is none. */
  link: [string, string] | null;
  facts: string[];
  bar: { live: number; rejected: number } | null;
};

/** What a digest says, before it is set as text or as HTML, so that both parts say the same. */
export type DigestContent = {
  sandbox: string | null;
  language: string;
  needsAttention: boolean;
  sentence: string;
  asOf: string;
  groups: { heading: string; lines: DigestLine[] }[];
  /** What was left out of the lines. */
  more: string | null;
  /** What the bars show, by colours and by signs; null without bars. */
  legend: { colors: string; signs: string } | null;
  incidents: { heading: string; items: { head: string; detail: string }[]; more: string | null };
  runs: string;
  /** The console, and what it is called; null where there is none. */
  link: [string, string] | null;
  /** For ops, and only where there is something to say. */
  technical: { heading: string; facts: [string, string][]; command: string } | null;
};

const TITLE_LENGTH = 160;
const DETAIL_LENGTH = 400;

/** What a digest says with at most so many suppliers, and as many incidents; what is left out is counted. */
export function digestContent(input: DigestInput, shown: number): DigestContent {
  const { suppliers, language, asOf, sandbox } = input;
  const { say } = language;
  const ranked = worstFirst(suppliers, language);
  const lines = ranked.slice(0, shown);
  const left = ranked.slice(shown);
  const [bad, good] = [lines.filter(needsAttention), lines.filter((one) => !needsAttention(one))];
  const group = (heading: string, of: DigestSupplier[]) =>
    of.length === 0 ? [] : [{ heading, lines: of.map((supplier) => lineOf(supplier, input)) }];
  return {
    sandbox: sandbox ? say('report.sandbox') : null,
    language: language.name,
    needsAttention: ranked.some(needsAttention),
    sentence: sentenceOf(input),
    asOf: say('digest.asOf', { moment: language.moment(asOf) }),
    groups: [...group(say('digest.attention'), bad), ...group(say('digest.fine'), good)],
    more:
      left.length === 0
        ? null
        : say('digest.more', { count: left.length, attention: left.filter(needsAttention).length }),
    legend: lines.some((line) => barOf(line) !== null)
      ? { colors: say('digest.legend.colors'), signs: say('digest.legend.signs') }
      : null,
    incidents: incidentList(input, shown),
    runs: runsText(input),
    link: input.console === null ? null : [say('mail.console'), `${input.console}/`],
    technical: technicalOf(input, shown),
  };
}

function sentenceOf({ every, suppliers, language: { say } }: DigestInput): string {
  const facts = { attention: suppliers.filter(needsAttention).length, suppliers: suppliers.length };
  const sentence = say('digest.subject', facts);
  return every === 'weekly' ? say('digest.week', { sentence }) : sentence;
}

function lineOf(supplier: DigestSupplier, { asOf, console, language }: DigestInput): DigestLine {
  const { feed, name, live, liveDayBefore, liveWeekBefore, file, known, proposals, pausedAt } = supplier;
  const { say } = language;
  const why = whyOf(supplier, language);
  const change = (before: number | null, key: 'digest.sinceDay' | 'digest.sinceWeek') =>
    live === null || before === null ? [] : [say(key, { change: signed(live - before, language) })];
  return {
    name,
    live: live === null ? say('digest.uncertain') : say('digest.live', { count: live }),
    why,
    link:
      why === null || console === null ? null : [say('digest.review'), `${console}/feeds/${encodeURIComponent(feed)}`],
    facts: [
      ...change(liveDayBefore, 'digest.sinceDay'),
      ...change(liveWeekBefore, 'digest.sinceWeek'),
      ...(file === null ? [] : [rejectedText(file.rejected, rejectedShare(supplier), language)]),
      ...(file === null || file.leftOut === 0 ? [] : [say('digest.leftOut', { count: file.leftOut })]),
      ...(known === null ? [] : [say('digest.known', { share: estimateText(known, language) })]),
      ageText(supplier, asOf, language),
      ...(proposals === 0 ? [] : [say('digest.proposals', { count: proposals })]),
      ...(pausedAt === null ? [] : [say('digest.paused', { day: language.day(pausedAt) })]),
    ],
    bar: barOf(supplier),
  };
}

/** The rest of the bar is what is not online for another reason: left out by rules, offered twice, another supplier shown. */
function barOf({ live, file }: DigestSupplier): DigestLine['bar'] {
  if (live === null || file === null || file.read === 0) return null;
  const share = Math.min(1, live / file.read);
  return { live: share, rejected: Math.min(1 - share, file.rejected / file.read) };
}

/** The least share that is shown: of less, no digit would be left. */
const LEAST_SHARE = 0.001;

function rejectedText(count: number, share: number, { say, percent }: Language): string {
  const shown = share < LEAST_SHARE ? `< ${percent(LEAST_SHARE)}` : percent(share);
  return say('digest.rejected', { count, share: shown });
}

function signed(change: number, { number }: Language): string {
  if (change === 0) return '±0';
  return `${change > 0 ? '+' : '−'}${number(Math.abs(change))}`;
}

function ageText(supplier: DigestSupplier, asOf: number, language: Language): string {
  const { deliveredAt, expectEvery, dueAt, isLate } = supplier;
  const { say, span, moment } = language;
  const age =
    deliveredAt === null
      ? say('digest.never')
      : say('digest.delivered', { span: span(Math.max(60_000, asOf - deliveredAt)) });
  if (dueAt !== null) return say(isLate ? 'digest.lateSince' : 'digest.nextDue', { age, moment: moment(dueAt) });
  if (expectEvery === null) return age;
  return say(isLate ? 'digest.late' : 'digest.inTime', { age, span: span(expectEvery) });
}

function incidentList({ incidents, language }: DigestInput, shown: number): DigestContent['incidents'] {
  const { say, moment } = language;
  const more = incidents.length - shown;
  const item = ({ supplier, openedAt, work, ...incident }: DigestIncident) => {
    const since = say('digest.since', { moment: moment(openedAt) });
    const [step = null] = incidentSteps(incident, language);
    const said = [since, ...workSentences(work, language, 'digest'), incidentWhy(incident, language), step].filter(
      (text) => text !== null,
    );
    return {
      head: short(incidentTitle(incident, { supplier }, language), TITLE_LENGTH),
      detail: short(said.join(' '), DETAIL_LENGTH),
    };
  };
  return {
    heading: say(incidents.length === 0 ? 'digest.noIncidents' : 'digest.incidents'),
    items: gravestFirst(incidents).slice(0, shown).map(item),
    more: more > 0 ? say('digest.moreIncidents', { count: more }) : null,
  };
}

function technicalOf(
  { audience, incidents, language: { say } }: DigestInput,
  shown: number,
): DigestContent['technical'] {
  if (audience !== 'ops' || incidents.length === 0) return null;
  const facts = gravestFirst(incidents)
    .slice(0, shown)
    .map(({ technical: [place, text] }): [string, string] => [place, short(text, TITLE_LENGTH)]);
  return { heading: say('report.technical.title'), facts, command: 'offerline incidents' };
}

/** Only how many there were: `12 runs: 10 online, 2 unchanged`. */
function runsText({ runs, since, language }: DigestInput): string {
  const { say, number, list, moment } = language;
  const count = runs.reduce((sum, ended) => sum + ended.runs, 0);
  const outcomes = runs
    .toSorted((a, b) => b.runs - a.runs)
    .map((ended) => `${number(ended.runs)} ${outcomeWord(ended.outcome, language)}`);
  const said = say('digest.runs', { count, moment: moment(since) });
  return count === 0 ? said : `${said}: ${list(outcomes)}`;
}
