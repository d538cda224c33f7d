import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';

/** Writes a file of a test; answers with its path. */
export function fileOf(content: string | Buffer, name = 'file.txt'): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Text as UTF-16 with a byte order mark. */
export function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}
