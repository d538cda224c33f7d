import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { install, type Config, type Ended, type Installation } from './installation.ts';
import { sandboxForTest } from './sandbox.ts';

/** Two rows that nothing is wrong with; `mark` makes files with other bytes. */
export function goodFile(mark: string): string {
  return `brand;oem;name\nBOSCH;${mark}1;Brake pads\nATE;${mark}2;Brake disc\n`;
}

/** A shop of one feed whose first delivery is live at a sandbox: whatever comes next must not harm it. */
export async function liveShop(config: Config = {}, env: NodeJS.ProcessEnv = {}) {
  const service = await sandboxForTest();
  const shop = install({ ...config, service: { baseUrl: service.url, ...config.service } }, env);
  shop.deliver('north', '1-good.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
  const [live] = await service.offers();
  return {
    service,
    shop,
    /** Nothing was uploaded since: the first dataset is the newest and only one. */
    expectUntouched: async () => expect(await service.offers()).toEqual([live]),
  };
}

/** What a person reads is plain: no stack trace, no dump of an object, however the program was called. */
export function expectPlain({ stdout = '', stderr }: { stdout?: string; stderr: string }): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(/^\s+at .+:\d+:\d+/mu);
    expect(text).not.toMatch(/"stack":|\[object |undefined|node:internal/u);
  }
}

/** None of the secrets is anywhere in what was printed, or in any file below the home: ledger, reports, mails, queue. */
export function expectNoSecret(shop: Installation, secrets: string[], ...outputs: Partial<Ended>[]): void {
  const files = readdirSync(shop.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = [
    ...outputs.flatMap(({ stdout = '', stderr = '' }) => [stdout, stderr]),
    ...files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')),
  ];
  for (const text of texts) {
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  }
}
