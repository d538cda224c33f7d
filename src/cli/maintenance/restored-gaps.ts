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
  paths: RelativeGap[];
  /** Relative paths that lead to something here, and led elsewhere when the backup was made. */
  elsewhere: RelativeGap[];
};

type RelativeGap = { setting: string; written: string; leads: string; led: string | null };

type Loaded = Pick<LoadedConfig, 'config' | 'missing' | 'relative'>;

/** What is missing on this machine. `before`: where the configuration lay when the backup was made, where that is known. */
export function gapsIn({ missing, relative }: Loaded, before: string | null): Gaps {
  const said = missing.map(({ path }) => path);
  const all = relative
    .filter(({ path }) => !said.some((one) => isWithin(path, one)))
    .map(({ path, written, leads }): RelativeGap => {
      const led = before === null ? null : resolve(dirname(before), written);
      return { setting: showPath(path), written, leads, led };
    });
  return {
    missing: missing.map(({ path, message }) => ({ setting: showPath(path), says: message })),
    paths: all.filter(({ leads }) => !existsSync(leads)),
    elsewhere: all.filter(({ leads, led }) => existsSync(leads) && led !== null && led !== leads),
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
