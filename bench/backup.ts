/**
 * Measures backups: `npm run bench:backup`. A home with 20,000 runs and 300 MB of files (`RUNS`, `MB` say otherwise) is backed up to a folder, beside
 * `rsync -a` of its archive and `sqlite3 .backup` of its ledger, which somebody would run otherwise, in turns; then once more after a day's runs. The
 * table goes to bench/backup-results.md. Needs rsync and sqlite3.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { configure, fillHome } from './web/fill-ledger.ts';

const RUNS = Number(process.env['RUNS'] ?? 20_000);
const MB = Number(process.env['MB'] ?? 300);
/** Of the runs, those of one more day of 90. */
const DAY = Math.round(RUNS / 90);
const TURNS = 3;
const FULL = 20_000;

const program = fileURLToPath(new URL('../bin/offerline', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bench-backup-'));
const home = join(folder, 'home');
const file = configure(folder, { runs: RUNS, feeds: 30, logins: 5, incidents: 200, seed: 7 });
const bytes = Math.round((MB * 1e6) / (2 * RUNS));

try {
  await fillHome(file, home, { runs: RUNS, feeds: 30, logins: 5, incidents: 200, seed: 7 });
  forgetOthers();
  giveFiles('order by created_at', RUNS);
  const turns = Array.from({ length: TURNS }, takeTurn);
  const ratio = median(turns.map(({ others, ours }) => others / ours));
  const place = join(folder, 'place');
  const first = backUp(place);
  const size = sizeOf(place);
  giveFiles('order by created_at desc', DAY);
  const next = backUp(place);
  const share = (sizeOf(place) - size) / size;
  const row = (what: string, ...cells: string[]) => `| ${[what, ...cells].join(' | ')} |`;
  const page = [
    '# Backups',
    '',
    `\`npm run bench:backup\`: ${RUNS} runs, ${MB} MB of files, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}. Medians of`,
    `${TURNS} turns; \`rsync -a\` and \`sqlite3 .backup\` copy the same files in the same turn.`,
    '',
    '| what | s | |',
    '| --- | --- | --- |',
    row('`rsync -a` and `sqlite3 .backup`', seconds(median(turns.map(({ others }) => others))), ''),
    row(
      '`offerline backup`, the first',
      seconds(median(turns.map(({ ours }) => ours))),
      `${ratio.toFixed(2)} × as fast`,
    ),
    row(
      `\`offerline backup\`, after ${DAY} more runs`,
      seconds(next),
      `${(100 * share).toFixed(1)} % of the bytes of the first`,
    ),
    row('`offerline backup --verify`', seconds(timed(program, ['backup', place, '--verify'])), ''),
    '',
    `The first one of the last two lines took ${seconds(first)} s.`,
    '',
  ].join('\n');
  process.stdout.write(page);
  if (RUNS >= FULL) writeFileSync(new URL('backup-results.md', import.meta.url), page);
} finally {
  rmSync(folder, { recursive: true });
}

/** What the filled ledger names beside, and nobody has made. */
function forgetOthers(): void {
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'));
  try {
    ledger.exec(`update datasets set sha256 = '${keep()}', index_sha = '${keep()}'`);
    ledger.exec('update uploads set errors_sha = null');
    ledger.exec('update mails set message_sha = null');
    ledger.exec('update runs set sample_sha = null, issues_sha = null, rejections_sha = null');
  } finally {
    ledger.close();
  }
}

/** Gives so many runs a delivery and rows of their own. */
function giveFiles(order: string, count: number): void {
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'));
  try {
    const set = ledger.prepare('update runs set delivery_sha = ?, rows_sha = ? where id = ?');
    const ids = ledger.prepare(`select id from runs ${order} limit ?`).all(count) as { id: string }[];
    ledger.exec('begin');
    for (const { id } of ids) set.run(keep(), keep(), id);
    ledger.exec('commit');
  } finally {
    ledger.close();
  }
}

function keep(): string {
  const content = randomBytes(bytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const path = join(home, 'archive', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return sha256;
}

function takeTurn(): { others: number; ours: number } {
  const [copy, place] = [join(folder, 'copy'), join(folder, 'turn')];
  mkdirSync(copy);
  const others =
    timed('rsync', ['-a', `${join(home, 'archive')}/`, join(copy, 'archive')]) +
    timed('sqlite3', [join(home, 'ledger.sqlite'), `.backup '${join(copy, 'ledger.sqlite')}'`]);
  const ours = backUp(place);
  for (const made of [copy, place]) rmSync(made, { recursive: true });
  return { others, ours };
}

function backUp(place: string): number {
  return timed(program, ['backup', place, '--config', file, '--home', home]);
}

function timed(command: string, args: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return (performance.now() - begun) / 1000;
}

function sizeOf(path: string): number {
  return Number(spawnSync('du', ['-sb', path], { encoding: 'utf8' }).stdout.split('\t')[0]);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function seconds(value: number): string {
  return value.toFixed(1);
}
