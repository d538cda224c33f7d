import { execFile } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { MAIN } from '../../support/started-program.ts';

/* A limit for the size of files, 16 KB, is a full disk that needs no rights to be made: what fits is written, then an error comes. */

const BLOCKS = 32;
const ROOM = BLOCKS * 512;

type Ended = { status: number; stdout: string; stderr: string };

/** Runs the real program where no file becomes larger than 16 KB; `into` names a file for its stdout. */
function offerline(args: string[], cwd: string, into?: string): Promise<Ended> {
  const line = `ulimit -f ${BLOCKS}; exec "$0" "$@"${into === undefined ? '' : ` > ${into}`}`;
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', line, process.execPath, MAIN, ...args], { cwd }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** A folder with a list of 3,000 rows: good ones, or without a brand. */
function folderWith(brand: string): string {
  const folder = tempFolder();
  const rows = Array.from({ length: 3000 }, (_, at) => `${brand};N${at}N;Brake pads`);
  writeFileSync(join(folder, 'list.csv'), ['brand;oem;name', ...rows, 'BOSCH;1;x\n'].join('\n'));
  return folder;
}

describe.skipIf(process.platform === 'win32')('a full disk', () => {
  test.each([
    ['--out', 'BOSCH'],
    ['--issues', ''],
    ['--marked', ''],
  ])('check %s ends with 2, says what to do, and leaves nothing', async (option, brand) => {
    const folder = folderWith(brand);
    const ended = await offerline(['check', 'list.csv', option, 'result'], folder);
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^(Cannot write --\w+ result: there is no space left for it\. Free some, or name a file on another disk\.|There is no space left for temporary files in .*TMPDIR\.)\n$/,
      ) as string,
    });
    expect(readdirSync(folder)).toEqual(['list.csv']);
  });

  test('an answer of which a part fits is said to be lost, with status 2', async () => {
    const folder = tempFolder();
    const ended = await offerline(['config', 'schema'], folder, 'schema.json');
    expect(ended.stderr).toBe(
      'The answer could not be written to standard output: there is no space left for it. Free some, or write it to another disk.\n',
    );
    expect(ended.status).toBe(2);
    expect(statSync(join(folder, 'schema.json')).size).toBe(ROOM);
  });

  test('a lost answer is worth 2, whatever the file is', async () => {
    const folder = folderWith('');
    expect(await offerline(['check', 'list.csv', '--json'], folder, '/dev/full')).toMatchObject({ status: 2 });
  });
});
