import type { DatabaseSync } from 'node:sqlite';
import type { SandboxSettings } from '../settings.ts';
import type { Ssd } from '../ssd.ts';

/** What the operations of the catalog work with. */
export type CatalogContext = {
  /** The reference database. */
  db: () => DatabaseSync;
  ssd: Ssd;
  settings: SandboxSettings['catalog'];
};
