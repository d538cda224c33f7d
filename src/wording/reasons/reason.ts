/** The sentences of a kind of reason, by code; each is made from the facts that belong to the code. */
export type Sentences = Record<string, (facts: never) => string>;

/** One of the reasons that a table has sentences for: its code with its facts. */
export type ReasonIn<Table extends Sentences> = {
  [Code in keyof Table]: { code: Code } & Parameters<Table[Code]>[0];
}[keyof Table];

/** The columns that the ledger keeps a reason in, beside the sentence as it was worded at the time. */
export type StoredReason = { reason_code: string | null; reason_facts: string | null };

/** The sentence of a reason. */
export function sentenceIn(table: Sentences, { code, ...facts }: { code: string }): string {
  if (!Object.hasOwn(table, code)) throw new Error(`there is no sentence for the reason ${code}`);
  return table[code]!(facts as never);
}

/** The columns of a reason; equal facts make equal columns. */
export function storeReason(reason: { code: string } | null): StoredReason {
  if (reason === null) return { reason_code: null, reason_facts: null };
  const { code, ...facts } = reason;
  const sorted = Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1));
  return { reason_code: code, reason_facts: JSON.stringify(Object.fromEntries(sorted)) };
}

/**
 * The reason in its columns; null without a code, and for one that cannot be worded: damaged facts, or a code that only a later
 * version knows, also inside another reason. The sentence that was stored beside it says the same.
 */
export function readReason<Table extends Sentences>(table: Table, stored: StoredReason): ReasonIn<Table> | null {
  const { reason_code: code, reason_facts: facts } = stored;
  if (code === null) return null;
  try {
    const reason = { ...(JSON.parse(facts ?? '{}') as object), code } as ReasonIn<Table>;
    sentenceIn(table, reason);
    return reason;
  } catch {
    return null;
  }
}
