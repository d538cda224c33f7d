import type { Outcome } from '../../model.ts';
import type { Language, MessageFacts, MessageKey } from '../language/language.ts';
import { outcomeWord } from '../managers/run-words.ts';

/** Sentences that the ledger keeps as they were worded, with the names of their facts, and the messages that say the same. */
const KEPT: [RegExp, MessageKey][] = [
  [/^pulled (?<name>.+), (?<bytes>\d+) bytes$/u, 'kept.pulled'],
  [/^superseded: (?<names>.+)$/u, 'kept.superseded'],
  [/^columns: (?<columns>.+)$/u, 'kept.columns'],
  [/^took the archived delivery of run (?<run>\S+)$/u, 'kept.archived'],
  [/^(?<count>\d+) lines that are no offers were skipped$/u, 'kept.skipped'],
  [/^composed (?<rows>\d+) rows: (?<feeds>.+)$/u, 'kept.composed'],
  [/^live as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.live'],
  [/^accepted, but not verified as live, as upload (?<upload>\S+) at attempt (?<attempt>\d+)$/u, 'kept.unverified'],
  [/^approved by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.approved'],
  [/^rejected by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.rejected'],
  [/^released by (?<who>[^:]+): (?<reason>.+)$/u, 'kept.released'],
  [/^(?<name>.+) was delivered$/u, 'kept.delivered'],
  [/^(?<name>.+) was deleted at the supplier's$/u, 'kept.deleted'],
  [/^(?<name>.+) was moved at the supplier's$/u, 'kept.moved'],
  [/^(?<name>.+) is no longer at the supplier's$/u, 'kept.gone'],
  [/^(?<name>.+) is no longer in the configuration$/u, 'kept.unconfigured'],
  [/^upload (?<upload>\S+) is verified as live$/u, 'kept.verified'],
  [/^what is live is ours again: upload (?<upload>\S+)$/u, 'kept.ours'],
  [/^all that it contributes is live in upload (?<upload>\S+)$/u, 'kept.allLive'],
  [/^work on it has resumed$/u, 'kept.resumed'],
  [/^reports are written again$/u, 'kept.reports'],
  [/^the service accepts the credentials again$/u, 'kept.credentials'],
  [/^the service answers again$/u, 'kept.answers'],
  [/^the upload is making progress again$/u, 'kept.progress'],
  [/^every row is explained$/u, 'kept.explained'],
  [/^no delivery is expected any more$/u, 'kept.unexpected'],
  [/^it may stay in the dataset$/u, 'kept.stays'],
  [/^no newer file almost fits the pattern any more$/u, 'kept.fits'],
  [/^the archived files that it needs are intact again$/u, 'kept.intact'],
  [/^the service says success$/u, 'kept.success'],
  [/^(?<lines>\d+) lines processed for (?<rows>\d+) rows sent$/u, 'kept.lines'],
  [/^not shown by the service$/u, 'kept.notShown'],
  [/^the service read it with (?<said>".*")$/u, 'kept.readWith'],
  [/^the service keeps the (?<rows>\d+) rows that were sent$/u, 'kept.keeps'],
  [/^the service keeps (?<kept>\d+) rows that differ from the (?<rows>\d+) that were sent$/u, 'kept.differs'],
  [/^(?<count>[\d,]+) tags? (?:is|are) listed$/u, 'kept.tags'],
  [/^(?<count>[\d,]+) rows? that (?:was sent is|were sent are) found$/u, 'kept.found'],
  [/^(?<count>[\d,]+) removed rows? (?:is|are) not$/u, 'kept.removed'],
];

const READ =
  /^(?<rows>\d+) rows? read(?: \((?<expanded>\d+) more offers of several numbers\))?: (?<accepted>\d+) accepted, (?<rejected>\d+) rejected, (?<duplicates>\d+) duplicates$/u;

const OUTCOME = /^outcome: (?<outcome>live|partial|unchanged|nothing|held|rejected|failed)(?:: .*)?$/su;

/** Facts that are counted; all others are names, also where they are digits. */
const COUNTED = 'rows bytes count accepted rejected duplicates attempt lines kept'.split(' ');

/**
 * An event of a run, a check of a receipt or the end of an incident in the reader's language; null where the ledger has other
 * words. The reason of an outcome is said elsewhere on the page.
 */
export function keptSaid(text: string, language: Language): string | null {
  const outcome = OUTCOME.exec(text)?.groups?.['outcome'];
  if (outcome !== undefined)
    return language.say('kept.outcome', { outcome: outcomeWord(outcome as Outcome, language) });
  const said = text.split('; ').map((phrase) => readSaid(phrase, language) ?? phraseSaid(phrase, language));
  if (!said.includes(null)) return said.join('; ');
  return phraseSaid(text, language);
}

function readSaid(phrase: string, { say }: Language): string | null {
  const { expanded, ...facts } = READ.exec(phrase)?.groups ?? {};
  if (facts['rows'] === undefined) return null;
  const made = expanded === undefined ? [] : [say('kept.expanded', { count: Number(expanded) })];
  return [say('kept.read', counted(facts)), ...made].join('; ');
}

function phraseSaid(phrase: string, { say }: Language): string | null {
  for (const [pattern, key] of KEPT) {
    const found = pattern.exec(phrase);
    if (found !== null) return say(key, counted(found.groups ?? {}));
  }
  return null;
}

function counted(facts: Record<string, string>): MessageFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      COUNTED.includes(name) ? Number(fact.replaceAll(',', '')) : fact,
    ]),
  );
}
