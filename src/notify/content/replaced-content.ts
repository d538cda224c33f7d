import type { Audience } from '../../incidents.ts';
import type { Language } from '../../wording/language/language.ts';
import { NO_FILE, type Content } from './content.ts';

/** An installation in whose place a restored one goes on. */
export type ReplacedMailInput = {
  /** Its ledger, the machine that has found it out, and its home there. */
  ledger: string;
  machine: string;
  home: string;
  /** How it was found out, and when; the day of the mail distinguishes one from the next. */
  said: string;
  at: number;
  day: string;
  sandbox: boolean;
  language: Language;
  audience: Audience;
};

/** What the mail of such an installation says: it stops, whether that was meant or not. */
export function replacedContent(input: ReplacedMailInput): Content {
  const { machine, home, said, at, sandbox, language, audience } = input;
  const { say, moment } = language;
  return {
    ...NO_FILE,
    language,
    sandbox,
    tone: 'warning',
    title: say('replaced.title', { machine }),
    meaning: say('replaced.meaning'),
    lists: [],
    links: [],
    steps: [say('replaced.step.meant', { machine }), say('replaced.step.not-meant')],
    facts: [[say('mail.from'), moment(at)]],
    technical:
      audience === 'ops'
        ? {
            facts: [
              ['Home', home],
              ['Found', said],
            ],
            commands: [],
          }
        : null,
  };
}
