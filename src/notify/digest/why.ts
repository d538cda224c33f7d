import { INCIDENTS } from '../../incidents.ts';
import type { Language } from '../../wording/language/language.ts';
import { capitalised } from '../../wording/language/capitalised.ts';
import { incidentAction, incidentWords } from '../../wording/managers/incident-words.ts';
import { short } from '../content/content.ts';
import type { DigestSupplier } from './input.ts';
import { needsAttention, rejectedShare } from './rank.ts';

/** Why a supplier needs attention, in a few words, and what to do about it; `step` is null where there is nothing to do. */
export type Why = { cause: string; step: string | null };

const CAUSE_LENGTH = 120;
const STEP_LENGTH = 250;

/** The gravest cause for which a supplier needs attention; null where all is well. */
export function whyOf(supplier: DigestSupplier, language: Language): Why | null {
  if (!needsAttention(supplier)) return null;
  const { cause, step } = gravest(supplier, language);
  return {
    cause: `${short(capitalised(cause, language), CAUSE_LENGTH)}.`,
    step: step === null ? null : short(step, STEP_LENGTH),
  };
}

/** In the order in which suppliers are ranked. */
function gravest(supplier: DigestSupplier, language: Language): Why {
  const { live, deliveredAt, isLate, incident } = supplier;
  const { say, percent } = language;
  if (incident !== null && INCIDENTS[incident.kind].severity !== 'low') {
    return { cause: incidentWords(incident, language), step: incidentAction(incident, language) };
  }
  if (live === null) return { cause: say('digest.why.uncertain'), step: say('incident.step.tell') };
  if (live === 0 && deliveredAt === null) return { cause: say('digest.never'), step: say('incident.step.ask-file') };
  if (isLate) return { cause: say('incident.title.missing-delivery'), step: say('incident.step.ask-file') };
  if (live === 0) return { cause: say('digest.why.nothing'), step: say('incident.step.tell') };
  const share = percent(rejectedShare(supplier));
  return { cause: say('digest.why.rejected', { share }), step: say('incident.step.send-rows') };
}
