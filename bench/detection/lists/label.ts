/** A position from 1 or null for none; of several answers, each is acceptable. */
export type Accepted = number | null | (number | null)[];

/** What a careful person says of a list. */
export type ListLabel = {
  charset: string;
  delimiter: string;
  quote: string;
  /** Physical line of the last header row, null when there is none. */
  headerLine: number | null;
  firstDataLine: number;
  columns: Record<Key, Accepted>;
};

/** The columns whose mapping is measured. */
export type Key = 'brand' | 'oem' | 'name';
export const KEYS: readonly Key[] = ['brand', 'oem', 'name'];

export type LabelledList = { name: string; features: string[]; bytes: Buffer; label: ListLabel };

/** All answers that a label accepts. */
export function accepted(answers: Accepted): (number | null)[] {
  return Array.isArray(answers) ? answers : [answers];
}
