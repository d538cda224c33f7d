/** One check of a receipt. `unavailable`: the service refused the operation, which is not a failure. */
export type ReceiptCheck = { check: string; result: 'ok' | 'failed' | 'unavailable'; detail: string };

/** The proof that a dataset is live. `verified`: no check failed and at least one is ok. */
export type Receipt = { verified: boolean; checks: ReceiptCheck[] };

/** A row of the service's `.errors` file, traced back to the supplier's file and line where that is certain. */
export type Rejection = {
  /** The sheet of a workbook in which the row is, else null. */
  sheet: string | null;
  line: number | null;
  file: string | null;
  code: string | null;
  message: string;
  brand: string | null;
  oem: string | null;
  match: 'exact' | 'ambiguous' | 'none';
  /** Of an ambiguous one: the first rows that fit, and how many do. */
  candidates?: { feed: string; file?: string | undefined; sheet: string | null; line: number }[];
  fits?: number;
};

/** A row that the service rejects, and whose it is. */
export type FeedRejection = Rejection & { feed: string };

/** The upload of a run as users see it. */
export type UploadAnswer = {
  offerId: string | null;
  state: string;
  token: string;
  attempts: number;
  adopted: boolean;
  /** What an upload that is not finished waits for. */
  note?: string;
};
