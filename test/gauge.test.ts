import { expect, test } from 'vitest';
import { count, createGauges, setDone, setTotal, type StageMark } from '../src/gauge.ts';

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

test('a stage within a stage gives its place back', async () => {
  const gauges = createGauges();
  await gauges.during('main', { stage: 'compose', unit: 'rows', total: 5 }, async () => {
    await gauges.during('main', { stage: 'guard', unit: null, total: null }, async () => {
      expect(gauges.of('main')).toMatchObject({ stage: 'guard' });
    });
    expect(gauges.of('main')).toMatchObject({ stage: 'compose', total: 5 });
  });
  expect(gauges.of('main')).toBeNull();
});

test('who watches is told of each stage when it begins, and when it has ended, what was done and how long it took', async () => {
  let now = 1000;
  const gauges = createGauges(() => now);
  const marks: StageMark[] = [];
  const end = gauges.watch((mark) => marks.push(mark));
  const work = gauges.during('north', { stage: 'pull', unit: 'bytes', total: 10 }, async (meter) => {
    count(meter, 4);
    now += 2345;
    throw new Error('the line was cut');
  });
  await expect(work).rejects.toThrow('the line was cut');
  const pull = { subject: 'north', stage: 'pull', unit: 'bytes', total: 10 };
  expect(marks).toEqual([
    { ...pull, done: 0, seconds: null },
    { ...pull, done: 4, seconds: 2.345 },
  ]);
  end();
  await gauges.during('north', { stage: 'read', unit: 'bytes', total: null }, async () => undefined);
  expect(marks).toHaveLength(2);
});
