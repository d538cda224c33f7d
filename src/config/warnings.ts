import { stat } from 'node:fs/promises';
import { messageOf, systemCode } from '../errors.ts';
import { type Path, valueAt } from './path.ts';
import type { Finding } from './problem.ts';
import type { DirectorySource, ResolvedConfig } from './schema.ts';

/** Settings that this version reads but does not act on: all of a setting, or one value of it. This is the only list. */
export const WITHOUT_EFFECT: readonly { setting: string; value?: string }[] = [];

/** What may be right but deserves a look: settings without effect, folders that are not there, files taken twice. */
export async function findWarnings(config: ResolvedConfig, written: unknown): Promise<Finding[]> {
  return [
    ...withoutEffect(written),
    ...csvOnly(config, written),
    ...(await missingFolders(config)),
    ...sharedFolders(config),
  ];
}

function withoutEffect(written: unknown): Finding[] {
  return WITHOUT_EFFECT.flatMap(({ setting, value }) =>
    expand(written, setting.split('.'), [])
      .filter(([, found]) => value === undefined || found === value)
      .map(([path]) => ({ path, message: `${value === undefined ? '' : `"${value}" `}has no effect in this version` })),
  );
}

function csvOnly({ offer }: ResolvedConfig, written: unknown): Finding[] {
  const path = ['offer', 'delimiter'];
  if (offer.layout === 'csv' || valueAt(written, path) === undefined) return [];
  return [{ path, message: 'has no effect: a txt file is delimited by tabs; set offer.layout to csv, or remove it' }];
}

/** Every path with a value that fits a pattern whose steps may be `*`. */
function expand(value: unknown, steps: string[], path: Path): [Path, unknown][] {
  const [step, ...rest] = steps;
  if (step === undefined) return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => step === '*' || step === key)
    .flatMap(([key, inner]) => expand(inner, rest, [...path, Array.isArray(value) ? Number(key) : key]));
}

function directories(config: ResolvedConfig): { feed: string; source: DirectorySource }[] {
  return Object.entries(config.feeds).flatMap(([feed, { source }]) =>
    source.type === 'directory' ? [{ feed, source }] : [],
  );
}

async function missingFolders(config: ResolvedConfig): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { feed, source } of directories(config)) {
    const path = ['feeds', feed, 'source', 'path'];
    try {
      if (!(await stat(source.path)).isDirectory()) findings.push({ path, message: `${source.path} is not a folder` });
    } catch (error) {
      const why = systemCode(error) === 'ENOENT' ? 'does not exist yet' : `cannot be read (${messageOf(error)})`;
      findings.push({ path, message: `the folder ${source.path} ${why}` });
    }
  }
  return findings;
}

function sharedFolders(config: ResolvedConfig): Finding[] {
  const all = directories(config);
  return all.flatMap(({ feed, source }, index) => {
    const other = all
      .slice(0, index)
      .find((it) => it.source.path === source.path && it.source.pattern === source.pattern);
    if (other === undefined) return [];
    const message = `the feed ${other.feed} takes the same files (same folder, same pattern); give each feed its own`;
    return [{ path: ['feeds', feed, 'source', 'path'], message }];
  });
}
