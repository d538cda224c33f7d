import { keptCause, usualCause } from '../causes.ts';
import type { Language } from '../language/language.ts';
import { outcomeWord, runWhy, type RunEnd } from '../managers/run-words.ts';
import { reasonText } from '../managers/reason-words.ts';
import { reasonOfRun, type RunReason } from '../reasons/run-reasons.ts';
import { sayWith } from './kept-said.ts';
import type { Said } from './said.ts';

/** How a run ended, as far as the run itself says. */
export function endOfRun(run: Parameters<typeof keptCause>[0] & Parameters<typeof reasonOfRun>[0]): RunEnd {
  return { outcome: run.outcome, cause: keptCause(run) ?? usualCause(run.outcome), reason: reasonOfRun(run) };
}

/** Why a run ended as it did, with its technical facts; null where the outcome says it all. */
export function runSaid(end: RunEnd, language: Language): Said | null {
  const { reason } = end;
  const coded = typeof reason === 'string' ? null : reason;
  const text = (coded === null ? null : madeOf(TECHNICAL, coded, language)) ?? runWhy(end, language);
  const quoted = typeof reason === 'string' ? reason : coded === null ? null : madeOf(QUOTED, coded, language);
  if (text === null) return quoted === null ? null : sayWith(outcomeWord(end.outcome, language), quoted, language);
  return sayWith(text, quoted, language);
}

/** What is made of the facts of each code that has something to say. */
type Table<Made> = {
  [Code in RunReason['code']]?: (facts: Extract<RunReason, { code: Code }>, language: Language) => Made;
};

/** What managers are not told. */
const TECHNICAL: Table<string> = {
  'outcome-unknown': ({ upload }, { say }) => say('ops.run.outcome-unknown', { upload }),
  'rows-damaged': ({ path }, { say }) => say('ops.run.rows-damaged', { path }),
  unproved: ({ upload, failed }, { say }) => say('ops.run.unproved', { upload: String(upload), count: failed.length }),
  'upload-refused': ({ said }, { say }) =>
    said === null ? `${say('ops.run.upload-refused')} ${say('ops.run.no-reason')}` : say('ops.run.upload-refused'),
  'upload-failed': failedUpload,
  'upload-aborted': failedUpload,
  'failed-together': ({ feed }, { say }) => say('ops.run.failed-together', { feed }),
};

type FailedUpload = Extract<RunReason, { code: 'upload-failed' | 'upload-aborted' }>;

function failedUpload({ code, upload, said }: FailedUpload, { say }: Language): string {
  const failed = say(`ops.run.${code}`, { upload: String(upload) });
  return said === '' ? `${failed} ${say('ops.run.no-reason')}` : failed;
}

/** What the service, a server or a library said of it, where the reason keeps that. */
const QUOTED: Table<string | null> = {
  found: (reason, language) => (reasonText(reason, language) === null ? reason.text : null),
  failed: (reason, language) => (reasonText(reason, language) === null ? reason.said : null),
  unreachable: ({ note }) => note,
  unsent: ({ note }) => note,
  'outcome-unknown': ({ note }) => note,
  'credentials-refused': ({ said }) => said,
  'failed-together': ({ said }) => said,
  'upload-refused': ({ said }) => said,
  'upload-failed': ({ said }) => (said === '' ? null : said),
  'upload-aborted': ({ said }) => (said === '' ? null : said),
};

function madeOf<Made>(table: Table<Made>, reason: RunReason, language: Language): Made | null {
  const make = table[reason.code] as ((facts: RunReason, language: Language) => Made) | undefined;
  return make === undefined ? null : make(reason, language);
}
