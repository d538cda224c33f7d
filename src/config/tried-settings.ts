import { dirname, resolve } from 'node:path';
import { dictionary } from '../io/dictionary.ts';
import type { Lists } from './brands/lists.ts';
import { findSpellings } from './brands/spellings.ts';
import { learnedPath } from './learned/places.ts';
import { takeIn } from './learned/take-in.ts';
import type { LoadedConfig } from './load.ts';
import { resolveConfig } from './parse/credentials.ts';
import { parseConfig } from './parse/parse.ts';
import { showValue } from './parse/show-value.ts';
import { type ConfigDocument, parseConfigText } from './read/document.ts';
import { interpolate } from './read/interpolate.ts';
import { misreadNumbers } from './read/misread-numbers.ts';
import { advise } from './read/nearest.ts';
import { isWithin, type Path, showPath } from './read/path.ts';
import { configError, type Finding, type Problem } from './read/problem.ts';
import { findRules } from './row-rules/row-rules.ts';
import { checkRules } from './rules/rules.ts';
import type { ResolvedConfig } from './schema/schema.ts';
import { TRIED } from './show/tried-yaml.ts';

/**
 * Settings of a feed as they would stand under `feeds.NAME`: a YAML text, and the file that problems name. `untrusted`: whoever wrote it may not look
 * into this machine, so it takes nothing from the environment, and of its files only those that the configuration names for the feed.
 */
export type TriedText = { feed: string; file: string; text: string; untrusted: boolean };

/**
 * The configuration with settings of a feed that are tried, judged as if they were written into it: what was learned stands beside them. Throws one `config`
 * error that lists every problem with its place in the text.
 */
export async function withTried(
  loaded: LoadedConfig,
  tried: TriedText,
  lists: Lists,
): Promise<{ config: ResolvedConfig; warnings: Problem[] }> {
  const { feed, file, untrusted } = tried;
  const document = parseConfigText(tried.text);
  if (document.syntax.length > 0) {
    const problems = document.syntax.map((mistake) => ({ file, ...mistake, path: showPath(mistake.path) }));
    throw configError(file, problems);
  }
  const locateAll = (findings: Finding[]) => findings.map((finding) => located(finding, document, tried, loaded));
  const interpolation = interpolate(document, untrusted ? {} : loaded.env);
  const above: Path = ['feeds', feed];
  const ofEnvironment = interpolation.findings.map(({ path, message, missing }): Finding => {
    const isUnset = missing === true && untrusted;
    const said = isUnset ? 'no variable of the environment is read here; write the value itself' : message;
    return { path: [...above, ...path], message: said };
  });
  const written: unknown = document.tree.toJS() ?? null;
  const misplaced = misplacedIn(written, above);
  if (ofEnvironment.length + misplaced.length > 0) throw configError(file, locateAll([...ofEnvironment, ...misplaced]));
  const settings = written as Partial<Record<(typeof TRIED)[number], unknown>>;
  const folder = dirname(loaded.file);
  if (untrusted) {
    const known = knownFiles(feed, loaded.config, folder);
    const strange = filesIn(settings, above).filter(({ name }) => !known.has(resolve(folder, name)));
    const message = `is not a file that the configuration names for ${feed}, its login or all brands; only these are read here`;
    if (strange.length > 0) throw configError(file, locateAll(strange.map(({ path }) => ({ path, message }))));
  }
  const show = showValue(document, interpolation, () => false);
  const { login } = loaded.config.feeds[feed]!;
  const alone = { logins: dictionary([[login, {}]]), feeds: dictionary([[feed, { ...PLAIN, login, ...settings }]]) };
  const parsed = parseConfig(alone, (path) => show(path.slice(above.length)));
  const resolved = await resolveConfig(parsed.config, folder, {});
  const { rules, brands, numbers } = resolved.config.feeds[feed]!;
  const its = {
    ...('rules' in settings && { rules }),
    ...('brands' in settings && { brands }),
    ...('numbers' in settings && { numbers }),
  };
  const { spellings: _spellings, ...rest } = loaded.config;
  const { feeds } = takeIn(
    { ...rest, feeds: dictionary([[feed, { ...loaded.alone.feeds[feed]!, ...its }]]) },
    loaded.learned.learned,
  );
  const config: ResolvedConfig = {
    ...rest,
    feeds: dictionary([...Object.entries(rest.feeds), ...Object.entries(feeds)]),
  };
  const ofSettings = checkRules(config, alone).filter(({ path }) =>
    TRIED.some((key) => isWithin(path, [...above, key])),
  );
  const spelled = await findSpellings(config, lists);
  const ruled = await findRules(config, folder, lists);
  const found = [misreadNumbers(document, above), parsed.findings, ofSettings, spelled.findings, ruled.findings].reduce(
    withoutConsequences,
  );
  const problems = [...locateAll(found), ...spelled.problems, ...ruled.problems];
  if (problems.length > 0) throw configError(file, problems);
  const { spellings } = spelled;
  return {
    config: { ...config, ...(spellings === undefined ? {} : { spellings }), rowRules: ruled.rules },
    warnings: locateAll([...spelled.warnings, ...ruled.warnings].filter(({ path }) => isWithin(path, above))),
  };
}

