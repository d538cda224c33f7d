import { fill, wordsOf } from './causes.ts';
import type { RunAnswer } from '../model.ts';
import { counted } from './words.ts';

/** What an outcome means and what to do about it, in whole sentences. A step may hold one command, in backquotes. */
export type Advice = { meaning: string; steps: string[] };

/** What became of a run, as far as advice depends on it. */
export type Advised = Pick<RunAnswer, 'run' | 'feed' | 'login' | 'outcome' | 'cause' | 'rows' | 'receipt'>;

/** What the outcome of a run means and what ops can do next. */
export function adviceOn(answer: Advised): Advice {
  if (answer.outcome === 'live') return { meaning: liveMeaning(answer), steps: unverified(answer) };
  if (answer.outcome === 'partial') return adviceOnPartial(answer);
  const { meaning, steps } = wordsOf(answer.outcome, answer.cause);
  const [filled = '', ...next] = fill([meaning, ...steps], answer);
  return { meaning: filled, steps: next };
}

function liveMeaning({ rows, receipt }: Advised): string {
  const proof = receipt?.verified === true ? ', and the service confirms what was sent' : '';
  const left = rows.duplicates + rows.outranked;
  const others = left === 0 ? '' : ` ${counted(left, 'row')} offered a part that another row already offers.`;
  const ruled =
    rows.leftOut === 0
      ? ''
      : ` ${counted(rows.leftOut, 'row')} ${rows.leftOut === 1 ? 'was' : 'were'} left out by rules.`;
  return `All rows that this supplier contributes are live${proof}.${others}${ruled}`;
}

function lostMeaning({ rejectedLocally, rejectedRemotely, change }: Advised['rows']): string {
  const kept = change === undefined ? 0 : rejectedLocally;
  const lost = rejectedLocally + rejectedRemotely - kept;
  return [
    ...(lost === 0 ? [] : [`Customers cannot find ${counted(lost, 'rejected row')}.`]),
    ...(kept === 0
      ? []
      : [
          `${counted(kept, 'rejected row')} of changes ${kept === 1 ? 'leaves its part as it was' : 'leave their parts as they were'}.`,
        ]),
  ].join(' ');
}

function adviceOnPartial(answer: Advised): Advice {
  const { rejectedLocally, rejectedRemotely, unexplained } = answer.rows;
  const lost = rejectedLocally + rejectedRemotely;
  const steps: string[] = [];
  if (lost > 0) {
    steps.push(
      'Send the supplier the CSV: it gives the line, value and reason for each rejected row, with its original cells.',
    );
    steps.push(`Write it: \`offerline report ${answer.run} --format csv --out rows.csv\``);
  }
  if (rejectedLocally > 0) steps.push('Start with the most frequent issue; it often has a single cause.');
  if (unexplained > 0) {
    steps.push('Compare the service’s line count and its error list with what was sent.');
  }
  const meaning = lost > 0 ? `The other rows are live. ${lostMeaning(answer.rows)}` : '';
  const uncertain =
    unexplained > 0
      ? ` It is not known whether ${counted(unexplained, 'more row')} ${unexplained === 1 ? 'is' : 'are'} live.`
      : '';
  return { meaning: `${meaning}${uncertain}`.trim(), steps: [...steps, ...unverified(answer)] };
}

function unverified({ receipt, run }: Advised): string[] {
  if (receipt?.verified !== false) return [];
  return [`Look at the checks in the receipt: \`offerline show ${run}\``];
}
