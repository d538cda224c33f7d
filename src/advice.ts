import type { RunAnswer } from './model.ts';
import { counted } from './words.ts';

/** What an outcome means and what to do about it, in whole sentences. A step may hold one command, in backquotes. */
export type Advice = { meaning: string; steps: string[] };

const STAYS = 'What this supplier had live before stays live.';

/** What the states of an upload mean for what is live; any other state may still become live. */
const AFTER: Partial<Record<string, string>> = {
  lost: `The service did not take the dataset. ${STAYS}`,
  refused: `The service refused the dataset. ${STAYS}`,
  failed: 'The service took the dataset and did not make it live. What it serves now is not certain.',
  aborted: 'The service took the dataset and did not make it live. What it serves now is not certain.',
  success: 'The service says that the dataset is live, but what it shows is not what was sent.',
};

/** What the outcome of a run means for the people who sell these parts, and what they can do next. */
export function adviceOn(answer: RunAnswer): Advice {
  switch (answer.outcome) {
    case 'live':
      return { meaning: liveMeaning(answer), steps: unverified(answer) };
    case 'partial':
      return adviceOnPartial(answer);
    case 'unchanged':
      return { meaning: `Nothing was uploaded. ${STAYS}`, steps: [] };
    case 'nothing':
      return { meaning: `Nothing was uploaded. ${STAYS}`, steps: ['If a delivery was due, ask the supplier for it.'] };
    case 'held':
      return adviceOnHeld(answer);
    case 'rejected':
      return {
        meaning: `Nothing was uploaded. ${STAYS}`,
        steps: [
          `Correct what is named above in the supplier’s file, or the settings of the feed under feeds.${answer.feed}.`,
          `Then run the feed again: \`offerline ingest ${answer.feed}\``,
        ],
      };
    case 'failed':
      return adviceOnFailed(answer);
    case null:
      return { meaning: 'The run is still open; this is how far it got.', steps: [] };
  }
}

function liveMeaning({ rows, receipt }: RunAnswer): string {
  const proof = receipt?.verified === true ? ', and the service confirms what was sent' : '';
  const left = rows.duplicates + rows.outranked;
  const others = left === 0 ? '' : ` ${counted(left, 'row')} offered a part that was already offered.`;
  return `All rows that this supplier contributes are live${proof}.${others}`;
}

function adviceOnPartial(answer: RunAnswer): Advice {
  const { rejectedLocally, rejectedRemotely, unexplained } = answer.rows;
  const lost = rejectedLocally + rejectedRemotely;
  const steps: string[] = [];
  if (lost > 0) {
    steps.push(
      'Send the supplier the CSV: it names line, value and reason of each rejected row, with its original cells.',
    );
  }
  if (rejectedLocally > 0) steps.push('Start with the most frequent kind of issue; it often has a single cause.');
  if (unexplained > 0) steps.push('Ask whoever runs offerline about the rows that are unexplained.');
  const meaning =
    lost > 0 ? `The other rows are live. ${counted(lost, 'rejected row')} cannot be found by customers.` : '';
  const doubt =
    unexplained > 0
      ? ` Whether ${counted(unexplained, 'more row')} ${unexplained === 1 ? 'is' : 'are'} live is not known.`
      : '';
  return { meaning: `${meaning}${doubt}`.trim(), steps: [...steps, ...unverified(answer)] };
}

function adviceOnHeld({ feed, run, rows }: RunAnswer): Advice {
  const release =
    rows.accepted > 0
      ? `If the file is right, release it: \`offerline approve ${run} --reason "…" --wait\``
      : `If the file is right, change the setting that is named above under feeds.${feed} and run the feed again: \`offerline ingest ${feed}\``;
  return {
    meaning: `The file looks wrong, so nothing was uploaded. ${STAYS}`,
    steps: [
      'If the file is wrong, ask the supplier for a complete one; the next good delivery goes through by itself.',
      release,
    ],
  };
}

function adviceOnFailed({ run, feed, upload }: RunAnswer): Advice {
  const retry = 'Remove the cause that is named above.';
  if (upload === null) {
    const steps = [retry, `Then run the feed again: \`offerline ingest ${feed}\``];
    return { meaning: `Nothing was uploaded. ${STAYS}`, steps };
  }
  if (upload.state === 'intended') {
    const steps = [
      'See to it that the service can be reached.',
      'Nothing has to be sent again by hand: a running `offerline up`, or the next run of the feed, sends it and amends this outcome.',
    ];
    return { meaning: `Nothing was sent yet. ${STAYS}`, steps };
  }
  const meaning = AFTER[upload.state];
  if (meaning === undefined) {
    return {
      meaning: 'It is not known yet whether the service takes the dataset; the upload may still become live.',
      steps: ['Do not upload by hand meanwhile: offerline goes on looking and amends the outcome.'],
    };
  }
  return { meaning, steps: [retry, `Then upload again: \`offerline rerun ${run} --from upload\``] };
}

function unverified({ receipt }: RunAnswer): string[] {
  return receipt?.verified === false ? ['Ask whoever runs offerline to look at the checks of the receipt.'] : [];
}
