import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection } from '../../model.ts';

/** The settings of a file with what was found of the marks inside its cells, where nothing is set. */
export function withMarks(settings: ReadSettings, { marks }: Pick<Detection, 'marks'>): ReadSettings {
  const tagMark = settings.tagMark ?? marks?.tags?.separator ?? null;
  const numbers = marks?.numbers ?? null;
  const found = { ...settings, tagMark, splitBrands: marks?.split?.brands ?? [] };
  if (settings.numbers !== null || numbers === null || numbers.watched.length === 0) return found;
  return { ...found, watched: { marks: numbers.watched, shapes: numbers.shapes } };
}
