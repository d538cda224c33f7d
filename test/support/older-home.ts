import { cpSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/** The installation that version 0.1 left; its README.md says what is in it. */
export const OLDER_HOME = fileURLToPath(new URL('../fixtures/home-0.1', import.meta.url));

/** The name of every credential that the installation's configuration takes from the environment. */
export const CREDENTIALS = { MAIN_PASSWORD: 'p1', WEST_TOKEN: 'p2', SHARED_KEY: 'p3', SLOW_TOKEN: 'p4' };

/** Whom the service of the installation lets in: its login `closed` is refused. */
export const SERVICE_SETTINGS = {
  logins: [
    { auth: { type: 'basic', user: 'main', password: CREDENTIALS.MAIN_PASSWORD } },
    { auth: { type: 'bearer', token: CREDENTIALS.WEST_TOKEN } },
    { auth: { type: 'header', name: 'X-Api-Key', value: CREDENTIALS.SHARED_KEY } },
    { auth: { type: 'bearer', token: CREDENTIALS.SLOW_TOKEN } },
  ] as const,
};

/** Stands for the folder of the installation wherever the fixture names it. */
export const FOLDER = '/srv/offerline';

/** What was noted when the installation was made. */
export type Notes = {
  /** When its last process ended, in epoch milliseconds. */
  endedAt: number;
  /** When each delivered file was changed. */
  delivered: Record<string, number>;
};

/** A copy of the installation as it would be had its last process ended ten minutes ago. */
export type MovedHome = { folder: string; home: string; service: string; moved: (text: string) => string };

const TEN_MINUTES = 600_000;
const DATABASES = ['home/ledger.sqlite', 'service/sandbox.sqlite'];

/** Epoch milliseconds of the years 2020 to 2096, and nothing else that the databases count or name. */
const MILLISECONDS = /(?<![\w.])(?:1[6-9]|[23]\d)\d{11}(?=\.\d|\b)/gu;
const WRITTEN = /(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(\.\d{3})?/gu;

/**
 * Copies the installation into a folder and moves all of its times. What it does next depends on how long ago things happened (a
 * reminder a day, waits, expiry, retention), so that a copy with its own times would do something else each year.
 */
export function copyOlderHome(folder: string, now = Date.now()): MovedHome {
  const { endedAt, delivered } = JSON.parse(readFileSync(join(OLDER_HOME, 'notes.json'), 'utf8')) as Notes;
  // Whole seconds: some texts tell no less.
  const by = Math.floor((now - TEN_MINUTES - endedAt) / 1000) * 1000;
  for (const part of ['home', 'service', 'inbox', 'offerline.yaml']) {
    cpSync(join(OLDER_HOME, part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, 'home/archive/tmp'), { recursive: true });
  for (const [file, at] of Object.entries(delivered)) {
    utimesSync(join(folder, file), (at + by) / 1000, (at + by) / 1000);
  }
  for (const file of DATABASES) {
    rewrite(join(folder, file), { by, text: (text) => moveTimes(text, by).replaceAll(FOLDER, folder) });
  }
  return {
    folder,
    home: join(folder, 'home'),
    service: join(folder, 'service'),
    moved: (text) => moveTimes(text.replaceAll(folder, FOLDER), -by),
  };
}

/** Moves the times in a text, as numbers and as people write them. */
function moveTimes(text: string, by: number): string {
  return text
    .replaceAll(MILLISECONDS, (ms) => String(Number(ms) + by))
    .replaceAll(WRITTEN, (_, date: string, between: string, time: string, fraction = '') => {
      const at = new Date(Date.parse(`${date}T${time}Z`) + by).toISOString();
      return `${at.slice(0, 10)}${between}${at.slice(11, 19)}${fraction}`;
    });
}

/** Changes all texts of a database and all times in it, whatever tables and columns its schema has. */
export function rewrite(file: string, { by, text }: { by: number; text: (text: string) => string }): void {
  // Rows that name each other are changed one after the other.
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    db.function('rewritten', { deterministic: true }, (value) => text(String(value)));
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();
    for (const { name: table } of tables) {
      for (const { name: column } of db.prepare(`select name from pragma_table_info('${String(table)}')`).all()) {
        const place = `"${String(table)}" set "${String(column)}" =`;
        db.exec(`update ${place} rewritten("${String(column)}") where typeof("${String(column)}") = 'text'`);
        db.prepare(
          `update ${place} "${String(column)}" + ? where typeof("${String(column)}") in ('integer', 'real') and "${String(column)}" between 1.6e12 and 4e12`,
        ).run(by);
      }
    }
    // One file, without a journal beside it.
    db.exec('vacuum; pragma journal_mode = delete');
  } finally {
    db.close();
  }
}

/** What is asked of the installation, by the name of the file that keeps the answer; each answer is one JSON value. */
export function questionsTo(runs: string[]): Record<string, string[]> {
  return {
    runs: ['runs', '--json', '--limit', '1000'],
    feeds: ['feeds', '--json'],
    logins: ['logins', '--json'],
    incidents: ['incidents', '--all', '--json'],
    'trace-won': ['trace', 'bosch', 'b-1', '--json'],
    'trace-lost': ['trace', 'ATE', 'A3', '--json'],
    'trace-held': ['trace', 'BREMBO', 'B10', '--json'],
    ...Object.fromEntries(runs.map((run) => [`show-${run}`, ['show', run, '--json']])),
    'report-first': ['report', runs.at(-1) ?? '', '--format', 'json', '--out', '-'],
    verify: ['verify', '--json'],
    doctor: ['doctor', '--json'],
  };
}
