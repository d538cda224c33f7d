import type { SampleReading } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** The name of a reading of a file that can be read in several ways: `windows-1251, cells separated by “;”`. */
export function readingText({ charset, delimiter }: Omit<SampleReading, 'rows'>, { say }: Language): string {
  if (delimiter === null) return say('reading.oneColumn', { charset });
  return say('reading.delimited', { charset, delimiter: delimiterText(delimiter, say) });
}

/** Where a sample row stands in the file. */
export function readingPlace(line: number | null, { say }: Language): string {
  return line === null ? say('reading.below') : say('reading.line', { line });
}

function delimiterText(delimiter: string, say: Language['say']): string {
  if (delimiter === '\t') return say('reading.tab');
  return delimiter === ' ' ? say('reading.blank') : say('quoted', { text: delimiter });
}
