import { expect, test } from 'vitest';
import { count, createGauges, setDone, setTotal } from '../src/gauge.ts';

test('a gauge shows what was counted, of how much, and is gone with its work, however that ends', async () => {
  const gauges = createGauges();
  const work = gauges.during('north', { stage: 'read', unit: 'bytes', total: null }, async (meter) => {
    expect(gauges.of('north')).toEqual({ stage: 'read', unit: 'bytes', done: 0, total: null });
    setTotal(meter, 10);
    count(meter, 3);
    count(meter, 4);
    expect(gauges.of('north')).toMatchObject({ done: 7, total: 10 });
    setDone(meter, 9);
    expect(gauges.of('north')).toMatchObject({ done: 9 });
    expect(gauges.of('south')).toBeNull();
    throw new Error('the disk is full');
  });
  await expect(work).rejects.toThrow('the disk is full');
  expect(gauges.of('north')).toBeNull();
});
