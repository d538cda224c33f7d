import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings, type ReadSettings } from '../../src/config/schema/feed-settings.ts';
import type { Detection } from '../../src/model.ts';

/** The settings for reading a file when nothing is configured, changed where a test wants it. */
export function plainSettings(changes: Partial<ReadSettings> = {}): ReadSettings {
  return { ...readSettings(READING_DEFAULTS), ...changes };
}

/** A sure dialect: UTF-8, semicolons, double quotes, a header in line 1; changed where a test wants it. */
export function dialect(changes: Partial<Detection> = {}): Detection {
  return {
    format: 'text',
    parts: [],
    charset: 'utf-8',
    bom: false,
    delimiter: ';',
    quote: '"',
    escape: '"',
    newline: '\n',
    header: true,
    sure: true,
    confidence: 1,
    columns: [],
    headerLine: 1,
    width: 2,
    headerSure: true,
    spacedQuotes: false,
    wholeLines: false,
    passedOver: [],
    wraps: { backslashes: false, columns: [] },
    mapping: [],
    looks: [],
    habits: { makers: [], shapes: [] },
    evidence: [],
    readings: [],
    ...changes,
  };
}
