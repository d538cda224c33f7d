import type { PartsGone, SliceDrop, TrippedGuard } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** What a guard stopped, as a subject says it. */
export function guardTitle(tripped: TrippedGuard, supplier: string, { say, percent }: Language): string {
  switch (tripped.guard) {
    case 'minRows':
      return say('run.guard.title.minRows', { supplier, rows: tripped.rows });
    case 'maxRejected':
      return say('run.guard.title.maxRejected', { supplier, share: percent(tripped.rejected / tripped.read) });
    case 'maxRowDrop':
    case 'maxRowGrowth':
      return say(`run.guard.title.${tripped.guard}`, { supplier, share: percent(shareOf(tripped)) });
    case 'maxBrandDrop':
    case 'maxTagDrop': {
      const { first, others, more } = tripped;
      return say(`run.guard.title.${first.kind}`, { supplier, count: 1 + others.length + more });
    }
    case 'maxPriceJump': {
      const { how, parts, of } = tripped;
      if (how === 'swapped') return say('run.guard.title.swapped', { supplier });
      return say(`run.guard.title.${how}`, { supplier, share: percent(parts / of) });
    }
    case 'maxStockDrop':
      return say('run.guard.title.maxStockDrop', { supplier });
    case 'maxLeftOut':
      return say('run.guard.title.maxLeftOut', { supplier });
    case 'maxPartsGone':
      if (tripped.other !== null) return say('run.guard.title.mixed', { supplier });
      return say('run.guard.title.maxPartsGone', { supplier, share: percent(tripped.gone / tripped.of) });
  }
}

/** Which guard stopped a delivery and why, in whole sentences with the numbers that it compared and its limit. */
export function guardText(tripped: TrippedGuard, language: Language): string {
  const { say, percent } = language;
  return [
    ...findings(tripped, language),
    ...('login' in tripped.whose ? [say('run.guard.all')] : []),
    ...(hasNoLimit(tripped) ? [] : [say('run.guard.limit', { limit: percent(tripped.limit) })]),
  ].join(' ');
}

/** A number of rows says its limit itself, and a first delivery is compared with no limit. */
function hasNoLimit(tripped: TrippedGuard): boolean {
  return tripped.guard === 'minRows' || (tripped.guard === 'maxPartsGone' && tripped.of === 0);
}

function findings(tripped: TrippedGuard, language: Language): string[] {
  const { say, percent } = language;
  switch (tripped.guard) {
    case 'minRows':
      return [say('run.guard.minRows', { rows: tripped.rows, limit: tripped.limit })];
    case 'maxRejected': {
      const { rejected, read } = tripped;
      return [say('run.guard.maxRejected', { rejected, read, share: percent(rejected / read) })];
    }
    case 'maxRowDrop':
    case 'maxRowGrowth': {
      const { before, after, withoutRejected } = tripped;
      return [
        say(`run.guard.${tripped.guard}`, { before, after, share: percent(shareOf(tripped)) }),
        ...(withoutRejected ? [say('run.guard.withoutRejected')] : []),
      ];
    }
    case 'maxBrandDrop':
    case 'maxTagDrop':
      return [dropText(tripped.first, language), ...alsoText(tripped, language)];
    case 'maxPriceJump': {
      const { how, parts, of } = tripped;
      const facts = { parts, of, share: percent(parts / of) };
      return [say(`run.guard.${how}`, facts)];
    }
    case 'maxStockDrop': {
      const { before, after } = tripped;
      const [was, is] = [before.rows / before.of, after.rows / after.of];
      const shares = { before: percent(was), after: percent(is), drop: percent(1 - is / was) };
      return [say('run.guard.maxStockDrop', { ...shares, rows: after.rows, of: after.of })];
    }
    case 'maxLeftOut': {
      const { before, after } = tripped;
      const shares = {
        before: percent(before.of === 0 ? 0 : before.rows / before.of),
        after: percent(after.rows / after.of),
      };
      return [say('run.guard.maxLeftOut', { ...shares, rows: after.rows, of: after.of })];
    }
    case 'maxPartsGone':
      return goneTexts(tripped, language);
  }
}

function goneTexts({ gone, of, change, other }: PartsGone, { say, percent }: Language): string[] {
  const mixed = other === null ? [] : [say('run.guard.mixed', { share: percent(other.share), feed: other.feed })];
  if (of === 0) return [say('run.guard.first'), ...mixed];
  const missing = say('run.guard.maxPartsGone', { gone, of, share: percent(gone / of) });
  if (mixed.length > 0 || change === null) return [missing, ...mixed];
  const text = 'text' in change ? change.text : '';
  const state = 'isNew' in change && !change.isNew ? 'gone' : 'new';
  return [missing, say(`run.guard.change.${change.what}`, { text, state })];
}

function dropText({ kind, name, before, after }: SliceDrop, { say, percent }: Language): string {
  if (after === 0) return say(`run.guard.${kind}.gone`, { name, before });
  return say(`run.guard.${kind}.less`, { name, before, after, share: percent(1 - after / before) });
}

function alsoText({ others, more }: { others: SliceDrop[]; more: number }, { say, list }: Language): string[] {
  const named = others.map(({ name, before, after }) => say('run.guard.slice', { name, before, after }));
  if (more > 0) named.push(say('run.guard.more', { count: more }));
  return named.length === 0 ? [] : [say('run.guard.also', { others: list(named) })];
}

/** By how much a number of rows changed. */
function shareOf({ before, after }: { before: number; after: number }): number {
  return Math.abs(after - before) / before;
}
