import { accountLines, type AccountLine, type Fate } from '../account.ts';
import type { RunAnswer } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** A line of the account in words: a sum, or what was gained or lost between two sums. */
export type AccountRow = { label: string; count: string; kind: AccountLine['kind']; fate: Fate | null };

/** The sign before what was gained or lost. */
export function signOf(kind: AccountLine['kind']): string {
  return { sum: '', gain: '+ ', loss: '− ' }[kind];
}

/** The account of a run's rows, from those in the file to those that are live; a run that read nothing has none. */
export function accountRows(answer: RunAnswer, language: Language): AccountRow[] {
  return accountLines(answer).map(({ name, count, kind, fate }) => ({
    label: language.say(`account.${name}`),
    count: language.number(count),
    kind,
    fate,
  }));
}

/** What a delivery of changes did to the rows before it; null for a full list. */
export function changesText({ rows: { change } }: Pick<RunAnswer, 'rows'>, { say }: Language): string | null {
  if (change === undefined) return null;
  const { added, changed, removed, base } = change;
  return say('account.changes.of', { added, changed, removed, base });
}

/** Which lines of the file are no offers and were not counted, in a sentence; null when there are none but blank ones. */
export function skippedText({ skipped }: Pick<RunAnswer, 'skipped'>, { say, list }: Language): string | null {
  const kinds = skipped.filter(({ rows }) => rows > 0);
  if (kinds.every(({ kind }) => kind === 'blank')) return null;
  const lines = list(kinds.map(({ kind, rows }) => say(`account.skipped.${kind}`, { count: rows })));
  return say('account.skipped', { lines });
}
