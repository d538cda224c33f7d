import { dialectText } from '../../wording/files/dialect.ts';
import { changeText, fileLines, joinedLines, skippedLines, unprovedRows } from '../../wording/account.ts';
import { leftOutText } from '../../wording/reasons/rule-reasons.ts';
import { adviceOn } from '../../wording/advice.ts';
import { diffLines } from '../../wording/diff-words.ts';
import type { RunAnswer } from '../../model.ts';
import { goneLines } from '../../wording/reasons/guard-reasons.ts';
import { nowLines } from '../../wording/now-words.ts';
import { mappingLines } from '../../wording/columns/unsure-columns.ts';
import { seenLines, signalLines } from '../../wording/signal-words.ts';
import { comparisonLines } from '../../wording/files/side-by-side.ts';
import {
  mergedTagsText,
  moment,
  outcomeSentence,
  leftOutInWords,
  readInWords,
  reasonBeyond,
} from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';
import { requestInWords } from '../decisions/asked.ts';
import { toneOf } from '../../jobs/standing/tone.ts';
import { paint } from '../tone.ts';

/** How many brands of a diff fit on a terminal; the JSON and the report have more. */
const SHOWN_BRANDS = 8;

/**
 * A run's answer for a terminal: the outcome in words first, then the account, the upload and where the reports are. The run of a
 * rehearsal is in no other ledger, so nothing is advised that names it.
 */
export function showAnswer(answer: RunAnswer, { rehearsal = false } = {}): string {
  const { rows, delivery, dialect, upload, receipt, dataset } = answer;
  const lines = [outcomeSentence(answer), ...adviceLines(answer, rehearsal)];
  lines.push(...comparisonLines(answer.readings, { numbered: true }).map(printable));
  if (answer.signals !== null) lines.push(...signalLines(answer.signals));
  if (answer.partsGone !== null) lines.push(...goneLines(answer.partsGone).map(printable));
  if (answer.diff !== null) lines.push(...diffLines(answer.diff, SHOWN_BRANDS).map(printable));
  lines.push('');
  lines.push(`run        ${answer.run}`);
  if (delivery !== null)
    lines.push(
      `file       ${printable(delivery.name)}, ${delivery.bytes} bytes, sha256 ${delivery.sha256.slice(0, 12)}`,
    );
  if (answer.request !== undefined) lines.push(`asked      ${printable(requestInWords(answer.request))}`);
  if (dialect !== null) lines.push(`dialect    ${printable(dialectText(dialect))}`);
  for (const [label, text] of mappingLines(answer.mapping)) lines.push(`${label.padEnd(9)}  ${printable(text)}`);
  if (rows.change !== undefined) lines.push(`changes    ${changeText(rows.change)}`);
  lines.push(
    `rows       ${readInWords(rows, String)} = ${rows.accepted} accepted + ${rows.rejectedLocally} rejected here + ${rows.duplicates} duplicates${leftOutInWords(rows, String)}`,
  );
  lines.push(...fileLines(answer.files).map((text) => `of         ${printable(text)}`));
  lines.push(...joinedLines(answer.joined).map((text) => `joined     ${printable(text)}`));
  if (answer.leftOut.length > 0) lines.push(`left out   ${printable(leftOutText(answer.leftOut))}`);
  lines.push(...skippedLines(answer.skipped).map((text) => `skipped    ${printable(text)}`));
  if (upload === null && rows.accepted > 0 && rows.unexplained === rows.accepted) {
    lines.push(`           ${rows.accepted} accepted = 0 live + ${rows.unexplained} ${unprovedRows(answer).label}`);
  } else if (rows.contributed + rows.outranked > 0) {
    lines.push(`           ${rows.accepted} accepted = ${rows.contributed} contributed + ${rows.outranked} outranked`);
    lines.push(
      `           ${rows.contributed} contributed = ${rows.live} live + ${rows.rejectedRemotely} rejected by the service + ${rows.unexplained} ${unprovedRows(answer).label}`,
    );
  }
  for (const [code, count] of Object.entries(answer.issues)) lines.push(`issue      ${code}: ${count}`);
  if (answer.signals !== null)
    lines.push(...seenLines(answer.signals).map(([label, text]) => `${label.padEnd(9)}  ${printable(text)}`));
  if (upload !== null) {
    const adopted = upload.adopted ? ', recognised by its token' : '';
    lines.push(
      `upload     ${upload.offerId ?? '(no id yet)'} ${upload.state}, token ${upload.token}, attempt ${upload.attempts}${adopted}`,
    );
    if (upload.note !== undefined) lines.push(`           ${upload.note}`);
  }
  if (dataset !== null) {
    const feeds = Object.entries(dataset.feeds).map(([feed, count]) => `${feed} ${count}`);
    lines.push(`dataset    ${dataset.rows} rows of login ${answer.login}: ${feeds.join(', ')}`);
    if (dataset.mergedTags !== null)
      lines.push(...mergedTagsText(dataset.mergedTags).map((text) => `tags       ${printable(text)}`));
  }
  for (const check of receipt?.checks ?? [])
    lines.push(`receipt    ${check.check} ${check.result}: ${printable(check.detail)}`);
  for (const text of answer.unreadable) lines.push(`unreadable ${printable(text)}`);
  if (answer.pruned !== null) lines.push(...prunedLines(answer.pruned));
  for (const [format, path] of Object.entries(answer.reports ?? {})) lines.push(`${format.padEnd(9)}  ${path}`);
  return lines.join('\n');
}

/** Puts the outcome at the head of a shown answer, which is printable already, into its colour. */
export function paintOutcome(shown: string, { feed, outcome }: RunAnswer, color: boolean): string {
  const head = `${printable(feed)}: `;
  const word = outcome ?? 'running';
  if (!shown.startsWith(head + word)) return shown;
  return head + paint(toneOf(outcome), word, color) + shown.slice(head.length + word.length);
}

/** The rest of the reason, what is live all the same, what that means and what to do. */
function adviceLines(answer: RunAnswer, rehearsal: boolean): string[] {
  const { meaning, steps: all } = adviceOn(answer);
  const steps = rehearsal ? all.filter((step) => !step.includes(answer.run)) : all;
  const more = reasonBeyond(answer);
  return [
    ...(more === null ? [] : [more]),
    ...nowLines(answer).map(([label, text]) => `${label}: ${text}`),
    ...(all.length === 0 ? [] : [meaning, ...steps.map((step) => `- ${step.replaceAll('`', '')}`)]),
  ];
}

function prunedLines({ delivery, reports }: NonNullable<RunAnswer['pruned']>): string[] {
  return [
    ...(delivery === null
      ? []
      : [`pruned     its delivery and accepted rows, on ${moment(delivery)} (keep.deliveries)`]),
    ...(reports === null
      ? []
      : [`pruned     its reports, issues and rejections, on ${moment(reports)} (keep.reports)`]),
  ];
}
