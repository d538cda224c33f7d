import { advise } from '../read/nearest.ts';
import { type Path, valueAt } from '../read/path.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';

/** A feed's login must be one of `logins`. */
export function loginsOfFeeds(config: Config, written: unknown): Finding[] {
  const logins = namesAt(written, ['logins']);
  return Object.entries(config.feeds).flatMap(([name, feed]) =>
    dangling(['feeds', name, 'login'], feed.login, 'logins', logins),
  );
}

/** A manager's feeds must be some of `feeds`. */
export function feedsOfManagers(config: Config, written: unknown): Finding[] {
  const feeds = namesAt(written, ['feeds']);
  return config.managers.flatMap((manager, index) =>
    (manager.feeds ?? []).flatMap((feed, at) => dangling(['managers', index, 'feeds', at], feed, 'feeds', feeds)),
  );
}

/** A hook's feeds must be some of `feeds`. */
export function feedsOfHooks(config: Config, written: unknown): Finding[] {
  const known = namesAt(written, ['feeds']);
  return Object.entries(config.hooks).flatMap(([name, { feeds = [] }]) =>
    feeds.flatMap((feed, at) => dangling(['hooks', name, 'feeds', at], feed, 'feeds', known)),
  );
}

/** A mail to a supplier needs an address. */
export function draftsHaveAddresses(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { notify, supplier }]) =>
    notify === 'draft' && supplier?.email === undefined
      ? [{ path: ['feeds', name, 'notify'], message: `"draft" needs an address: set feeds.${name}.supplier.email` }]
      : [],
  );
}

/** The columns that a feed names or fills must be some of `offer.columns`. */
export function columnsOfFeeds(config: Config): Finding[] {
  const columns = Object.keys(config.offer.columns);
  return Object.entries(config.feeds).flatMap(([name, feed]) =>
    (['columns', 'defaults'] as const).flatMap((setting) =>
      Object.keys(feed[setting]).flatMap((column) =>
        dangling(['feeds', name, setting, column], column, 'offer.columns', columns, 'key'),
      ),
    ),
  );
}

function dangling(path: Path, name: string, list: string, known: string[], at?: 'key'): Finding[] {
  if (known.includes(name)) return [];
  return [
    { path, message: `there is no "${name}" in ${list}; ${advise(name, known)}`, ...(at === undefined ? {} : { at }) },
  ];
}

function namesAt(written: unknown, path: Path): string[] {
  const value = valueAt(written, path);
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
