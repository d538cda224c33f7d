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
  found: knownText,
  'unsure-columns': unsureColumnsWords,
  'unsure-cells': unsureCellsWords,
  'rule-column': ({ rule, column, isSeen, isMissing, file }, { say }) => {
    const kind = isSeen ? column : 'other';
    const state = !isMissing ? 'several' : file === undefined ? 'missing' : 'lacking';
    return say('run.why.rule-column', { rule, column, kind, state, file: file ?? '' });
  },
  'rule-numbers': ({ column, rows, unreadable }, { say, percent }) =>
    say('run.why.rule-numbers', { column, rows, unreadable, share: percent(unreadable / rows) }),
  'rule-emptied': ({ column, rows, empty, before }, { say, percent }) =>
    say('run.why.rule-emptied', { column, rows, empty, was: percent(before.empty / before.rows) }),
  guard: ({ tripped }, language) => guardText(tripped, language),
  'new-checks': ({ rows, read, checks }, { say, percent, list, knows }) => {
    const found = checks.map(({ code, rows: lost, examples }) => {
      const key = `cause.${code}`;
      const cause = knows(key) ? say(key, { column: '', message: '' }) : code;
      return say('run.why.new-checks.one', {
        cause,
        count: lost,
        examples: list(examples.map(({ value }) => say('quoted', { text: value }))),
      });
    });
    return [say('run.why.new-checks', { rows, read, share: percent(rows / read) }), ...found].join(' ');
  },
  failed: knownText,
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
  'change-order': ({ why, file, other, missing }, { say, list }) =>
    say('run.why.change-order', { why, file, other: other ?? '', missing: list(missing) }),
  'same-changes': ({ file, other }, { say }) => say('run.why.same-changes', { file, other }),
  correction: ({ rows, matching, accepted, missing, file }, { say }) => {
    const numbers = say('run.why.correction', { rows, matching, accepted, missing, file });
    return `${say('run.headline.correction')} ${numbers}`;
  },
  'joined-file-old': ({ file, at }, { say, moment }) => say('run.why.joined-file-old', { file, at: moment(at) }),
  'files-missing': ({ file, missing, more }, { say, list }) =>
    say('run.why.files-missing', { file, missing: list(missing), more }),
  'joined-file-shrank': ({ file, before, after }, { say }) =>
    say('run.why.joined-file-shrank', { file, now: after.rows, of: after.of, before: before.rows, was: before.of }),
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

/** Refusals of files that have words; one that only a later version knows is told by the headline of the cause. */
const REFUSALS = [
  'file-empty',
  'file-too-large',
  'file-changed',
  'binary-file',
  'archive-too-large',
  'archive-nested',
  'zip-broken',
  'zip-encrypted',
  'wrong-password',
  'pgp-encrypted',
  'pgp-broken',
  'wrong-key',
  'unsigned',
  'wrong-signature',
  'program-missing',
  'archive-bomb',
  'archive-broken',
  'zip-empty',
  'zip-several-entries',
  'zip-no-match',
  'zip-traversal',
  'zip-symlink',
  'zip-overlap',
  'zip-method',
  'zip-bomb',
  'gzip-broken',
  'gzip-truncated',
  'gzip-bomb',
  'list-cut',
  'workbook-broken',
  'workbook-encrypted',
  'workbook-too-large',
  'xml-broken',
  'xml-dtd',
  'json-broken',
  'html-broken',
  'reading-too-long',
  'reading-too-large',
  'wrong-encoding',
  'too-many-columns',
  'no-records',
  'no-table',
  'sheet-missing',
  'files-differ',
  'change-column',
  'kind-unknown',
  'joined-file-missing',
  'joined-file-unusable',
];

const MB = 1024 * 1024;

/** What is known of a sentence that the source or the reader worded; null where there is nothing that managers are told. */
function knownText({ why }: Facts<'found' | 'failed'>, { say }: Language): string | null {
  // It may be damaged in the ledger.
  if (typeof why !== 'object' || why === null) return null;
  if ('refusal' in why) {
    // Hyphens are no part of a choice.
    return REFUSALS.includes(why.refusal) ? say('run.why.file', { refusal: why.refusal.replaceAll('-', '_') }) : null;
  }
  const { limit, most } = why;
  const count = limit === 'bytes' ? Math.max(1, Math.round(most / MB)) : limit === 'time' ? most / 60_000 : most;
  return say('run.why.limit', { limit, most: count });
}

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
