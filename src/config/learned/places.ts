import type { ConfigDocument } from '../read/document.ts';
import { showPath, type Path } from '../read/path.ts';
import type { Finding, Problem } from '../read/problem.ts';
import { findWritten, type FindWritten } from '../show/written.ts';
import { NOTHING_REPLACED, type ReadLearned } from './read-learned.ts';

/** Places findings in the configuration, or in the file of learned settings where what they speak of stands there. */
export function locator(document: ConfigDocument, file: string, learned: ReadLearned) {
  return ({ path, message, at }: Finding): Problem => {
    const there = learnedPath(path, (at) => document.find(at) !== undefined, learned.document);
    return there === null || learned.document === null
      ? { file, ...document.locate(path, at), path: showPath(path), message }
      : { file: learned.file, ...learned.document.locate(there, at), path: showPath(there), message };
  };
}

/** Finds what is written in the configuration, and where nothing is, in the file of learned settings; lists of both are one. */
export function alsoLearned(
  find: FindWritten,
  document: ConfigDocument,
  { file, document: more }: ReadLearned,
): FindWritten {
  if (more === null) return find;
  const findMore = findWritten(more, NOTHING_REPLACED, () => false);
  return (path) => {
    const its = find(path);
    const there = learnedPath(path, (at) => document.find(at) !== undefined, more);
    // What stands around items is of both files, an item of one of them.
    const learned = there === null && path.some(isPlace) ? null : findMore(there ?? path);
    if (its === null) return there === null || learned === null ? null : { ...learned, file };
    if (its.kind === 'list' && learned?.kind === 'list') return { ...its, length: its.length + learned.length };
    if (its.kind === 'map' && learned?.kind === 'map')
      return { ...its, keys: [...new Set([...its.keys, ...learned.keys])] };
    return its;
  };
}

/** Whether the configuration itself, without what was learned, says something at a path. */
type IsWritten = (path: Path) => boolean;

/**
 * Where a setting of the taken-in configuration stands in the file of learned settings; null when it stands in the configuration itself, or in
 * neither. Items of lists follow those of the configuration. Pure.
 */
export function learnedPath(path: Path, isWritten: IsWritten, learned: ConfigDocument | null): Path | null {
  if (learned === null) return null;
  const [length, step] = knownSteps(path, isWritten);
  if (step === null) return null;
  const there = typeof step === 'number' ? [...path.slice(0, length), step, ...path.slice(length + 1)] : path;
  return learned.find(there) === undefined ? null : there;
}

/** How many steps of a path the configuration itself has, and what the next one is in a file that follows it; null where it has all. */
function knownSteps(path: Path, isWritten: IsWritten): [number, string | number | null] {
  for (const [length, step] of path.entries()) {
    if (isWritten(path.slice(0, length + 1))) continue;
    // What an item of the configuration itself lacks stands nowhere.
    if (typeof step === 'string') return [length, path.slice(0, length).some(isPlace) ? null : step];
    let items = 0;
    while (isWritten([...path.slice(0, length), items])) items += 1;
    return [length, step - items];
  }
  return [path.length, null];
}

function isPlace(step: string | number): step is number {
  return typeof step === 'number';
}
