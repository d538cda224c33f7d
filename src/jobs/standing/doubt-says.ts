import { USUAL_LANGUAGE, type Language } from '../../wording/language/language.ts';
import { incidentSaid } from '../../wording/ops/incident-said.ts';
import type { Doubt } from '../logins/live-now.ts';

/** Why it is not certain what is live: in English as the command line says it. */
export function doubtSays({ text, why }: Doubt, language: Language): { text: string; quoted?: string } {
  if (language.name === USUAL_LANGUAGE) return { text };
  if (why.code !== 'elsewhere') return { text: language.say(`ops.doubt.${why.code}`, { upload: String(why.upload) }) };
  const said = incidentSaid(why.incident, language);
  const title = language.say(`incident.title.${why.incident.kind}`);
  return { text: said?.text ?? title, ...(said === null || said.quoted === null ? {} : { quoted: said.quoted }) };
}
