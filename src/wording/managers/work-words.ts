import type { IncidentWork, Quiet, Taken } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** How it is said that somebody works on an incident: plainly, as a digest does, or as a reminder to the others does. */
type Manner = 'plain' | 'digest' | 'reminder';

/** Who works on an incident and since when, and until when nobody is reminded of it, each in a sentence. */
export function workSentences({ taken, quiet }: IncidentWork, language: Language, manner: Manner = 'plain'): string[] {
  return [
    ...(taken === null ? [] : [takenSentence(taken, language, manner)]),
    ...(taken !== null && isSilent(taken) && quiet === null && manner === 'digest'
      ? [language.say('incident.work.noMail', { who: taken.by })]
      : []),
    ...(quiet === null ? [] : [quietSentence(quiet, language)]),
  ];
}

/** Whether nobody at all is reminded because somebody has it whose address is not known; after an idle day the others are. */
function isSilent({ gone, hasMail, idle }: Taken): boolean {
  return !gone && !hasMail && !idle;
}

function takenSentence({ by: who, since, gone }: Taken, { say, moment }: Language, manner: Manner): string {
  const facts = { who, moment: moment(since) };
  if (gone) return say('incident.work.gone', facts);
  return say(manner === 'reminder' ? 'incident.work.idle' : 'incident.work.taken', facts);
}

function quietSentence({ until, ends, by: who }: Quiet, { say, moment }: Language): string {
  return say(`incident.work.quiet.${until}`, { who, moment: moment(ends) });
}
