import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { readSettings, type ColumnSettings } from '../../../src/config/schema/feed-settings.ts';
import { headerFingerprint } from '../../../src/detect/columns/accepted.ts';
import { detect } from '../../../src/detect/detect.ts';
import type { Hints } from '../../../src/detect/hints.ts';
import type { AcceptedColumns } from '../../../src/model.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { columns } = readSettings(READING_DEFAULTS);
const HEADER = ['Xa', 'Xb', 'Xc'];
const ROWS = 'Qorvax;QX 100;1,50\nZelmat;ZM-200;2,50\nQorvax;QX 300;3,50\n';

function accept(header: string[], pairs: [key: string, position: number][], width = 3): AcceptedColumns {
  const named = pairs.map(([key, position]) => ({ key, column: header[position - 1] ?? null, position }));
  const by = { run: 'R1', who: 'ana', reason: 'asked', at: Date.UTC(2026, 4, 4) };
  return { fingerprint: headerFingerprint({ header, width }), columns: named, ...by };
}

async function mapped(text: string, hints: Hints): Promise<string[]> {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, text);
  const { mapping } = await detect(path, { columns, ...hints });
  return mapping
    .map(({ key, position, sure, evidence }) => `${key} ${position}${sure ? '' : '?'}: ${evidence}`)
    .filter((line) => /^(?:brand|oem) /.test(line))
    .sort();
}

const ACCEPTED = 'accepted by ana on 2026-05-04: asked';

test('what was accepted for this header is sure, and nothing for another header', async () => {
  const accepted = [
    accept(['Other', 'Header'], [['brand', 2]]),
    accept(HEADER, [
      ['brand', 1],
      ['oem', 2],
    ]),
  ];
  const both = [`brand 1: ${ACCEPTED}`, `oem 2: ${ACCEPTED}`];
  expect(await mapped(`Xa;Xb;Xc\n${ROWS}`, { accepted })).toEqual(both);
  expect(await mapped(`XA; x_b ;"XC"\n${ROWS}`, { accepted })).toEqual(both);
  expect(await mapped(`Xb;Xa;Xc\n${ROWS}`, { accepted })).not.toContain(`brand 1: ${ACCEPTED}`);
});

test('without a header the width counts', async () => {
  const accepted = [
    accept(
      [],
      [
        ['brand', 1],
        ['oem', 2],
      ],
    ),
  ];
  expect(await mapped(ROWS, { accepted, header: false })).toEqual([`brand 1: ${ACCEPTED}`, `oem 2: ${ACCEPTED}`]);
});

test('the settings win, for their key and for their column', async () => {
  const accepted = [
    accept(HEADER, [
      ['brand', 1],
      ['oem', 2],
    ]),
  ];
  const set = (key: string, change: Partial<ColumnSettings>) =>
    columns.map((column) => Object.assign({}, column, column.key === key ? change : {}));
  const byName = await mapped(`Xa;Xb;Xc\n${ROWS}`, {
    accepted,
    columns: set('oem', { names: ['Xc'], configured: ['Xc'] }),
  });
  expect(byName).toEqual([`brand 1: ${ACCEPTED}`, expect.stringMatching(/^oem 3: /)]);
  const byPosition = await mapped(`Xa;Xb;Xc\n${ROWS}`, { accepted, columns: set('oem', { position: 1 }) });
  expect(byPosition).not.toContain(`brand 1: ${ACCEPTED}`);
  expect(byPosition).toContainEqual(expect.stringMatching(/^oem 1: /));
});

test('a position of the settings is doubted where another name stands there than in the live delivery', async () => {
  const positions: Record<string, number> = { brand: 1, oem: 2 };
  const placed = columns.map((column) => Object.assign({}, column, { position: positions[column.key] ?? null }));
  const live = {
    columns: HEADER,
    width: 3,
    mapping: accept(HEADER, [
      ['brand', 1],
      ['oem', 2],
    ]).columns,
  };
  const earlierHeader = {
    ...live,
    mapping: live.mapping.map((one) => Object.assign({ sure: true, evidence: '' }, one)),
  };
  const moved = `Xa;EAN;Xb\n${ROWS}`;
  const set = { columns: placed, earlierHeader };
  const doubted = 'oem 2?: the settings name position 2, which was "Xb" in the live delivery and is "EAN" now';
  expect(await mapped(moved, set)).toEqual([expect.stringMatching(/^brand 1: /), doubted]);
  expect(await mapped(`XA;XB;Xd\n${ROWS}`, set)).not.toContainEqual(expect.stringContaining('?:'));
  // The settings were changed since.
  const corrected = placed.map((column) => Object.assign({}, column, column.key === 'oem' ? { position: 3 } : {}));
  expect(await mapped(moved, { ...set, columns: corrected })).not.toContainEqual(expect.stringContaining('?:'));
  // A person says that the position is right.
  const accepted = [accept(['Xa', 'EAN', 'Xb'], [['oem', 2]])];
  expect(await mapped(moved, { ...set, accepted })).not.toContainEqual(expect.stringContaining('?:'));
});

test('spelling, spaces and padding do not change a fingerprint; names, order and width without a header do', () => {
  const cell = fc.constantFrom('a', 'b', 'Marke', 'Nr', '');
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 5 }), fc.array(cell, { maxLength: 5 }), fc.nat(3), (one, other, pad) => {
      const cut = (header: string[]) => header.join(';').replace(/;*$/, '').toLowerCase();
      const written = [...one.map((name) => ` ${name.toUpperCase()}`), ...Array.from({ length: pad }, () => '')];
      const fingerprint = headerFingerprint({ header: one, width: 5 });
      expect(headerFingerprint({ header: written, width: 5 })).toBe(fingerprint);
      expect(headerFingerprint({ header: other, width: 5 }) === fingerprint).toBe(cut(one) === cut(other));
    }),
  );
  expect(headerFingerprint({ header: [], width: 3 })).not.toBe(headerFingerprint({ header: [], width: 4 }));
});
