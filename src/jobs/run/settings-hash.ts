import { hash } from 'node:crypto';
import { readSettings } from '../../config/schema/feed-settings.ts';
import type { Config } from '../../config/schema/schema.ts';

/** Names the settings that decide what becomes of a feed's bytes; when it changes, the same bytes are worth reading again. */
export function settingsHash(config: Config, feed: string): string {
  const { login, priority, guard } = config.feeds[feed] ?? {};
  return hash('sha256', JSON.stringify([readSettings(config, feed), config.offer, login, priority, guard]));
}
