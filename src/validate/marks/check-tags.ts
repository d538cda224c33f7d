import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Issue } from '../../model.ts';
import { createIssue, type Place } from '../issues/create-issue.ts';
import { placeholderIssue, standsForNothing, type ValueRules } from '../checks/check-value.ts';
import { quoted } from '../checks/repair.ts';

/** How the tags of a list are parted and counted. */
type TagSettings = Pick<ReadSettings, 'tagMark' | 'tagSeparator' | 'maxTags' | 'onTooManyTags'>;

/** `dropTags`: notes that empty or repeated tags of a column were dropped. */
type TagCheck = { settings: TagSettings; rules: ValueRules; issues: Issue[]; dropTags: (column: string) => void };

/** A tag of a list that a program wrote as JSON: `["left","new"]`, whose brackets are taken off before. */
const QUOTED = /^"([^"]*)"$/;

/**
 * Trims tags, takes quotes around them off, drops empty and repeated ones, those that stand for nothing and those that the service would take for several, and cuts the list at the limit. The mark
 * between them becomes that of the uploaded file, by which the service counts them.
 */
export function checkTags(
  cell: string,
  place: Place & { column: string; value: string },
  { settings, rules, issues, dropTags }: TagCheck,
): string {
  const { tagSeparator, maxTags: max } = settings;
  const mark = settings.tagMark ?? tagSeparator;
  const tags = new Set<string>();
  const pieces = cell.split(mark);
  for (const piece of pieces) {
    const tag = piece.trim();
    tags.add(QUOTED.exec(tag)?.[1]?.trim() ?? tag);
  }
  tags.delete('');
  if (tags.size < pieces.length && cell !== '') dropTags(place.column);
  for (const tag of tags) {
    if (!standsForNothing(tag, 'tags', rules)) continue;
    tags.delete(tag);
    issues.push(placeholderIssue({ ...place, value: tag }, false));
  }
  if (mark !== tagSeparator) {
    for (const tag of tags) {
      if (!tag.includes(tagSeparator)) continue;
      tags.delete(tag);
      issues.push(createIssue('tag-with-separator', place, { tag: quoted(tag), separator: tagSeparator }));
    }
  }
  const count = tags.size;
  if (count > max) issues.push(tagsIssue(place, count, settings));
  return [...tags].slice(0, max).join(tagSeparator);
}

/** The issue of a list with more tags than the service takes. */
export function tagsIssue(
  place: Place,
  count: number | string,
  { maxTags: max, onTooManyTags }: Pick<TagSettings, 'maxTags' | 'onTooManyTags'>,
): Issue {
  const truncate = onTooManyTags === 'truncate';
  const consequence = truncate ? `the first ${max} are kept` : 'the row is dropped';
  return createIssue('too-many-tags', place, { count, max, consequence }, truncate ? 'warning' : 'error');
}
