import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { RehearsedRun } from '../../jobs/rehearse/rehearse-run.ts';
import type { RehearsedRollback } from '../../jobs/rehearse/rehearse-rollback.ts';
import type { RerunFrom } from '../../jobs/decisions/rerun-stages.ts';
import type { RehearsedEffect } from '../../model.ts';
import { diffLines } from '../../wording/diff-words.ts';
import { printable } from '../../wording/printable.ts';
import { counted, moment } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { assertKnown } from '../queries/runs.ts';
import { exitOf } from '../running/exit-of.ts';
import { following, REHEARSAL } from '../running/rehearse.ts';
import { loadFor } from '../session.ts';
import { parseColumns } from './columns-option.ts';
import { rehearsedDecision } from './decision.ts';

type Options = { reason?: string; columns?: string | true; reading?: number; json?: true };

/** Brands of what would change that fit on a terminal; the JSON has more. */
const SHOWN_BRANDS = 8;

/** Shows what approving a run, or accepting its columns, would do; nothing real is touched. */
export async function rehearseApprove(run: string, options: Options, command: Command, io: Io): Promise<void> {
  const { rehearseApproval } = await import('../../jobs/rehearse/rehearse-run.ts');
  const { columns, reading, reason } = options;
  const asked = {
    ...(columns === undefined ? {} : { columns: columns === true ? null : parseColumns(columns) }),
    ...(reading === undefined ? {} : { reading }),
  };
  const decision = { ...rehearsedDecision(reason), ...asked };
  const answer = await rehearseApproval(run, decision, await follow(options, command, io));
  for (const warning of answer.warnings) io.note(`Warning: ${warning}.`);
  await showRun(answer, options, io);
}

/** Shows what running a run again from a stage would do; nothing real is touched. */
export async function rehearseRerunning(
  run: string,
  from: RerunFrom,
  options: Options,
  command: Command,
  io: Io,
): Promise<void> {
  if (from === 'report') {
    throw new OfferlineError('usage', 'A report changes nothing that is live: leave out --rehearse.');
  }
  const { rehearseRerun } = await import('../../jobs/rehearse/rehearse-run.ts');
  await showRun(await rehearseRerun(run, from, await follow(options, command, io)), options, io);
}

/** Shows what a rollback would do; nothing real is touched. */
export async function rehearseGoingBack(
  login: string,
  options: Options & { to?: string },
  command: Command,
  io: Io,
): Promise<void> {
  const { rehearseRollback } = await import('../../jobs/rehearse/rehearse-rollback.ts');
  const followed = await follow(options, command, io);
  assertKnown('login', login, Object.keys(followed.loaded.config.logins));
  const answer = await rehearseRollback(login, { ...rehearsedDecision(options.reason), to: options.to }, followed);
  if (options.json === true) io.json(answer);
  else io.out(rollbackText(answer));
  if (answer.result === 'met') return;
  const why = answer.reason ?? answer.result;
  throw new OfferlineError('service-refused', `The rollback of ${login} failed in the rehearsal: ${why}.`);
}

async function follow({ json }: Options, command: Command, io: Io) {
  return following(await loadFor(command, io), io, { quiet: json === true });
}

async function showRun(answer: RehearsedRun, { json }: Options, io: Io): Promise<void> {
  if (json === true) io.json(answer);
  else {
    const { showAnswer } = await import('../queries/show-answer.ts');
    const shown = showAnswer(answer, { rehearsal: true });
    io.out([REHEARSAL, '', ...effectLines(answer.effect), '', shown, `rehearsal  ${answer.home}`].join('\n'));
  }
  io.exit(exitOf(answer, false));
}

function rollbackText({ target, effect, home }: RehearsedRollback): string {
  const { offerId, at, rows } = target;
  const goal = `Going back to upload ${offerId} of ${moment(at ?? 0)}: ${counted(rows, 'row')}.`;
  return [REHEARSAL, '', goal, ...effectLines(effect), '', `rehearsal  ${home}`].join('\n');
}

function effectLines({ sentence, feeds, change, rejected }: RehearsedEffect): string[] {
  const rows = feeds.map(
    ({ feed, before, after }) => `${feed.padEnd(9)}  ${before ?? 0} → ${counted(after, 'live row')}`,
  );
  const refused = rejected.examples.map(
    ({ feed, line, brand, oem, message }) =>
      `rejected   ${feed} line ${line ?? '?'}: ${brand ?? ''} ${oem ?? ''}: ${message}`,
  );
  const lines = [sentence, ...rows, ...(change === null ? [] : diffLines(change, SHOWN_BRANDS)), ...refused];
  return lines.map(printable);
}
