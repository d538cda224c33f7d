import type { MessageKey } from '../../language/language.ts';

/**
 * A sentence that the ledger keeps as it was worded, with the names of its facts, and the message that says the same. Facts called
 * `quoted` are the words of others; `because` and `obstacle` are kept sentences themselves; `time` is a moment in ISO 8601 or as it was worded.
 */
export type KeptSentence = [RegExp, MessageKey];
