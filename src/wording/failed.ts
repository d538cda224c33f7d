import type { Causes } from '../model.ts';
import type { CauseWords } from './cause-words.ts';

const NOT_AT_FAULT = 'The supplier’s file is not at fault, and need not be sent again: tell whoever runs offerline.';
const INGEST = '`offerline ingest {feed} --wait`';
const UPLOAD_AGAIN = '`offerline rerun {run} --from upload --wait`';
const LOGINS = 'See where it stands: `offerline logins`';
const BY_ITSELF = 'Nothing has to be done: offerline goes on looking, and amends the outcome when it is known.';

/** After an upload that was taken and did not become live. */
const NOT_MADE_LIVE =
  'offerline checks what the service serves since, and sends the last good dataset again where that is gone.';
const AFTER_UPLOAD = {
  managers: [
    'The supplier need not send the file again: the rows that were accepted are kept.',
    `When the cause that is named above is removed, have them uploaded again: ${UPLOAD_AGAIN}`,
  ],
  ops: [
    'Remove the cause that is named above; where the service names none, ask its operators.',
    `Then upload the same rows again: ${UPLOAD_AGAIN}`,
  ],
};

/** Why the pull or the upload of a run failed, in the order in which a run can meet them. */
export const FAILED: Record<Causes['failed'], CauseWords> = {
  'source-unreachable': {
    headline: 'the source could not be reached',
    meaning: 'The file could not be fetched, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [
        'If it lasts, ask the supplier whether their server works; each scheduled run tries again.',
        `To have it tried at once: ${INGEST}`,
      ],
      ops: [
        'See whether this machine can reach the source; if so, the supplier’s server is at fault.',
        `Each scheduled run tries again; at once: ${INGEST}`,
      ],
    },
  },
  'source-refused': {
    headline: 'the source did not give the file',
    meaning: 'The source did not give the file, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [
        'Ask the supplier where the file is; whoever runs offerline sets that under feeds.{feed}.source.',
        `Then have it tried again: ${INGEST}`,
      ],
      ops: [
        'Correct what is named above, at the supplier’s or under feeds.{feed}.source.',
        `Then try again: ${INGEST}`,
      ],
    },
  },
  'source-credentials': {
    headline: 'the source refuses the credentials',
    meaning: 'The supplier’s server refuses the credentials of this feed, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [
        'Ask the supplier for credentials that are valid; whoever runs offerline sets them under feeds.{feed}.source.auth.',
        `Then have it tried again: ${INGEST}`,
      ],
      ops: [
        'Correct feeds.{feed}.source.auth, or have the supplier give these credentials access.',
        `Then try again: ${INGEST}`,
      ],
    },
  },
  'disk-full': {
    headline: 'the disk is full',
    meaning: 'The disk of this installation is full, so the run could not go on and nothing was uploaded.',
    stays: true,
    steps: {
      managers: [NOT_AT_FAULT],
      ops: [
        'Make room; this removes what may go by the settings under keep: `offerline prune`',
        `Then try again: ${INGEST}`,
      ],
    },
  },
  fault: {
    headline: 'it could not be completed',
    meaning: 'Something in this installation went wrong, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [NOT_AT_FAULT],
      ops: [
        'Remove the cause that is named above; this finds the usual ones: `offerline doctor`',
        `Then try again: ${INGEST}`,
      ],
    },
  },
  'compose-failed': {
    headline: 'the dataset could not be composed',
    meaning: 'The file was read, but the dataset of the login {login} could not be composed, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [NOT_AT_FAULT],
      ops: [
        'Remove the cause that is named above; this finds the usual ones: `offerline doctor`',
        `Then compose and upload the same rows: ${UPLOAD_AGAIN}`,
      ],
    },
  },
  'damaged-archive': {
    headline: 'files of the archive are damaged',
    meaning: 'What was kept of this file is damaged or missing in the archive, so nothing was uploaded.',
    stays: true,
    steps: {
      managers: [NOT_AT_FAULT],
      ops: [
        'Find out what happened to the disk or folder, and what else it damaged: `offerline verify --repair`',
        'Then bring the file in once more: `offerline ingest {feed} --force --wait`',
      ],
    },
  },
  unsent: {
    headline: 'nothing could be sent yet',
    meaning: 'The rows are ready, and nothing was sent yet.',
    stays: true,
    steps: {
      managers: [
        'Nothing has to be sent again by hand: it is sent as soon as that is possible, and the outcome is amended.',
        'If it lasts, ask whoever runs offerline.',
      ],
      ops: [
        'See what it waits for, and whether the service can be reached: `offerline doctor`',
        'Nothing has to be sent again by hand: a running `offerline up`, or the next run of the feed, sends it and amends this outcome.',
      ],
    },
  },
  credentials: {
    headline: 'the service refuses the credentials',
    meaning: 'The service refuses the credentials of the login {login}; the upload waits.',
    stays: false,
    steps: {
      managers: [NOT_AT_FAULT, 'What waits is sent as soon as the credentials are right, and the outcome is amended.'],
      ops: [
        'Correct logins.{login}.auth, or have the right to upload restored at the service.',
        'Then prove them: `offerline doctor`. What waits is sent by itself, and the outcome is amended.',
      ],
    },
  },
  'outcome-unknown': {
    headline: 'the outcome of the upload is not known',
    meaning: 'It is not known yet whether the service takes the dataset; the upload may still become live.',
    stays: false,
    steps: {
      managers: [BY_ITSELF, 'Upload nothing by hand meanwhile.'],
      ops: [
        'Upload nothing by hand meanwhile: offerline goes on looking, and amends the outcome when it is known.',
        LOGINS,
        'When the operators of the service know what became of it: `offerline resolve UPLOAD --as live|lost --reason "…"`',
      ],
    },
  },
  refused: {
    headline: 'the service refused the dataset',
    meaning: 'The service refused the dataset, so nothing of it is live.',
    stays: true,
    steps: AFTER_UPLOAD,
  },
  'upload-failed': {
    headline: 'the service failed the upload',
    meaning: `The service took the dataset and could not process it. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: AFTER_UPLOAD,
  },
  'upload-aborted': {
    headline: 'the service aborted the upload',
    meaning: `The service took the dataset and aborted the upload. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: AFTER_UPLOAD,
  },
  'failed-together': {
    headline: 'the service did not make a dataset of several feeds live',
    meaning: `The service took a dataset of several feeds and did not make it live. Each feed is uploaded alone now, so that the one at fault is found. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: {
      managers: [BY_ITSELF, `If that lasts, have it uploaded again: ${UPLOAD_AGAIN}`],
      ops: [BY_ITSELF, LOGINS, `If that lasts, upload the same rows again: ${UPLOAD_AGAIN}`],
    },
  },
  unproved: {
    headline: 'the upload is not proved to be live',
    meaning: 'The service says that the dataset is live, but what it shows does not prove that.',
    stays: false,
    steps: {
      managers: [
        'The supplier need not send the file again. A service that was only slow is asked again, and the outcome amended.',
        `If that lasts, have the same rows uploaded again: ${UPLOAD_AGAIN}`,
      ],
      ops: [
        'Compare the failed checks of the receipt with what the service shows: `offerline show {run}`',
        `If it is not what was sent, upload the same rows again: ${UPLOAD_AGAIN}`,
      ],
    },
  },
};
