import { expect, test } from 'vitest';
import { controlOf } from '../support/control.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

type Incident = { kind: string; text: string; until: number | null };

test(
  'an attempt that the service accepts ten minutes late is found and recorded, and the current dataset is sent again',
  { timeout: 300_000 },
  async () => {
    const service = await sandboxForTest({ control: true });
    const control = controlOf(service.url);
    const shop = install({ service: { baseUrl: service.url, poll: { watch: '200ms', settle: '300ms' } } });
    await control.faults({ fault: 'late-accept', after: '10m' });
    shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;old\nBOSCH;both\n');
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', upload: { attempts: 2 } });
    shop.deliver('north', 'b.csv', 'brand;oem\nBOSCH;new\nBOSCH;both\n');
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', upload: { attempts: 1 } });
    const [current, first] = await service.offers();

    // What is served now is the first delivery once more: nobody of us did that.
    await control.advance('10m');
    const [late] = await service.offers();
    expect(late?.id).not.toBe(current?.id);
    const up = shop.start('up');
    const restored = await until(async () => {
      const [newest] = await service.offers();
      return newest !== undefined && newest.id !== late?.id && newest.state === 'success' ? newest : undefined;
    });
    expect(await service.source(restored.id)).toBe(await service.source(current?.id ?? ''));
    const incidents = await until(async () => {
      const { stdout } = await shop.offerline('incidents', '--all', '--json');
      const all = JSON.parse(stdout) as Incident[];
      return all.length > 0 && all.every(({ until: end }) => end !== null) ? all : undefined;
    });
    expect(incidents).toMatchObject([{ kind: 'late-arrival', text: expect.stringContaining(late?.id ?? '') }]);

    // Seen once, put right once: the looks that follow find nothing to do.
    up.child.kill('SIGTERM');
    await up.ended;
    expect((await service.offers()).map(({ id }) => id)).toEqual([restored.id, late?.id, current?.id, first?.id]);
    shop.deliver('north', 'c.csv', 'brand;oem\nBOSCH;new\nBOSCH;next\n');
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', upload: { attempts: 1 } });
    expect(await service.offers()).toHaveLength(5);
  },
);
