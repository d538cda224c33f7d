import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledList, ListLabel } from './label.ts';

/** The lists of a folder with a `manifest.json`, whose form is described at the top of bench/detect.ts. */
export function* labelledLists(folder: string): Generator<LabelledList> {
  const entries = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as (ListLabel & { path: string })[];
  for (const { path, ...label } of entries) {
    const features = [label.headerLine === null ? 'no header' : label.headerLine > 1 ? 'lines above' : 'header first'];
    yield { name: path, features, bytes: readFileSync(join(folder, path)), label };
  }
}
