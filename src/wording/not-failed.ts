import type { Causes } from '../model.ts';
import type { CauseWords } from './cause-words.ts';

const APPROVE = '`offerline approve {run} --reason "…" --wait`';

/** Why a run is open, or ended without an upload that went wrong. */
export const NOT_FAILED: { [O in Exclude<keyof Causes, 'failed'>]: Record<Causes[O], CauseWords> } = {
  open: {
    'at-work': {
      headline: 'in progress',
      meaning: 'The run is still open; this is how far it has got.',
      stays: true,
      steps: [],
    },
    approved: {
      headline: 'its rows are waiting to be uploaded',
      meaning: 'It was held and has been approved; its rows are waiting to be uploaded.',
      stays: true,
      steps: ['No decision is needed: this ends as soon as these rows are live.'],
    },
  },
  live: {
    uploaded: { headline: 'its rows are live', meaning: '', stays: false, steps: [] },
  },
  partial: {
    uploaded: { headline: 'some of its rows are live', meaning: '', stays: false, steps: [] },
  },
  unchanged: {
    'same-file': {
      headline: 'nothing has changed, so nothing was sent',
      meaning: 'Nothing was uploaded: this is the file that was uploaded last.',
      stays: true,
      steps: [],
    },
    'same-dataset': {
      headline: 'nothing has changed, so nothing was sent',
      meaning: 'Nothing was uploaded: with this file, the dataset would equal the live one.',
      stays: true,
      steps: [],
    },
  },
  nothing: {
    'no-file': {
      headline: 'there is no file',
      meaning: 'Nothing was uploaded.',
      stays: true,
      steps: ['If a delivery was due, ask the supplier for it.'],
    },
    superseded: {
      headline: 'a newer delivery replaced it',
      meaning: 'Nothing of this file was uploaded.',
      stays: true,
      steps: ['You do not have to do anything. See what happened to the newer one: `offerline runs --feed {feed}`'],
    },
  },
  held: {
    guard: {
      headline: 'a guard stopped it, and it needs a decision',
      meaning: 'The file looks wrong, so nothing of it was uploaded.',
      stays: true,
      steps: [
        `If the file is right as it is, release it: ${APPROVE}`,
        'If it is wrong, have the supplier send a complete one; the next good delivery goes through automatically. If it held changes only, this file has to come once more, or a full list: later changes wait for it.',
      ],
    },
    'older-file': {
      headline: 'it is older than a file that arrived earlier',
      meaning: 'The newer file counts, so nothing of this one was uploaded.',
      stays: true,
      steps: [
        'If the newer file is the right one, you do not have to do anything.',
        `If the older one is right all the same, release it: ${APPROVE}`,
      ],
    },
    order: {
      headline: 'it is not the next one in the order of changes',
      meaning:
        'Changes are put upon one another in their order: taken out of turn, this file would offer or withdraw the wrong parts. So nothing of it was uploaded.',
      stays: true,
      steps: [
        'If files are missing before it, have the supplier send them, or a full list, which replaces all changes before it.',
        `If the file counts all the same, release it: ${APPROVE}`,
        'See what waits at the place, and for what: `offerline pull {feed} --list`',
      ],
    },
    correction: {
      headline: 'it looks like a correction, not the full list',
      meaning:
        'A file counts as the whole list of its supplier: with this one, all other parts of the supplier would go offline. So nothing of it was uploaded.',
      stays: true,
      steps: [
        'Have the supplier send the complete list with the corrections in it; it goes through automatically.',
        `If this is the complete list all the same, release it: ${APPROVE}`,
      ],
    },
    columns: {
      headline: 'it is not certain what the columns mean',
      meaning:
        'The names and the cells of the columns leave open what they mean, and a wrong guess would upload wrong data, so nothing was uploaded.',
      stays: true,
      steps: [
        'Compare the proposal with the file. If it is right, accept it for all files with this header: `offerline approve {run} --columns --reason TEXT --wait`',
        'If another column is meant, name it: `offerline approve {run} --columns brand=COLUMN,oem=COLUMN --reason TEXT --wait`',
        'Or set feeds.{feed}.columns and read the file again: `offerline rerun {run} --from validate --wait`',
      ],
    },
    unsure: {
      headline: 'it is not certain how the file is written',
      meaning: 'The file can be read in more than one way, and a wrong guess would garble it, so nothing was uploaded.',
      stays: true,
      steps: [
        'This shows what is in question: `offerline show {run}`',
        'If it shows readings, numbered from 1, take one of them for this file: `offerline approve {run} --reading N --reason TEXT --wait`',
        'Or write the right one into the setting that it names, for all files of the feed, and read the file again: `offerline rerun {run} --from validate --wait`',
      ],
    },
    cells: {
      headline: 'it is not certain what several values in one cell mean',
      meaning:
        'Cells hold several numbers or tags, and a wrong guess would upload offers that nobody finds, so nothing was uploaded.',
      stays: true,
      steps: [
        'This shows an example and the setting that says what such cells mean: `offerline show {run}`',
        'Set it under feeds.{feed}, and read the file again: `offerline rerun {run} --from validate --wait`',
      ],
    },
    rules: {
      headline: 'a rule does not fit the file',
      meaning:
        'A rule asks for a column that is not there, or for numbers that cannot be read, so nothing was uploaded.',
      stays: true,
      steps: [
        'This names the rule and the column: `offerline show {run}`',
        'Correct the rule under feeds.{feed}.rules, or the column under feeds.{feed}.signals, and read the file again: `offerline rerun {run} --from validate --wait`',
        `If only values cannot be read and the file is right as it is, release it: ${APPROVE}`,
      ],
    },
    frozen: {
      headline: 'the feed is frozen',
      meaning: 'While the feed is frozen, its deliveries are kept but not uploaded.',
      stays: true,
      steps: [
        'To let new deliveries through again: `offerline release feed:{feed} --reason "…"`',
        `To let only this one through: ${APPROVE}`,
      ],
    },
  },
  rejected: {
    'file-unusable': {
      headline: 'the file cannot be used',
      meaning: 'The file cannot be used as it is, so nothing of it was uploaded.',
      stays: true,
      steps: [
        'Have the supplier send a good file; the next good delivery ends this by itself. If it held changes only, this file has to come once more, or a full list: later changes wait for it.',
        'If the file is right, correct the settings under feeds.{feed}, and read it again: `offerline rerun {run} --from validate --wait`',
      ],
    },
    'turned-down': {
      headline: 'it was rejected by a person',
      meaning: 'A person looked at the file and rejected it, so nothing of it was uploaded.',
      stays: true,
      steps: [
        'You do not have to do anything; the next full list is judged on its own. Changes that come after it wait until this file comes again, or a full list.',
      ],
    },
  },
};
