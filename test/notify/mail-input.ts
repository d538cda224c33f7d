import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowCause } from '../../src/model.ts';
import { openLanguage } from '../../src/wording/language/language.ts';
import { NO_DEMAND } from '../../src/parts/demand.ts';
import type { MailInput } from '../../src/notify/content/input.ts';
import { runAnswer } from '../support/answers.ts';
import { tempFolder } from '../support/temp-folder.ts';

export const ENVELOPE = { from: 'offerline@shop.example', to: 'brakes@example.com' };

const TOO_MANY_TAGS: RowCause = {
  code: 'too-many-tags',
  column: 'tags',
  text: null,
  by: 'us',
  severity: 'error',
  rows: 40,
  brands: [{ brand: 'ATE', rows: 40 }],
  moreBrands: 0,
  examples: [{ sheet: null, line: 5, brand: 'ATE', oem: '13.0460', value: 'a,b' }],
};

/** A mail about a partial run with one issue, one rejection and a CSV file of the given content. */
export function mailInput(
  changes: Parameters<typeof runAnswer>[0] = {},
  csv: string | Uint8Array = '\uFEFFkind,code\r\nissue,too-many-tags\r\n',
): MailInput {
  const path = join(tempFolder(), 'report.csv');
  writeFileSync(path, csv);
  return {
    answer: runAnswer({
      outcome: 'partial',
      upload: { offerId: '9007199254740993', state: 'success', token: 'k3v9', attempts: 1, adopted: false },
      rows: { read: 1250, accepted: 1210, rejectedLocally: 40, contributed: 1210, rejectedRemotely: 6, live: 1204 },
      issues: { 'too-many-tags': 40 },
      rejections: [
        {
          sheet: null,
          line: 12,
          file: 'n.csv',
          code: null,
          message: 'unknown brand',
          brand: 'ATE',
          oem: '13.0460',
          match: 'exact',
        },
      ],
      rejectionsTotal: 6,
      ...changes,
    }),
    reason: null,
    supplier: 'Nord Teile',
    language: openLanguage('en', 'Europe/Berlin'),
    audience: 'managers',
    console: null,
    causes: [TOO_MANY_TAGS],
    strip: [{ run: 'r1', at: Date.UTC(2026, 4, 3, 6), outcome: 'live', rows: 1240 }],
    change: null,
    demand: NO_DEMAND,
    csv: path,
    incidents: [],
    work: [],
  };
}
