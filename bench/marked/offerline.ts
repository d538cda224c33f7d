/** Reads a list, collects its mistakes and writes its rows with them: from the file to the workbook. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { readFile } from '../../src/jobs/read/read.ts';
import { writeMarked } from '../../src/jobs/queries/write-marked.ts';
import { openLanguage } from '../../src/wording/language/language.ts';
import { collectFaults } from '../../src/report/marked/faults.ts';
import type { StoredIssue } from '../../src/report/input.ts';

const [folder = ''] = process.argv.slice(2);
const settings = readSettings(READING_DEFAULTS);
const list = { path: `${folder}/list.csv`, name: 'list.csv', folder, settings };
const { detection, issuesPath, validation } = await readFile(list);

async function* issues(): AsyncGenerator<StoredIssue> {
  for await (const line of createInterface(createReadStream(issuesPath))) yield JSON.parse(line) as StoredIssue;
}

async function* none(): AsyncGenerator<never> {}

const faults = await collectFaults(
  {
    answer: { mapping: detection.mapping },
    columns: { issues: validation?.columns ?? [], rejections: [] },
    issues,
    rejections: none,
  },
  detection,
  openLanguage('en'),
);
const original = { path: list.path, name: list.name, entry: list.name, detection, settings, folder };
await writeMarked({
  path: `${folder}/offerline.xlsx`,
  original,
  marked: { name: list.name, read: validation?.counts.read ?? 0, sandbox: false, language: 'en', faults },
});