/** A source that asks for nothing: only what is tried is judged. */
const PLAIN = { source: { type: 'directory', path: '.' } };

/** What is written beside, or in place of, what can be tried. */
function misplacedIn(written: unknown, above: Path): Finding[] {
  const keys = TRIED.join(', ');
  if (typeof written !== 'object' || written === null || Array.isArray(written) || Object.keys(written).length === 0) {
    return [{ path: above, message: `expected a map with ${keys}, as they would stand under feeds.${above[1]}` }];
  }
  const strange = Object.keys(written).filter((key) => !(TRIED as readonly string[]).includes(key));
  return strange.map((key) => ({
    path: [...above, key],
    message: `is nothing that can be tried here; ${advise(key, [...TRIED])}`,
    at: 'key' as const,
  }));
}

/** Findings with those of a later check: one at or under the place of an earlier one is only its consequence. */
function withoutConsequences(findings: Finding[], later: Finding[]): Finding[] {
  return findings.concat(later.filter(({ path }) => !findings.some((earlier) => isWithin(path, earlier.path))));
}

/** The place of a finding: in the text that is tried or, where it is about what that meets, in the configuration or in learned settings. */
function located(
  { path, message, at }: Finding,
  document: ConfigDocument,
  { feed, file }: TriedText,
  loaded: LoadedConfig,
): Problem {
  const above: Path = ['feeds', feed];
  const isTried = (one: Path) =>
    isWithin(one, above) &&
    (one.length === above.length || document.find(one.slice(above.length, above.length + 1)) !== undefined);
  const isWritten = (one: Path) =>
    one.length > above.length && isTried(one)
      ? document.find(one.slice(above.length)) !== undefined
      : loaded.alone.written(one) !== null;
  const { learned } = loaded;
  const there = learnedPath(path, isWritten, learned.document);
  if (there !== null && learned.document !== null)
    return { file: learned.file, ...learned.document.locate(there, at), path: showPath(there), message };
  if (isTried(path)) return { file, ...document.locate(path.slice(above.length), at), path: showPath(path), message };
  const line = loaded.alone.written(path)?.line ?? 0;
  return { file: loaded.file, line, column: 1, path: showPath(path), message };
}

type NamedFile = { name: string; path: Path };

/** The files that settings name, wherever in them: of spellings and of values. */
function filesIn(value: unknown, path: Path): NamedFile[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]): NamedFile[] => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return key === 'file' && typeof one === 'string' ? [{ name: one, path: at }] : filesIn(one, at);
  });
}

/** The files that the configuration reads for a feed. */
function knownFiles(feed: string, { brands, feeds, logins }: ResolvedConfig, folder: string): Set<string> {
  const its = feeds[feed]!;
  const read = [brands, its.brands, its.rules, logins[its.login]?.rules];
  return new Set(read.flatMap((settings) => filesIn(settings, [])).map(({ name }) => resolve(folder, name)));
}
