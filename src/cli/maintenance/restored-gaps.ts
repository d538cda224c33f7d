import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LoadedConfig } from '../../config/load.ts';
import { isWithin, showPath } from '../../config/read/path.ts';
import type { NotAsked } from '../../jobs/restored/restored-state.ts';

/** What a configuration needs that no backup holds, by setting. */
export type Gaps = {
  /** Variables that are not set and credentials that are not there, and what to do. */
  missing: { setting: string; says: string }[];
  /** Relative paths that lead to nothing. `led`: where they led when the backup was made; null where that is not known. */
  paths: { setting: string; written: string; leads: string; led: string | null }[];
};

type Loaded = Pick<LoadedConfig, 'config' | 'missing' | 'relative'>;

/** What is missing on this machine. `before`: where the configuration lay when the backup was made, where that is known. */
export function gapsIn({ missing, relative }: Loaded, before: string | null): Gaps {
  const said = missing.map(({ path }) => path);
  return {
    missing: missing.map(({ path, message }) => ({ setting: showPath(path), says: message })),
    paths: relative
      .filter(({ path, leads }) => !said.some((one) => isWithin(path, one)) && !existsSync(leads))
      .map(({ path, written, leads }) => ({
        setting: showPath(path),
        written,
        leads,
        led: before === null ? null : resolve(dirname(before), written),
      })),
  };
}

/** Who is not asked while something is missing: a service must get no wrong password. */
export function notAskedIn({ config, missing }: Loaded): NotAsked {
  const lacks = (path: string[]) => missing.some((one) => isWithin(one.path, path));
  const ofService = lacks(['service']);
  return {
    logins: new Set(Object.keys(config.logins).filter((login) => ofService || lacks(['logins', login]))),
    feeds: new Set(Object.keys(config.feeds).filter((feed) => lacks(['feeds', feed]))),
  };
}
