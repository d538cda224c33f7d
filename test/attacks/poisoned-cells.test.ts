import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { csvReaders } from '../support/csv-readers.ts';
import { install } from '../support/installation.ts';
import { POISONED_CELLS, RUNS } from '../support/poisoned-cells.ts';
import { scriptedService } from '../support/scripted-service.ts';

/* Whatever a supplier or the service writes into a cell is a text in a cell for whoever opens the CSV of it. */

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** A file with each poisoned cell in a row that is rejected here, below a poisoned name of a column. */
const FILE = `brand,oem,tags,${quoted('=1\n+1')}\n${POISONED_CELLS.map((cell) => `BOSCH,,${quoted(cell)},${quoted(cell)}\n`).join('')}BOSCH,1,a,b\n`;

test('the report, the mailed CSV and check --issues hold poisoned cells as texts, for three readers', async () => {
  const service = await scriptedService();
  service.fate({ errors: `message,brand,oem\n${POISONED_CELLS.map((cell) => `${quoted(cell)},BOSCH,1\n`).join('')}` });
  const shop = install({
    service: { baseUrl: service.url },
    feeds: { north: { tags: { separator: ',' } } },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '100%' } } },
    managers: [{ email: 'ops@example.com', when: ['always'] }],
  });
  const path = shop.deliver('north', 'a.csv', FILE);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: POISONED_CELLS.length } });

  const outbox = join(shop.home, 'outbox');
  const mail = readdirSync(outbox).find((name) => name.endsWith('.eml'));
  const { attachments } = await PostalMime.parse(readFileSync(join(outbox, mail!)));
  const attached = attachments.find(({ filename }) => filename?.endsWith('.csv'));
  const issues = join(shop.folder, 'issues.csv');
  await shop.offerline('check', path, '--feed', 'north', '--issues', issues);
  const outputs = {
    report: readFileSync(answer.reports!.csv),
    mail: Buffer.from(attached?.content as ArrayBuffer),
    issues: readFileSync(issues),
  };
  for (const [output, csv] of Object.entries(outputs)) {
    for (const { name, rows } of csvReaders()) {
      const [head = [], ...found] = await rows(csv);
      const first = output === 'issues' ? /^[a-z-]+$/ : /^(issue|rejection)$/;
      const wrong = found.filter(
        (row) => row.length > head.length || !first.test(row[0] ?? '') || row.some((cell) => RUNS.test(cell)),
      );
      const rejected = output === 'issues' ? 0 : POISONED_CELLS.length;
      const enough = head.length > 9 && found.length >= POISONED_CELLS.length + rejected;
      expect({ output, name, wrong, enough }).toEqual({ output, name, wrong: [], enough: true });
    }
  }
});
