import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCode } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { explainIssues } from '../parse/explain.ts';
import { showValue } from '../parse/show-value.ts';
import { parseConfigText, type ConfigDocument } from '../read/document.ts';
import { nearest } from '../read/nearest.ts';
import type { Interpolation } from '../read/interpolate.ts';
import { misreadNumbers } from '../read/misread-numbers.ts';
import { showPath, type Path } from '../read/path.ts';
import type { Problem } from '../read/problem.ts';
import { learnedSchema, type Learned } from '../schema/schema.ts';

/** Where what was taken of proposals is kept: beside the configuration, which takes it in. */
export function learnedFile(configFile: string): string {
  return join(dirname(configFile), 'learned.yaml');
}

/** What a file of learned settings says, and what is wrong with it. `document` is null where there is no file, or none that can be read. */
export type ReadLearned = {
  file: string;
  learned: Learned;
  document: ConfigDocument | null;
  problems: Problem[];
  warnings: Problem[];
};

/** The file of learned settings has no variables, and no secrets. */
export const NOTHING_REPLACED: Interpolation = { findings: [], written: new Map(), empty: new Map() };

/**
 * Reads the learned settings beside a configuration; there need not be any. What it says of feeds that the configuration does not have is passed over, with a
 * warning. `instead`: a text that is judged in place of the file's.
 */
export async function readLearned(
  configFile: string,
  feeds: readonly string[],
  instead?: string,
): Promise<ReadLearned> {
  const file = learnedFile(configFile);
  const nothing = { file, learned: { feeds: {} }, document: null, warnings: [] };
  const text = instead ?? (await textOf(file));
  if (text === null) return { ...nothing, problems: [] };
  if (typeof text !== 'string') return { ...nothing, problems: [text] };
  const document = parseConfigText(text);
  if (document.syntax.length > 0)
    return {
      ...nothing,
      problems: document.syntax.map((mistake) => ({ file, ...mistake, path: showPath(mistake.path) })),
    };
  const written = withoutEmpty(document.tree.toJS() ?? {});
  const parsed = learnedSchema.safeParse(written);
  const placed = (path: Path, message: string, at?: 'key'): Problem => ({
    file,
    ...document.locate(path, at),
    path: showPath(path),
    message,
  });
  if (!parsed.success) {
    const strange = parsed.error.issues.filter(({ code }) => code === 'unrecognized_keys');
    const others = parsed.error.issues.filter(({ code }) => code !== 'unrecognized_keys');
    const show = showValue(document, NOTHING_REPLACED, () => false);
    const found = explainIssues(others, written, show).map(({ path, message, at }) => placed(path, message, at));
    const unknown = strange.flatMap(({ path, ...issue }) =>
      ('keys' in issue ? issue.keys : []).map((key) => placed([...(path as Path), key], NO_SETTING, 'key')),
    );
    return { ...nothing, document, problems: [...unknown, ...found] };
  }
  const warnings = Object.keys(parsed.data.feeds)
    .filter((feed) => !feeds.includes(feed))
    .map((feed) => {
      const near = nearest(feed, feeds);
      const advice = near === undefined ? 'remove it here' : `did you mean ${near}?`;
      return placed(['feeds', feed], `the configuration has no feed ${feed}, so this has no effect; ${advice}`, 'key');
    });
  const problems = misreadNumbers(document).map(({ path, message, at }) => placed(path, message, at));
  return { file, learned: parsed.data, document, problems, warnings };
}

const NO_SETTING =
  'cannot stand here; of feeds there are brands.aliases, numbers.strip.prefix, numbers.strip.suffix and rules in learned.yaml';

/** Keys of maps without a value are as good as not there: what was below them was removed. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return dictionary(kept.map(([key, one]) => [key, withoutEmpty(one)] as const));
}

async function textOf(file: string): Promise<string | Problem | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return null;
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'the file of learned settings is not UTF-8 text; save it as UTF-8'
        : code === 'EISDIR'
          ? 'this is a folder; the file of learned settings has this name'
          : `the file of learned settings cannot be read: ${messageOf(error)}`;
    return { file, line: 0, column: 0, path: '', message: why };
  }
}
