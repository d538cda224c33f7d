import type { Causes } from '../model.ts';
import type { CauseWords } from './cause-words.ts';

const INGEST = '`offerline ingest {feed} --wait`';
const UPLOAD_AGAIN = '`offerline rerun {run} --from upload --wait`';
const LOGINS = 'See the state of the upload: `offerline logins`';
const BY_ITSELF = 'You do not have to do anything: offerline keeps checking, and amends the outcome when it is known.';

/** After an upload that was accepted and did not become live. */
const NOT_MADE_LIVE =
  'offerline checks what the service serves now, and sends the last good dataset again if that is gone.';
const AFTER_UPLOAD = [
  'Fix the cause named above; if the service gives none, ask its operators.',
  `Then upload the same rows again: ${UPLOAD_AGAIN}`,
];

/** Why the pull or the upload of a run failed, in the order in which a run can meet them. */
export const FAILED: Record<Causes['failed'], CauseWords> = {
  'source-unreachable': {
    headline: 'the source could not be reached',
    meaning: 'The file could not be fetched, so nothing was uploaded.',
    stays: true,
    steps: [
      'Check whether this machine can reach the source; if it can, the supplier’s server is at fault.',
      `Each scheduled run tries again. To try now: ${INGEST}`,
    ],
  },
  'source-refused': {
    headline: 'the source did not provide the file',
    meaning: 'The source did not provide the file, so nothing was uploaded.',
    stays: true,
    steps: [
      'Fix the cause named above, on the supplier’s side or under feeds.{feed}.source.',
      `Then try again: ${INGEST}`,
    ],
  },
  'source-credentials': {
    headline: 'the source rejects the credentials',
    meaning: 'The supplier’s server rejects the credentials of this feed, so nothing was uploaded.',
    stays: true,
    steps: [
      'Correct the credentials under feeds.{feed}.source, or ask the supplier to grant them access.',
      `Then try again: ${INGEST}`,
    ],
  },
  'disk-full': {
    headline: 'the disk is full',
    meaning: 'The disk of this installation is full, so the run could not continue and nothing was uploaded.',
    stays: true,
    steps: [
      'Free some space; this removes what the settings under keep allow: `offerline prune`',
      `Then try again: ${INGEST}`,
    ],
  },
  fault: {
    headline: 'it could not be completed',
    meaning: 'Something in this installation went wrong, so nothing was uploaded.',
    stays: true,
    steps: ['Fix the cause named above; this finds the usual ones: `offerline doctor`', `Then try again: ${INGEST}`],
  },
  'compose-failed': {
    headline: 'the dataset could not be composed',
    meaning: 'The file was read, but the dataset of the login {login} could not be composed, so nothing was uploaded.',
    stays: true,
    steps: [
      'Fix the cause named above; this finds the usual ones: `offerline doctor`',
      `Then compose and upload the same rows: ${UPLOAD_AGAIN}`,
    ],
  },
  'damaged-archive': {
    headline: 'files in the archive are damaged',
    meaning: 'The archived copy of this file is damaged or missing, so nothing was uploaded.',
    stays: true,
    steps: [
      'Find out what happened to the disk or folder, and check for further damage: `offerline verify --repair`',
      'Then read the file again: `offerline ingest {feed} --force --wait`',
    ],
  },
  unsent: {
    headline: 'nothing could be sent yet',
    meaning: 'The rows are ready, but nothing has been sent yet.',
    stays: true,
    steps: [
      'See what it is waiting for, and whether the service can be reached: `offerline doctor`',
      'You do not have to send anything by hand: a running `offerline up`, or the next run of the feed, sends the rows and amends this outcome.',
    ],
  },
  credentials: {
    headline: 'the service rejects the credentials',
    meaning: 'The service rejects the credentials of the login {login}, so the upload is waiting.',
    stays: false,
    steps: [
      'Correct logins.{login}.auth, or have the service restore the permission to upload.',
      'Then test them: `offerline doctor`. Waiting uploads are sent automatically, and the outcome is amended.',
    ],
  },
  'outcome-unknown': {
    headline: 'the outcome of the upload is unknown',
    meaning: 'It is not known yet whether the service will accept the dataset; the upload may still become live.',
    stays: false,
    steps: [
      'Do not upload anything by hand: offerline keeps checking, and amends the outcome when it is known.',
      LOGINS,
      'When the operators of the service know what happened to it: `offerline resolve UPLOAD --as live|lost --reason "…"`',
    ],
  },
  refused: {
    headline: 'the service refused the dataset',
    meaning: 'The service refused the dataset, so nothing of it is live.',
    stays: true,
    steps: AFTER_UPLOAD,
  },
  'upload-failed': {
    headline: 'the service failed the upload',
    meaning: `The service accepted the dataset but could not process it. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: AFTER_UPLOAD,
  },
  'upload-aborted': {
    headline: 'the service aborted the upload',
    meaning: `The service accepted the dataset and then aborted the upload. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: AFTER_UPLOAD,
  },
  'failed-together': {
    headline: 'a dataset of several feeds did not become live',
    meaning: `The service accepted a dataset of several feeds but did not make it live. Each feed is now uploaded alone to find the one at fault. ${NOT_MADE_LIVE}`,
    stays: false,
    steps: [BY_ITSELF, LOGINS, `If the problem persists, upload the same rows again: ${UPLOAD_AGAIN}`],
  },
  unproved: {
    headline: 'the upload could not be confirmed as live',
    meaning: 'The service reports that the dataset is live, but what it shows does not confirm that.',
    stays: false,
    steps: [
      'Compare the failed checks of the receipt with what the service shows: `offerline show {run}`',
      `If they differ, upload the same rows again: ${UPLOAD_AGAIN}`,
    ],
  },
};
