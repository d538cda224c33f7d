import { open, rename, rm, type FileHandle } from 'node:fs/promises';

/** What is wrong with one row of the uploaded file. */
type RowError = { line: number; code: string; message: string; cells: readonly string[] };

/** Writes the error file of one upload: tab separated UTF-8 with a header, the error's columns before the row's own. */
export type ErrorFile = {
  /** Resolves when more may be written. */
  add: (error: RowError) => Promise<void>;
  /** Puts the file in its place, safe on disk; without any error there is no file. */
  finish: () => Promise<void>;
  /** Removes what was written. */
  discard: () => Promise<void>;
};

/** The columns before the row's own, by header; and those of the row that are left out. */
type ErrorColumns = { columns: Record<string, 'line' | 'code' | 'message' | 'blank'>; omit?: readonly string[] };

const BUFFER_CHARACTERS = 65_536;

export function createErrorFile(
  path: string,
  header: readonly string[],
  { columns, omit = [] }: ErrorColumns,
): ErrorFile {
  const facts = Object.values(columns);
  const shown = header.map((name) => !omit.includes(name.trim()));
  const own = (cells: readonly string[]) => cells.filter((_, at) => shown[at] ?? true);
  const unfinished = `${path}.part`;
  let handle: FileHandle | undefined;
  let pending = '';
  const flush = async () => {
    handle ??= await open(unfinished, 'w');
    await handle.write(pending);
    pending = '';
  };
  const close = async () => {
    await handle?.close();
    handle = undefined;
  };
  return {
    add: async (error) => {
      if (handle === undefined && pending === '') pending = line([...Object.keys(columns), ...own(header)]);
      pending += line([...facts.map((fact) => (fact === 'blank' ? '' : String(error[fact]))), ...own(error.cells)]);
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    finish: async () => {
      if (pending !== '') await flush();
      if (handle === undefined) return;
      await handle.sync();
      await close();
      await rename(unfinished, path);
    },
    discard: async () => {
      await close();
      await rm(unfinished, { force: true });
    },
  };
}

/** Tabs and line breaks inside a cell become spaces, since the file knows no quotes. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')).join('\t')}\n`;
}
