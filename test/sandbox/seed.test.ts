import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';

function seedFile(text: string): string {
  const path = join(tempFolder(), 'portfolio.csv');
  writeFileSync(path, text);
  return path;
}

const SHOP = { authorization: `Basic ${Buffer.from('shop:pw').toString('base64')}` };

test('each login begins with the portfolio, which searches find at once', async () => {
  const { url, offers } = await sandboxForTest({ seedOffers: seedFile('brand,oem,name\nATE,13.0460,Brake pads\n') });
  const search = async (headers: Record<string, string>) => {
    const reply = await fetch(`${url}/us2/public/search/search?query=130460`, { headers });
    return ((await reply.json()) as { data: object[] }).data;
  };

  expect(await search({})).toMatchObject([{ oem: '13.0460', brand: 'ATE' }]);
  expect(await search(SHOP)).toMatchObject([{ oem: '13.0460' }]);
  expect(await offers()).toMatchObject([{ sourceFile: 'portfolio.csv', state: 'success', linesProcessed: 1 }]);
});

test('calls side by side seed a login once', async () => {
  const { offers } = await sandboxForTest({ seedOffers: seedFile('brand,oem\nATE,1\n') });

  await Promise.all([offers(), offers(), offers()]);
  expect(await offers()).toHaveLength(1);
});

test('a login that has uploaded keeps its own dataset over a new start', async () => {
  const dataDir = tempFolder();
  const first = await startSandbox({ dataDir });
  await fetch(`${first.url}/us2/public/offer/process?fileName=own.csv`, { method: 'POST', body: 'brand,oem\nATE,1\n' });
  await first.settled();
  await first.close();
  const second = await sandboxForTest({ dataDir, seedOffers: seedFile('brand,oem\nATE,2\n') });

  expect(await second.offers()).toMatchObject([{ sourceFile: 'own.csv' }]);
});

test('a file that the service does not take is a failed upload', async () => {
  const { offers } = await sandboxForTest({ seedOffers: seedFile('name\nBrake pads\n') });

  expect(await offers()).toMatchObject([{ state: 'failed', error: expect.stringContaining('brand') }]);
});
