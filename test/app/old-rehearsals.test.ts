import { mkdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { holdRehearsal, oldRehearsals, rehearsalsIn } from '../../src/app/old-rehearsals.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUR = 3_600_000;

/** A home with rehearsals that were last at work so many hours ago, by their names. */
function homeWith(rehearsals: Record<string, number>): string {
  const home = tempFolder();
  for (const name of Object.keys(rehearsals)) mkdirSync(join(rehearsalsIn(home), name), { recursive: true });
  age(home, rehearsals);
  return home;
}

function age(home: string, rehearsals: Record<string, number>): void {
  for (const [name, hours] of Object.entries(rehearsals)) {
    const at = new Date(Date.now() - hours * HOUR);
    utimesSync(join(rehearsalsIn(home), name), at, at);
  }
}

const namesOf = async (...asked: Parameters<typeof oldRehearsals>) =>
  (await oldRehearsals(...asked)).map(({ path }) => basename(path));

test('rehearsals beyond the newest are old, and those from before a time', async () => {
  const home = homeWith({ a: 500, b: 200, c: 3, d: 2 });
  expect(await namesOf(home, { newest: 2 })).toEqual(['b', 'a']);
  expect(await namesOf(home, { newest: 10, before: Date.now() - 300 * HOUR })).toEqual(['a']);
  expect(await namesOf(tempFolder(), { newest: 0 })).toEqual([]);
});

test('one that was at work within the hour stays, and one in which a process is at work, however old', async () => {
  const ages = { a: 500, b: 200, c: 0 };
  const home = homeWith(ages);
  const release = holdRehearsal(join(rehearsalsIn(home), 'b'));
  age(home, ages);
  expect(await namesOf(home, { newest: 0 })).toEqual(['a']);
  release();
  age(home, ages);
  expect(await namesOf(home, { newest: 0 })).toEqual(['b', 'a']);
});
