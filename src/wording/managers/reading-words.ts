import type { SampleReading } from '../../model.ts';
import { readingName } from '../files/side-by-side.ts';
import type { Language } from '../language/language.ts';

/** The name of a reading of a file that can be read in several ways. */
export function readingText(reading: Omit<SampleReading, 'rows'>, _language: Language): string {
  return readingName(reading);
}

/** Where a sample row stands in the file. */
export function readingPlace(line: number | null, _language: Language): string {
  return line === null ? 'further down' : `line ${line}`;
}
