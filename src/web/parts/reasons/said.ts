import { html, prose, type Html } from '../../../wording/html.ts';
import { USUAL_LANGUAGE, type Language } from '../../../wording/language/language.ts';
import type { RunEnd } from '../../../wording/managers/run-words.ts';
import { runSaid } from '../../../wording/ops/run-said.ts';
import { saidHtml } from '../../../wording/ops/said.ts';
import { keptSaid } from '../../../wording/ops/kept-said.ts';
import { shownReason } from '../../../wording/reasons/run-reasons.ts';
import { shortened } from '../../../wording/printable.ts';

/** Whether the sentences of the command line are in the reader's language. */
export function readsOps({ name }: Language): boolean {
  return name === USUAL_LANGUAGE;
}

/** What the program keeps as a sentence: where it has no words of the reader's language, marked as English. */
export function programsWords(text: string, language: Language): Html {
  if (readsOps(language)) return html`<bdi>${prose(text)}</bdi>`;
  return saidHtml(keptSaid(text, language) ?? { text: null, quoted: text });
}

/** Why a run ended: in English as the command line says it; null where there is no reason. */
export function runReason(end: RunEnd, language: Language, longest = Infinity): Html | null {
  const text = shownReason(end.reason);
  if (text === null) return null;
  if (readsOps(language)) return html`<bdi>${shortened(text, longest)}</bdi>`;
  const said = runSaid(end, language);
  return said === null
    ? null
    : saidHtml({ ...said, quoted: said.quoted === null ? null : shortened(said.quoted, longest) });
}
