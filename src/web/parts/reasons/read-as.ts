import type { Dialect } from '../../../model.ts';
import { evidenceIn } from '../../../wording/columns/evidence-in.ts';
import { dialectText } from '../../../wording/files/dialect.ts';

import { html, type Html } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { dialectWords, evidenceWords } from '../../../wording/ops/reading-said.ts';
import { programsWords, readsOps } from './said.ts';

/** How a file is written, in the reader's language. */
export function dialectFor(dialect: Dialect, language: Language): string {
  return readsOps(language) ? dialectText(dialect) : dialectWords(dialect, language);
}

/** Why a column is taken for what it is, in the reader's language where the evidence has words in it. */
export function evidenceFor(evidence: string, language: Language): Html {
  const known = readsOps(language) ? null : evidenceIn(evidence);
  return known === null ? programsWords(evidence, language) : html`<bdi>${evidenceWords(known, language)}</bdi>`;
}
