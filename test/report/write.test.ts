import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brandsTouched } from '../../src/report/touched.ts';
import { writeReports } from '../../src/report/write.ts';
import { runAnswer } from '../support/answers.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { rejectedRow, reportInput, rowIssue } from './report-input.ts';

test('writes page, CSV and JSON into a folder that need not exist, and again over themselves', async () => {
  const folder = join(tempFolder(), 'reports', 'run-1');
  const input = reportInput(runAnswer({ outcome: 'rejected', reason: 'No.' }), { issues: [rowIssue()] });
  const paths = await writeReports(input, folder);
  const first = Object.values(paths).map((path) => readFileSync(path, 'utf8'));
  expect(await writeReports(input, folder)).toEqual(paths);
  expect(Object.values(paths).map((path) => readFileSync(path, 'utf8'))).toEqual(first);
  expect(readdirSync(folder).sort()).toEqual(['report.csv', 'report.html', 'report.json']);
  expect(JSON.parse(readFileSync(paths.json, 'utf8'))).toEqual({
    ...input.answer,
    reports: paths,
    events: input.events,
  });
});

test('a report that cannot be finished leaves the old one and no rubbish', async () => {
  const folder = tempFolder();
  const input = reportInput(runAnswer(), { issues: [rowIssue()] });
  const { csv } = await writeReports(input, folder);
  const before = readFileSync(csv, 'utf8');
  // oxlint-disable-next-line require-yield -- it breaks off before the first
  async function* broken(): AsyncGenerator<never> {
    throw new Error('the archive is gone');
  }
  await expect(writeReports({ ...input, rejections: broken }, folder)).rejects.toThrow('the archive is gone');
  expect(readFileSync(csv, 'utf8')).toBe(before);
  expect(readdirSync(folder)).toHaveLength(3);
});

test('a place that cannot be written to is named', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'report.csv'));
  const path = join(folder, 'report.csv');
  await expect(writeReports(reportInput(runAnswer()), folder)).rejects.toThrow(`Cannot write ${path}: `);
});

test('brands are touched by issues and rejections, however they are spelled', async () => {
  const issues = [rowIssue(), rowIssue({ cells: ['', '1', ''] }), rowIssue({ line: null, cells: [] })];
  const input = reportInput(runAnswer(), { issues, rejections: [rejectedRow({ brand: 'Hella-Gutmann' })] });
  const wanted = ['Brembo', 'HELLA GUTMANN', 'ATE', 'brembo'];
  expect(await brandsTouched(input, wanted, (brand) => brand)).toEqual(new Set(['Brembo', 'brembo', 'HELLA GUTMANN']));
});
