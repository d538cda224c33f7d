import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { readZip } from '../support/read-zip.ts';
import { sandboxForTest } from '../support/sandbox.ts';

type Answer = { markdown: string; zip: string; calls: number; notAsked: string | null; state: string };
type Figures = { months: { uploads: number; perThousand: { uploads: number } }[] };

test('a worker is killed between a call and its record: the upload goes on, and its dossier has the states', async () => {
  const service = await sandboxForTest();
  const proxy = await proxyTo(service.url);
  const shop = install({ service: { baseUrl: proxy.url } });
  shop.deliver('north', 'a.csv', goodFile('A'));
  proxy.next('hold-reply');
  const first = shop.start('ingest', 'north', '--wait');
  await proxy.met();
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await shop.start('ingest', 'north', '--wait').ended;
  expect(second.status).toBe(0);
  expect(await service.offers()).toMatchObject([{ state: 'success' }]);

  const written = await shop.offerline('dossier', 'main', '--out', shop.folder, '--json');
  const answer = JSON.parse(written.stdout) as Answer;
  expect(answer).toMatchObject({ state: 'success', notAsked: null });
  expect(answer.calls).toBeGreaterThan(0);
  const zip = await readZip(answer.zip);
  expect(readFileSync(answer.markdown, 'utf8')).toBe([...zip.values()][0]);
  const { steps } = JSON.parse(zip.get('record.json')!) as { steps: { state: string }[] };
  const states = steps.map(({ state }) => state);
  expect([states[0], states.at(-1)]).toEqual(['sending', 'success']);
  expect(zip.get('calls.csv')).toMatch(/,get,200,/u);

  const offline = await shop.offerline('dossier', 'main', '--offline');
  expect(offline).toMatchObject({ status: 0 });
  expect(offline.stderr).toContain('What the service shows now is not in it: it was not asked (--offline).');
  expect(existsSync(answer.zip)).toBe(true);

  const { months } = JSON.parse((await shop.offerline('service', '--since', '2d', '--json')).stdout) as Figures;
  // Its reply was lost: when the service took it is not known.
  expect(months).toMatchObject([{ uploads: 1, perThousand: { uploads: 0, median: null } }]);
});
