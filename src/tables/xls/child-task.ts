import type { ErrorCode } from '../../errors.ts';
import type { SheetFindings } from '../sheet/sheet-findings.ts';
import type { MergedCells } from '../merged-cells.ts';
import type { TableLimits } from '../table-file.ts';

/** What the child process has to read, and where it writes rows and result. Its memory is in bytes. */
export type ChildTask = {
  path: string;
  name: string;
  codePage: number | null;
  limits: TableLimits;
  /** A folder of its own. */
  folder: string;
  memory: number;
};

/** A sheet whose rows the child has written into a file of its folder. Columns are numbered from 0. */
export type WrittenSheet = {
  name: string;
  hidden: boolean;
  file: string;
  merged: MergedCells[];
  findings: Omit<SheetFindings, 'hiddenColumns'> & { hiddenColumns: number[] };
};

/** What the child leaves in `RESULT`. */
export type ChildResult =
  | { ok: true; sheets: WrittenSheet[] }
  /** The workbook was an encrypted one of a newer kind, which lies decrypted in `PACKAGE`. */
  | { ok: true; sheets: 'package' }
  | { ok: false; code: ErrorCode; message: string; details: Record<string, unknown> }
  | { ok: false; code: null; message: string; systemCode: string | null };

/** The file of the folder in which a decrypted workbook is. */
export const PACKAGE = 'package.xlsx';

/** The file of the folder that the result is in, once it is whole. */
export const RESULT = 'result.json';
