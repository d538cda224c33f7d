import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTextWriter } from '../../src/io/text-writer.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('text is written at each flush', async () => {
  const path = join(tempFolder(), 'rows');
  await using writer = await openTextWriter(path);
  writer.write('a\n');
  writer.write('ф\n');
  await writer.flush();
  expect(readFileSync(path, 'utf8')).toBe('a\nф\n');
  writer.write('b\n');
  await writer.flush();
  await writer.flush();
  expect(readFileSync(path, 'utf8')).toBe('a\nф\nb\n');
});

test('who borrows the end of the file writes there, and what is written later follows', async () => {
  const path = join(tempFolder(), 'rows');
  await using writer = await openTextWriter(path);
  writer.write('фa\n');
  const { file, bytes } = await writer.lend();
  expect(bytes).toBe(4);
  expect(() => writer.write('x')).toThrow('is lent');
  writeSync(file, 'late\nnever counted\n', 9);
  writeSync(file, 'else\n', 4);
  await writer.giveBack(14);
  writer.write('b\n');
  await writer.flush();
  expect(readFileSync(path, 'utf8')).toBe('фa\nelse\nlate\nb\n');
});

test.runIf(process.platform === 'linux')('a full disk is said', async () => {
  await using writer = await openTextWriter('/dev/full');
  writer.write('a');
  await expect(writer.flush()).rejects.toMatchObject({ code: 'disk-full', retryable: true });
});
