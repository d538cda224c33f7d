import { dictionary } from '../../io/dictionary.ts';
import { withDefaultColumns } from './default-columns.ts';
import type { ReadableConfig } from './feed-settings.ts';

/**
 * What an empty configuration says about reading files: the schema's defaults again (a test compares them), for commands
 * that would wait longer for the schema than for a small file.
 */
export const READING_DEFAULTS: ReadableConfig = {
  feeds: dictionary(),
  offer: {
    layout: 'txt',
    delimiter: ',',
    charset: 'UTF-8',
    zip: false,
    tagSeparator: ',',
    columns: withDefaultColumns({}),
  },
  limits: {
    fileSize: 5e9,
    unpackedSize: 20e9,
    unpackRatio: 1000,
    zipEntries: 1000,
    cellLength: 10_000,
    rowLength: 1_000_000,
    downloadSize: 20e9,
    readTime: 600_000,
  },
};
