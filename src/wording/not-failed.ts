import type { Causes } from '../model.ts';
import { both, type CauseWords } from './cause-words.ts';

const APPROVE = '`offerline approve {run} --reason "…" --wait`';

/** Why a run is open, or ended without an upload that went wrong. */
export const NOT_FAILED: { [O in Exclude<keyof Causes, 'failed'>]: Record<Causes[O], CauseWords> } = {
  open: {
    'at-work': {
      headline: 'at work',
      meaning: 'The run is still open; this is how far it got.',
      stays: true,
      steps: both(),
    },
    approved: {
      headline: 'its rows wait to be uploaded',
      meaning: 'It was held and is approved; its rows wait to be uploaded.',
      stays: true,
      steps: both('Nothing has to be decided: it ends as soon as these rows are live.'),
    },
  },
  live: {
    uploaded: { headline: 'its rows are live', meaning: '', stays: false, steps: both() },
  },
  partial: {
    uploaded: { headline: 'some of its rows are live', meaning: '', stays: false, steps: both() },
  },
  unchanged: {
    'same-file': {
      headline: 'the same as what is live, nothing was sent',
      meaning: 'Nothing was uploaded: the file is the one that was uploaded last.',
      stays: true,
      steps: both(),
    },
    'same-dataset': {
      headline: 'the same as what is live, nothing was sent',
      meaning: 'Nothing was uploaded: with this file the dataset would be the one that is live.',
      stays: true,
      steps: both(),
    },
  },
  nothing: {
    'no-file': {
      headline: 'no file is there',
      meaning: 'Nothing was uploaded.',
      stays: true,
      steps: both('If a delivery was due, ask the supplier for it.'),
    },
    superseded: {
      headline: 'a newer delivery took its place',
      meaning: 'Nothing of this file was uploaded.',
      stays: true,
      steps: both('Nothing has to be done. See what became of the newer one: `offerline runs --feed {feed}`'),
    },
  },
  held: {
    guard: {
      headline: 'a guard stopped it, and it waits for a decision',
      meaning: 'The file looks wrong, so nothing of it was uploaded.',
      stays: true,
      steps: {
        managers: [
          'If the file is wrong, ask the supplier for a complete one; the next good delivery goes through by itself.',
          `If the file is right, have it released: ${APPROVE}`,
        ],
        ops: [
          `If the file is right as it is, release it: ${APPROVE}`,
          'If it is wrong, have the supplier send a complete one; the next good delivery goes through by itself.',
        ],
      },
    },
    'older-file': {
      headline: 'it is older than a file that came before it',
      meaning: 'The newer file counts, so nothing of this one was uploaded.',
      stays: true,
      steps: both(
        'If the newer file is the right one, nothing has to be done.',
        `If the older one is right all the same, release it: ${APPROVE}`,
      ),
    },
    unsure: {
      headline: 'it is not certain how the file is written',
      meaning: 'The file can be read in more than one way, and a wrong guess would garble it, so nothing was uploaded.',
      stays: true,
      steps: {
        managers: [
          'Find out which reading is right; where none is shown, ask the supplier which charset and delimiter the file has.',
          'Have that set under feeds.{feed}.dialect, and the file read again: `offerline rerun {run} --from validate --wait`',
        ],
        ops: [
          'Set what is right under feeds.{feed}.dialect; the possible readings are here: `offerline show {run}`',
          'Then read the same file again: `offerline rerun {run} --from validate --wait`',
        ],
      },
    },
    frozen: {
      headline: 'the feed is frozen',
      meaning: 'While the feed is frozen, what it delivers is kept and not uploaded.',
      stays: true,
      steps: {
        managers: [
          'Ask whoever froze the feed, who is named above, when new deliveries may go through again.',
          `If this one may go through now, have it released: ${APPROVE}`,
        ],
        ops: [
          'When new deliveries may go through again: `offerline release feed:{feed} --reason "…"`',
          `If only this one may: ${APPROVE}`,
        ],
      },
    },
  },
  rejected: {
    'file-unusable': {
      headline: 'the file cannot be used',
      meaning: 'The file cannot be used as it is, so nothing of it was uploaded.',
      stays: true,
      steps: {
        managers: [
          'Ask the supplier for a file without the mistake that is named above; the next good delivery goes through by itself.',
          'If the file is right, have the settings under feeds.{feed} corrected, and the file read again: `offerline rerun {run} --from validate --wait`',
        ],
        ops: [
          'Have the supplier send a good file; the next good delivery ends this by itself.',
          'If the file is right, correct the settings under feeds.{feed}, and read it again: `offerline rerun {run} --from validate --wait`',
        ],
      },
    },
    'turned-down': {
      headline: 'a person turned it down',
      meaning: 'A person looked at the file and turned it down, so nothing of it was uploaded.',
      stays: true,
      steps: both('Nothing has to be done; the next delivery is looked at anew.'),
    },
  },
};
