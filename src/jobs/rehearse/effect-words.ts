import type { Outcome, RehearsedEffect } from '../../model.ts';
import { counted, grouped } from '../../wording/words.ts';

/** How what was rehearsed ended; a rollback has no outcome. */
type Ended = { outcome: Outcome | null; reason: string | null };

/** What a decision would do, in a few plain sentences. */
export function effectSentence(effect: Omit<RehearsedEffect, 'sentence'>, { outcome, reason }: Ended): string {
  return [
    ...(effect.feeds.length > 0 ? liveSentences(effect) : [nothingSentence(effect, outcome, reason)]),
    ...guardSentences(effect),
    ...(effect.freezes.length === 0 ? [] : [frozenSentence(effect.freezes)]),
  ].join(' ');
}

function liveSentences({ live, change, rejected }: Omit<RehearsedEffect, 'sentence'>): string[] {
  const rows = `${counted(live.after ?? 0, 'row')} would be live`;
  const now = live.before === null ? 'nothing is live now' : `${grouped(live.before)} ${isAre(live.before)} live now`;
  const lost =
    rejected.rows === 0
      ? []
      : [`The service would reject ${counted(rejected.rows, 'row')}, if it judges as the sandbox does.`];
  return [`${rows}; ${now}.`, ...(change === null ? [] : [changeSentence(change)]), ...lost];
}

function changeSentence({ added, removed, changed }: NonNullable<RehearsedEffect['change']>): string {
  if (added + removed + changed === 0) return 'No row would be added, removed or changed.';
  return `${counted(added, 'row')} would be added, ${grouped(removed)} removed and ${grouped(changed)} changed.`;
}

function nothingSentence(
  { live }: Pick<RehearsedEffect, 'live'>,
  outcome: Outcome | null,
  reason: string | null,
): string {
  const why = reason === null ? '' : `: ${reason.replace(/[.\s]+$/, '')}`;
  const what = outcome === null ? 'It would fail' : OTHERWISE[outcome];
  const stays = live.before === null ? 'Nothing would be live' : 'What is live would stay';
  return `${what}${why}. ${stays}.`;
}

const OTHERWISE: Record<Outcome, string> = {
  live: 'Nothing would change',
  partial: 'Nothing would change',
  unchanged: 'Nothing would change',
  nothing: 'There would be nothing to upload',
  held: 'The run would be held',
  rejected: 'The file would be rejected',
  failed: 'It would fail',
};

function guardSentences({ lifts, guards }: Pick<RehearsedEffect, 'lifts' | 'guards'>): string[] {
  const overruled = lifts === null ? [] : [`It was held because of this: ${lifts.replace(/[.\s]+$/, '')}.`];
  const said = guards.map(({ sentence }) => `A guard of the whole dataset, which would not stop it: ${sentence}.`);
  return [...overruled, ...said];
}

function frozenSentence(feeds: string[]): string {
  const which = feeds.length === 1 ? `The feed ${feeds[0]}` : `The feeds ${feeds.join(', ')}`;
  return `${which} would be frozen until \`offerline release\`.`;
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
