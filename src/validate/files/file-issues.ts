import type { Detection, Issue, ListFile } from '../../model.ts';
import { createIssue } from '../issues/create-issue.ts';

/**
 * What is to be said of single files of a delivery of several: columns that one lacks and others have, a last line that may be cut, and what
 * was found in those that are joined.
 */
export function fileIssues({ files = [], joined, mapping }: Pick<Detection, 'files' | 'joined' | 'mapping'>): Issue[] {
  const used = mapping.filter(({ sure, position }) => sure && position > 0);
  const ofPartners = (joined?.partners ?? []).flatMap(({ issues }) => issues);
  const ofFiles = files.flatMap((file) =>
    [
      ...used
        .filter(({ position }) => !file.places.includes(position - 1))
        .map(({ key }) => createIssue('file-lacks-column', { line: null, column: key }, {})),
      ...(mayBeCut(file, mapping) ? [createIssue('last-line-open', { line: null }, {})] : []),
    ].map((issue) => Object.assign(issue, { file: file.name })),
  );
  return [...ofFiles, ...ofPartners];
}

/** Whether the last line of a file has no end and ends with the article number. */
function mayBeCut({ written, places }: ListFile, mapping: Detection['mapping']): boolean {
  const number = mapping.find(({ key }) => key === 'oem')?.position ?? 0;
  return written.openEnd === true && number > 0 && places.indexOf(number - 1) === written.width - 1;
}
