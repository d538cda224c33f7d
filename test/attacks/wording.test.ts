import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { controlOf } from '../support/control.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** A shop whose first delivery is live at a sandbox that can be made to go wrong; its manager hears of every problem. */
async function shopOf(rows: number) {
  const service = await sandboxForTest({ control: true });
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard: { maxRowDrop: '50%' } } },
    managers: [{ email: 'brakes@example.com', audience: 'ops', when: ['problem'] }],
  });
  shop.deliver('north', '1.csv', priceRows(rows));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', now: { live: rows, doubt: null } });
  return { service, shop, control: controlOf(service.url) };
}

function priceRows(count: number): string {
  return ['brand;oem;name', ...Array.from({ length: count }, (_, at) => `BOSCH;B${at};Brake pads`), ''].join('\n');
}

/** The only mail in the outbox, with the soft line breaks of its transfer encoding taken out. */
function mailOf(shop: Installation): string {
  const outbox = join(shop.home, 'outbox');
  const [name, ...more] = existsSync(outbox) ? readdirSync(outbox).filter((file) => file.endsWith('.eml')) : [];
  expect(more).toEqual([]);
  return readFileSync(join(outbox, name ?? ''), 'utf8')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function pageOf({ reports }: RunAnswer): string {
  return readFileSync(reports?.html ?? '', 'utf8')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('a held delivery is told with what is live all the same', async () => {
  const { shop } = await shopOf(1500);
  shop.deliver('north', '2.csv', priceRows(3));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard', rows: { live: 0 }, now: { live: 1500, doubt: null } });
  const shown = (await shop.offerline('show', held.run)).stdout;
  for (const text of [mailOf(shop), pageOf(held), shown]) {
    expect(text).toMatch(/From this file:? +nothing/i);
    expect(text).toMatch(/Still (?:live|online):? +1,500 (?:rows|parts) since /);
    expect(text).toContain(`offerline approve ${held.run}`);
  }
});

describe('after an upload that the service did not carry out', () => {
  test.each([
    ['fail', 'upload-failed'],
    ['abort', 'upload-aborted'],
  ] as const)('%s: the way out is the upload, not another file', async (fault, cause) => {
    const { shop, control } = await shopOf(4);
    await control.faults({ fault });
    shop.deliver('north', '2.csv', priceRows(5));
    const answer = await shop.ingest('north');
    expect(answer).toMatchObject({ outcome: 'failed', cause });
    const rerun = `offerline rerun ${answer.run} --from upload`;
    const incidents = (await shop.offerline('incidents', '--feed', 'north')).stdout;
    for (const text of [incidents, mailOf(shop), pageOf(answer)]) {
      expect(text).toContain(rerun);
      expect(text).not.toMatch(/good file/i);
    }
    await control.clear();
    const [, ...args] = rerun.split(' ');
    expect((await shop.offerline(...args, '--wait')).status).toBe(0);
    await until(async () => ((await shop.offerline('incidents')).stdout === 'No open incidents.\n' ? true : undefined));
  });
});
