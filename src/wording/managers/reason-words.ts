import type { Language } from '../language/language.ts';
import type { MissingRows, RunReason } from '../reasons/run-reasons.ts';
import { unsureCellsWords, unsureColumnsWords } from './column-words.ts';
import { guardText } from './guard-words.ts';

/** The facts of a reason with this code. */
type Facts<Code extends RunReason['code']> = Extract<RunReason, { code: Code }>;

/** What a reason says to managers, in whole sentences; null where its facts are technical and the cause's headline says more. */
export function reasonText(reason: RunReason, language: Language): string | null {
  const say = SAYINGS[reason.code] as (facts: RunReason, language: Language) => string | null;
  return say(reason, language);
}

const SAYINGS: { [Code in RunReason['code']]: (facts: Facts<Code>, language: Language) => string | null } = {
  found: () => null,
  'unsure-columns': unsureColumnsWords,
  'unsure-cells': unsureCellsWords,
  guard: ({ tripped }, language) => guardText(tripped, language),
  failed: () => null,
  'process-died': ({ times }, { say }) => say('run.why.process-died', { count: times }),
  superseded: (_, { say }) => say('run.why.superseded'),
  'same-file': ({ missing, uncertain, unseenSince }, language) => {
    const { say, moment } = language;
    return [
      say('run.why.same-file'),
      ...(uncertain === null ? lossTexts(missing, language) : [say('run.why.uncertain')]),
      ...(unseenSince === null ? [] : [say('run.why.unseen', { since: moment(unseenSince) })]),
    ].join(' ');
  },
  'same-dataset': ({ missing }, language) =>
    [language.say('run.headline.same-dataset'), ...lossTexts(missing, language)].join(' '),
  'older-file': ({ file, known, isLive }, { say, moment }) => {
    const unnamed = say('run.why.older-file.unnamed');
    return say('run.why.older-file', {
      file: file.name ?? unnamed,
      at: moment(file.at),
      known: known.name ?? unnamed,
      since: moment(known.at),
      state: isLive ? 'live' : 'waiting',
    });
  },
  correction: ({ rows, matching, accepted, missing, file }, { say }) => {
    const numbers = say('run.why.correction', { rows, matching, accepted, missing, file });
    return `${say('run.headline.correction')} ${numbers}`;
  },
  'feed-frozen': ({ at, who, reason }, { say, moment }) => say('run.why.frozen', { at: moment(at), who, reason }),
  rejected: ({ who, reason }, { say }) => say('run.why.turned-down', { who, reason }),
  'credentials-refused': ({ at }, { say, moment }) => say('run.why.credentials', { since: moment(at) }),
  unreachable: (_, { say }) => say('run.why.unreachable'),
  unsent: (_, { say }) => say('run.why.unsent'),
  'outcome-unknown': () => null,
  'rows-damaged': () => null,
  partial: ({ rejectedLocally, rejectedRemotely, unexplained }, { say }) =>
    [
      ...(rejectedLocally === 0 ? [] : [say('run.why.partial.here', { count: rejectedLocally })]),
      ...(rejectedRemotely === 0 ? [] : [say('run.why.partial.there', { count: rejectedRemotely })]),
      ...(unexplained === 0 ? [] : [say('run.why.partial.unexplained', { count: unexplained })]),
    ].join(' '),
  unproved: ({ failed }, { say }) => say('run.why.unproved', { count: failed.length }),
  'upload-refused': () => null,
  'upload-failed': () => null,
  'upload-aborted': () => null,
  'failed-together': () => null,
};

/** Which rows of a file that was uploaded before are not live. */
function lossTexts(missing: MissingRows | null, { say }: Language): string[] {
  if (missing === null) return [];
  const { rejectedRemotely, outranked, unexplained } = missing;
  return [
    ...(rejectedRemotely === 0 ? [] : [say('run.why.missing.rejected', { count: rejectedRemotely })]),
    ...(outranked === 0 ? [] : [say('run.why.missing.outranked', { count: outranked })]),
    ...(unexplained === 0 ? [] : [say('run.why.missing.unexplained', { count: unexplained })]),
  ];
}
