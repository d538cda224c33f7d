import type { Detection, JoinedFile } from '../../../../model.ts';
import type { ScanDialect } from '../../../../validate/scan/text-view.ts';
import type { PlainKeys } from '../row-keys.ts';
import type { RowsResult } from './join-exports.ts';
import type { CellStore } from './cell-store.ts';
import { given, type JoinKernel } from './join-kernel.ts';
import type { PartIndex } from './part-index.ts';
import { keepBytes, linesBefore, plainRows, setCharset, type PlainRows } from './plain-rows.ts';

/** A partner, and what stands in its place behind a row without one. */
type JoinedPartner = { index: PartIndex; cells: CellStore; empties: Buffer; account: JoinedFile };

/**
 * A list and its partners, and who gets what is written of it, and how many of those rows have a number that no partner has. The first `most` rows that
 * lack a partner are shown.
 */
type Joining = {
  detection: Pick<Detection, 'header' | 'headerLine' | 'charset'>;
  keys: PlainKeys | null;
  width: number;
  partners: JoinedPartner[];
  most: number;
  write: (bytes: Buffer, from: number, to: number) => void;
  countWithoutAny: (rows: number) => void;
};

/* The words of a partner, as kernel/join/partner.ts has them. */
const [SHOWS_MISSING, JOINED, MISSING, NEXT, MET_COUNT] = [4, 5, 6, 8, 11];
/** What is written at a time: more where rows bring long cells, unless they are longer still. */
const [OUT, MOST_OUT] = [1 << 18, 1 << 25];
/** A job has no more than this: rows for which that is too little are taken by the thread that reads. */
const MOST_OF_JOB = 1 << 20;
/** Rows with the longest cells that fit into it. */
const ROWS_OUT = 4;

/** Writes the plain rows of a list with the cells of their partners, and counts them in the accounts of these. */
export function joinedRows(
  kernel: JoinKernel,
  { detection, keys, width, partners, most, write, countWithoutAny }: Joining,
): (dialect: ScanDialect) => PlainRows | null {
  const { calls } = kernel;
  return (dialect) => {
    const brought = partners.reduce((sum, { cells, empties }) => sum + Math.max(cells.longest, empties.length), 0);
    const size = Math.min(MOST_OUT, Math.max(OUT, ROWS_OUT * brought));
    const side = (isOfJobs: boolean) => {
      const room = isOfJobs ? Math.min(size, MOST_OF_JOB) : size;
      const addresses = partners.map((partner) => addPartner(kernel, partner));
      for (const [at, address] of addresses.entries()) kernel.words()[address / 4 + NEXT] = addresses[at + 1] ?? 0;
      const [first, out] = [addresses[0]!, kernel.allocate(room)];
      return {
        args: (from: number, to: number) => {
          const words = kernel.words();
          for (const [at, { account }] of partners.entries()) {
            const its = addresses[at]! / 4;
            words[its + SHOWS_MISSING] = Number(account.examples.withoutPartner.length < most);
            words[its + JOINED] = words[its + MISSING] = words[its + MET_COUNT] = 0;
          }
          return [first, from, to, out, out + room] as const;
        },
        accept: (result: RowsResult) => {
          if (result.taken === 0) return result;
          const words = kernel.words();
          for (const [at, { account }] of partners.entries()) {
            account.joined += words[addresses[at]! / 4 + JOINED]!;
            account.withoutPartner += words[addresses[at]! / 4 + MISSING]!;
          }
          calls.markMet(first);
          countWithoutAny(result.withoutAny);
          write(kernel.memory(), out, result.outEnd);
          return result;
        },
      };
    };
    const file = { dialect, keys, cells: { least: width, most: width }, headerLine: linesBefore(detection) };
    const rows = plainRows(kernel, file, { call: 'joinRows', side });
    setCharset(kernel, detection.charset);
    return rows;
  };
}

/** Puts a partner where the kernel finds it. */
function addPartner(kernel: JoinKernel, { index, cells, empties }: JoinedPartner): number {
  const address = given(kernel.calls.createPartner());
  const at = keepBytes(kernel, empties);
  kernel.words().set([index.address, cells.address, at, at + empties.length], address / 4);
  return address;
}
