import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { PACKAGE, RESULT, type ChildResult, type ChildTask, type WrittenSheet } from './child-task.ts';
import { packageIn, readWorkbook } from './read-workbook.ts';
import { writeRows } from './row-files.ts';

await readTask(JSON.parse(process.argv[2] ?? '') as ChildTask);

/** The process that reads one workbook: its only argument is the task. A thread beside it ends it when it must not go on. */
async function readTask(task: ChildTask): Promise<void> {
  const guard = new Worker(new URL('./child-guard.ts', import.meta.url), { workerData: task.memory });
  await once(guard, 'online');
  const result = await resultOf(task);
  const path = join(task.folder, RESULT);
  writeFileSync(`${path}.part`, JSON.stringify(result));
  renameSync(`${path}.part`, path);
  await guard.terminate();
}

async function resultOf(task: ChildTask): Promise<ChildResult> {
  try {
    const sheets = await writeSheets(task);
    return sheets === 'package' ? { ok: true, sheets } : { ok: true, sheets };
  } catch (error) {
    if (!(error instanceof OfferlineError)) {
      return { ok: false, code: null, message: messageOf(error), systemCode: systemCode(error) ?? null };
    }
    const { code, message, details } = error;
    return { ok: false, code, message, details };
  }
}

async function writeSheets({ path, folder, ...task }: ChildTask): Promise<WrittenSheet[] | 'package'> {
  const bytes = readFileSync(path);
  const decrypted = packageIn(task.name, bytes);
  if (decrypted !== null && !isBinary(decrypted)) {
    writeFileSync(join(folder, PACKAGE), decrypted);
    return 'package';
  }
  const sheets = await readWorkbook({ ...task, bytes: decrypted ?? bytes });
  let left = task.limits.fileSize;
  return sheets.map(({ name, hidden, rows, merged, findings }, at) => {
    const file = `sheet-${at}.ndjson`;
    left -= writeRows(join(folder, file), rows(), left);
    const { hiddenColumns, ...met } = findings;
    return { name, hidden, file, merged, findings: { ...met, hiddenColumns: [...hiddenColumns] } };
  });
}

/** True for the package of a binary workbook (XLSB). */
function isBinary(bytes: Buffer): boolean {
  return bytes.includes('xl/workbook.bin', 0, 'latin1');
}
