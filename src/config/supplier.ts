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

/** Whether the supplier of a feed has a page of its own; not of one that is no longer in the configuration. */
export function hasSupplierPage({ feeds }: Pick<Config, 'feeds'>, feed: string): boolean {
  return own(feeds, feed)?.supplier?.page ?? false;
}

/** The clock that the supplier of a feed reads: its own, else that of the feed's schedule; undefined where neither is said. */
export function supplierZone({ feeds }: Pick<Config, 'feeds'>, feed: string): string | undefined {
  const settings = own(feeds, feed);
  return settings?.supplier?.timezone ?? settings?.schedule?.timezone;
}
