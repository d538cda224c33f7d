import { wordsOf } from '../causes.ts';
import type { FoundCounts, LiveNow, ProvedRows, RunAnswer } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** What is live of the supplier now and since when, as pairs of a label and a text; first what came of this file where it did not get through. */
export function standingText(
  answer: Pick<RunAnswer, 'outcome' | 'cause' | 'now' | 'found'>,
  language: Language,
): [string, string][] {
  const own = answer.outcome === 'live' || answer.outcome === 'partial';
  const file = own ? null : fromFile(answer, language);
  const { found, now } = answer;
  const lines = nowLines(now, !own, language);
  if (found !== null) lines.push([language.say('now.search'), foundText(found, language)]);
  return file === null ? lines : [[language.say('now.fromFile'), file], ...lines];
}

/** What the search answered about a sample of the supplier's parts, in one sentence without a full stop. */
export function foundText(
  { at, asked, known, otherBrand, missing, namesShown }: FoundCounts,
  language: Language,
): string {
  const facts = { asked, known, other: otherBrand, missing, day: language.day(Date.parse(at)) };
  return language.say(namesShown ? 'now.search.known' : 'now.search.found', facts);
}

/** What is live from a file that did not get through; null when there is no file, or it is still being worked on. */
function fromFile({ outcome, cause, now }: Pick<RunAnswer, 'outcome' | 'cause' | 'now'>, { say }: Language) {
  if (outcome === null || cause === 'no-file') return null;
  if (outcome === 'unchanged') return say('now.nothingNew');
  return say(wordsOf(outcome, cause).stays || now.doubt === null ? 'now.nothing' : 'now.unknown');
}

function nowLines(now: LiveNow, still: boolean, language: Language): [string, string][] {
  const { live, rejectedRemotely, since, upload, doubt, proved } = now;
  const { say } = language;
  if (doubt !== null || live === null) {
    return [
      [say('now.live'), say('now.doubt')],
      [say('now.confirmed'), proved === null ? say('now.none') : liveText(proved, language)],
    ];
  }
  if (since === null) return [[say('now.live'), say('now.none')]];
  const text = liveText({ live, rejectedRemotely: rejectedRemotely ?? 0, since, upload }, language);
  return [[say(still && live > 0 ? 'now.still' : 'now.live'), text]];
}

function liveText({ live, rejectedRemotely, since }: ProvedRows, { say, moment }: Language): string {
  const parts = say('now.parts', { count: live, since: moment(Date.parse(since)) });
  if (rejectedRemotely === 0) return parts;
  return `${parts}; ${say(live === 0 ? 'now.rejected' : 'now.rejectedMore', { count: rejectedRemotely })}`;
}
