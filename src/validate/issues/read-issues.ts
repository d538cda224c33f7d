import type { AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import type { IssueRecord } from './issue-line.ts';

/** The issues of a file that was written as JSON Lines, in batches; a line that cannot be read is passed over. */
export async function* readIssues(file: AnyFile): AsyncGenerator<IssueRecord[]> {
  for await (const lines of lineBatches(file)) yield lines.map(parsed).filter((issue) => issue !== null);
}

function parsed(line: string): IssueRecord | null {
  try {
    return JSON.parse(line) as IssueRecord | null;
  } catch {
    return null;
  }
}
