import { INCIDENTS } from '../../incidents.ts';
import type { IncidentAnswer } from '../../jobs/standing/incident-answer.ts';
import { printable, printableText } from '../../wording/printable.ts';
import { showTime } from '../../wording/words.ts';
import { paint } from '../tone.ts';

/** An incident for a terminal: what, since when, who works on it, what it means, what next. */
export function showIncident(answer: IncidentAnswer): string {
  const { incident, sentence, since, until, recovery, times, lastSeen, meaning, steps, notes } = answer;
  const seen = times === 1 ? '' : `, seen ${times} times, last ${showTime(lastSeen)}`;
  const over = until === null ? [] : [`  until ${showTime(until)}: ${printable(recovery ?? '')}`];
  const next = until === null ? [`  ${meaning}`, ...steps.map((step) => `  - ${step.replaceAll('`', '')}`)] : [];
  return [
    printable(sentence),
    `  since ${showTime(since)} UTC${seen}`,
    `  incident ${incident}`,
    ...over,
    ...workLines(answer).map((line) => `  ${line}`),
    ...notes.map(
      ({ at, who, text }) => `  ${showTime(at)} ${printable(who)}: ${printable(text.replaceAll(/\s+/gu, ' '))}`,
    ),
    ...next,
  ].join('\n');
}

/** Who works on it and until when nobody is reminded. */
function workLines({ taken, quiet, until }: IncidentAnswer): string[] {
  return [
    ...(taken === null ? [] : [takenLine(taken, until !== null)]),
    ...(quiet === null ? [] : [`quiet until ${quietEnd(quiet)}, by ${printable(quiet.by)}`]),
  ];
}

type Taken = NonNullable<IncidentAnswer['taken']>;

function takenLine({ by, since, gone, hasMail, idle }: Taken, isOver: boolean): string {
  const who = `taken by ${printable(by)}, since ${showTime(since)}`;
  if (isOver || (!gone && hasMail)) return who;
  if (gone) return `${who}, who is no longer known here: nobody works on it`;
  return idle
    ? `${who}; no address is known, and others may be reminded, since it has been left alone for a day`
    : `${who}; no address is known, so nobody is reminded while something happens`;
}

function quietEnd({ until, ends }: NonNullable<IncidentAnswer['quiet']>): string {
  if (until === 'time') return showTime(ends);
  return `${until === 'delivery' ? 'the next delivery' : 'it gets worse'}, and until ${showTime(ends)} at most`;
}

/** Puts what is wrong, the first line of a shown incident, into its colour. */
export function paintHead(shown: string, { until, kind }: IncidentAnswer, color: boolean): string {
  const [head = '', ...rest] = printableText(shown).split('\n');
  const tone = until !== null ? 'quiet' : INCIDENTS[kind].severity === 'high' ? 'bad' : 'waiting';
  return [paint(tone, head, color), ...rest].join('\n');
}
