import { own } from '../io/dictionary.ts';
import type { Config } from './schema/schema.ts';

/** What people call the supplier of a feed: `feeds.NAME.supplier.name`, else the feed's own name. */
export function supplierName({ feeds }: Pick<Config, 'feeds'>, feed: string): string {
  return own(feeds, feed)?.supplier?.name ?? feed;
}

/** What the supplier of a feed reads: `feeds.NAME.supplier.language`, else `mail.language`. */
export function supplierLanguage({ feeds, mail }: Pick<Config, 'feeds' | 'mail'>, feed: string): string {
  return own(feeds, feed)?.supplier?.language ?? mail.language;
}
