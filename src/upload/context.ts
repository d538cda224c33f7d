import type { Context } from '../context.ts';

/** What uploads are examined with: the service, the archive, the clock and the settings, but never the ledger. */
export type UploadContext = Pick<Context, 'archive' | 'clock' | 'config' | 'gauges' | 'offers' | 'service'>;
