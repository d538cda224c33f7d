import type { Detection } from '../../model.ts';
import { open } from 'node:fs/promises';
import { decodeBytes } from '../../io/text-decode.ts';
import { needsTidying, tidyText } from '../../io/tidy-text.ts';
import { hasLooseQuotes } from './loose-quotes.ts';
import type { TableShape } from './swallowed-rows.ts';
import type { ScanDialect } from './text-view.ts';

/** This many bytes show how a file uses quotes. */
const BEGINNING = 256 * 1024;

/** What a scanner needs to know about a file; judged by its beginning, so that every part of it is read by the same rules. */
export async function tableShapeOf(path: string, detection: Detection, dialect: ScanDialect): Promise<TableShape> {
  const { charset, bom, headerLine, columns } = detection;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(BEGINNING), 0, BEGINNING, 0);
  const text = decodeBytes(buffer.subarray(0, bytesRead), charset);
  const whole = bom && text.startsWith('\uFEFF') ? text.slice(1) : text;
  const beginning = needsTidying(detection) ? tidyText(whole, detection) : whole;
  return {
    width: columns.length === 0 ? null : columns.length,
    looseQuotes: hasLooseQuotes(beginning, dialect, headerLine),
  };
}
