import type { Detection, Issue, ListFile } from '../../model.ts';
import { createIssue } from '../issues/create-issue.ts';

/** What is to be said of single files of a delivery of several: columns that one lacks and others have, a last line that may be cut. */
export function fileIssues({ files = [], mapping }: Pick<Detection, 'files' | 'mapping'>): Issue[] {
  const used = mapping.filter(({ sure, position }) => sure && position > 0);
  return files.flatMap((file) =>
    [
      ...used
        .filter(({ position }) => !file.places.includes(position - 1))
        .map(({ key }) => createIssue('file-lacks-column', { line: null, column: key }, {})),
      ...(mayBeCut(file, mapping) ? [createIssue('last-line-open', { line: null }, {})] : []),
    ].map((issue) => Object.assign(issue, { file: file.name })),
  );
}

/** Whether the last line of a file has no end and ends with the article number. */
function mayBeCut({ written, places }: ListFile, mapping: Detection['mapping']): boolean {
  const number = mapping.find(({ key }) => key === 'oem')?.position ?? 0;
  return written.openEnd === true && number > 0 && places.indexOf(number - 1) === written.width - 1;
}
