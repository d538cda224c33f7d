import { isFormula } from '../../values/spreadsheet.ts';
import { foldPlaceholder, isPlaceholder } from '../../values/placeholders.ts';
import type { Finding } from '../read/problem.ts';
import { type ColumnSettings, MAX_TAGS, readSettings, type ReadSettings } from '../schema/feed-settings.ts';
import type { Config } from '../schema/schema.ts';

/** What every row of a feed gets must be a value: one that would cost a row its offer in a file costs all of them here. */
export function defaultsAreValues(config: Config): Finding[] {
  return Object.keys(config.feeds).flatMap((feed) => {
    const settings = readSettings(config, feed);
    return settings.columns.flatMap((column) => {
      const message = column.fallback === null ? null : messageFor(column.fallback, column, settings);
      return message === null ? [] : [{ path: ['feeds', feed, 'defaults', column.key], message }];
    });
  });
}

function messageFor(value: string, { key, list }: ColumnSettings, settings: ReadSettings): string | null {
  if (/\p{Cc}/u.test(value)) return 'write a text on one line, without tabs and control characters';
  if (list) {
    const count = value.split(settings.tagSeparator).length;
    return count > settings.maxTags ? `has ${count} tags, and the service takes ${MAX_TAGS} of a position` : null;
  }
  if (key !== 'brand' && key !== 'oem') return null;
  if (value === '') return 'is empty: write the value that every row gets, or leave it out';
  const kept = new Set(settings.keep.map((one) => foldPlaceholder(one) || one.trim()));
  if (isPlaceholder(value, key, kept) || isFormula(value, true))
    return `"${value}" stands for nothing; write the value that every row gets, or keep this one with values.keep`;
  return null;
}
