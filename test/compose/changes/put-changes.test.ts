import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { putChanges } from '../../../src/compose/changes/put-changes.ts';
import { partKey } from '../../../src/parts/part-key.ts';
import { repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const KEYS = ['brand', 'oem', 'name'];

/** A row of changes: the part is set, or taken away. */
type Change = { cells: string[]; removes?: true };

/** Puts changes upon rows, as lines `<line>\t<cell>…`; the rows of the base begin at line 2, those of the changes, too. */
async function put(base: string[] | null, changes: Change[], { lines = 100, starts = [101], columns = KEYS } = {}) {
  const folder = tempFolder();
  const [was, upon, path] = ['base', 'changes', 'result'].map((name) => join(folder, name)) as [string, string, string];
  if (base !== null) writeFileSync(was, base.map((row) => `${row}\n`).join(''));
  const written = changes.map(({ cells, removes }, at) => `${at + 2}\t${cells.join('\t')}\t${removes ? '-' : ''}\n`);
  writeFileSync(upon, written.join(''));
  const input = { base: base === null ? null : { path: was, columns }, changes: upon, keys: KEYS, lines, starts, path };
  const { repeated, ...result } = await putChanges(input);
  const pairs = Array.from(repeated.lines, (line, at) => `${line} by ${repeated.last[at]}`);
  return { ...result, repeated: pairs, rows: readFileSync(path, 'utf8').split('\n').slice(0, -1) };
}

test('changes set parts, take them away, and leave the others as they were', async () => {
  const base = ['2\tBOSCH\t1\tPads', '3\tBOSCH\t2\tDisc', '4\tATE\t3\tHose', '5\tATE\t4\tPin'];
  const changes: Change[] = [
    { cells: ['bosch', '1', 'Pads, front'] },
    { cells: ['ATE', '3', 'Hose'] },
    { cells: ['ATE', '4', ''], removes: true },
    { cells: ['SKF', '9', 'Bearing'] },
    { cells: ['SKF', '10', ''], removes: true },
  ];
  expect(await put(base, changes)).toEqual({
    rows: ['2\tbosch\t1\tPads, front', '3\tATE\t3\tHose', '5\tSKF\t9\tBearing', '103\tBOSCH\t2\tDisc'],
    set: 3,
    used: [true],
    repeated: [],
    counts: { base: 4, carried: 1, added: 1, changed: 1, same: 1, removed: 1, absent: 1 },
  });
});

test('of several rows of a part the last one counts, whatever it does', async () => {
  const changes: Change[] = [
    { cells: ['ATE', '3', 'first'] },
    { cells: ['ATE', '4', ''], removes: true },
    { cells: ['ate', '3', 'second'] },
    { cells: ['ATE', '4', 'back'] },
    { cells: ['ATE', '5', 'new'] },
    { cells: ['ATE', '5', ''], removes: true },
  ];
  const { rows, counts, repeated } = await put(['2\tATE\t3\tHose'], changes);
  expect(rows).toEqual(['4\tate\t3\tsecond', '5\tATE\t4\tback']);
  expect(counts).toEqual({ base: 1, carried: 0, added: 1, changed: 1, same: 0, removed: 0, absent: 1 });
  // A row that took its part away counts as that.
  expect(repeated).toEqual(['2 by 4', '6 by 7']);
});

test('without rows before them the changes are all there is', async () => {
  const { rows, counts } = await put(null, [{ cells: ['ATE', '3', ''] }, { cells: ['ATE', '4', ''], removes: true }], {
    starts: [],
  });
  expect(rows).toEqual(['2\tATE\t3\t']);
  expect(counts).toEqual({ base: 0, carried: 0, added: 1, changed: 0, same: 0, removed: 0, absent: 1 });
});

test('rows that were kept with other columns get those of now', async () => {
  const { rows } = await put(['2\t3\tATE\tx', '3\t4\tATE\ty'], [{ cells: ['ATE', '4', 'Pin'] }], {
    columns: ['oem', 'brand', 'stock'],
  });
  expect(rows).toEqual(['2\tATE\t4\tPin', '102\tATE\t3\t']);
});

test('a delivery of which no row is left is named no more', async () => {
  const base = ['2\tATE\t1\t', '12\tATE\t2\t', '22\tATE\t3\t'];
  const { used } = await put(base, [{ cells: ['ATE', '2', ''] }], { starts: [101, 111, 121] });
  expect(used).toEqual([true, false, true]);
});

const anyPart = fc.record({
  brand: fc.constantFrom('ATE', 'ate', 'SKF', 'Škoda', 'Бош'),
  oem: fc.constantFrom('1', '2', '1-0', '10', '3.1', 'х1'),
  name: fc.constantFrom('', 'Hose', 'Pads'),
  removes: fc.boolean(),
});

test('however changes follow one another, the result is that of a plain map', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyPart, { maxLength: 8 }), { maxLength: 5 }), async (deliveries) => {
      const model = new Map<string, string>();
      let rows: string[] | null = null;
      for (const delivery of deliveries) {
        const changes = delivery.map(({ brand, oem, name, removes }): Change => {
          const cells = [brand, oem, name];
          return removes ? { cells, removes } : { cells };
        });
        for (const { cells, removes } of changes) {
          const key = partKey(cells[0]!, cells[1]!);
          if (removes === true) model.delete(key);
          else model.set(key, cells.join('\t'));
        }
        const before: number = rows?.length ?? 0;
        const made: Awaited<ReturnType<typeof put>> = await put(rows, changes, { starts: rows === null ? [] : [101] });
        const { counts } = made;
        expect(counts.base).toBe(before);
        expect(counts.carried + counts.changed + counts.same + counts.removed).toBe(before);
        expect(made.rows.length).toBe(made.set + counts.carried);
        expect(made.repeated.length).toBe(changes.filter(({ removes }) => removes !== true).length - made.set);
        const numbers = made.rows.map((row: string) => Number(row.split('\t')[0]));
        expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
        rows = made.rows;
      }
      const cells = (rows ?? []).map((row: string) => row.slice(row.indexOf('\t') + 1));
      expect(cells.toSorted()).toEqual([...model.values()].toSorted());
    }),
    { numRuns: repetitions(60) },
  );
});
