import type { Manager } from '../config/schema/schema.ts';
import type { IncidentKind } from '../incidents.ts';

/** What a notification is about, and whom it concerns. */
export type Occasion = {
  kind: IncidentKind;
  phase: 'problem' | 'reminder' | 'recovery';
  /** The feeds that it concerns: its own, or all of its login. */
  feeds: readonly string[];
  /** The brands of managers that have rows among the issues and rejections of the run, as the managers spell them. */
  touched: ReadonlySet<string>;
};

/**
 * The managers who are notified of an incident, each address once.
 *
 * `feeds`: absent means every feed. `when`: `problem`: when it begins and once a day while it lasts; `recovered`: when it is
 * over; `always`: both; `daily` or `weekly` alone: only in
 * the digests.
 *
 * `brands` narrows rejected rows only: such a manager is notified when a row of one of the brands has an issue or was rejected.
 * The other incidents concern the whole file, and so every brand in it. Rows whose brand cannot be read count for no brand.
 */
export function incidentRecipients(managers: Manager[], occasion: Occasion): Manager[] {
  const { phase, kind, feeds, touched } = occasion;
  const wanted = phase === 'recovery' ? 'recovered' : 'problem';
  const concerned = managers.filter(
    (manager) =>
      feeds.some((feed) => watches(manager, feed)) &&
      (manager.when.includes('always') || manager.when.includes(wanted)) &&
      (kind !== 'rejected-rows' || manager.brands === undefined || manager.brands.some((brand) => touched.has(brand))),
  );
  return eachOnce(concerned);
}

/** The managers who want a mail about a run of a feed because they want all, or because it is strange; each address once. */
export function runRecipients(managers: Manager[], feed: string, isStrange: boolean): Manager[] {
  const wants = ({ when }: Manager) => when.includes('always') || (isStrange && when.includes('problem'));
  return eachOnce(managers.filter((manager) => wants(manager) && watches(manager, feed)));
}

/** The addresses that want a digest, with the feeds that they watch and the language that they read; undefined: the usual one. */
export function digestRecipients(
  managers: Manager[],
  every: 'daily' | 'weekly',
  feeds: string[],
): { email: string; feeds: string[]; language: Manager['language'] }[] {
  const wanted = managers.filter(({ when }) => when.includes(every));
  return eachOnce(wanted).map(({ email }) => {
    const entries = wanted.filter((entry) => sameAddress(entry, { email }));
    return {
      email,
      feeds: feeds.filter((feed) => entries.some((entry) => watches(entry, feed))),
      language: entries.find(({ language }) => language !== undefined)?.language,
    };
  });
}

/** The brands that any manager of a feed watches: those whose rows are worth looking for. */
export function brandsWatched(managers: Manager[], feed: string): Set<string> {
  return new Set(managers.filter((manager) => watches(manager, feed)).flatMap(({ brands }) => brands ?? []));
}

function eachOnce(managers: Manager[]): Manager[] {
  return managers.filter((manager, at) => managers.findIndex((other) => sameAddress(other, manager)) === at);
}

function sameAddress(one: { email: string }, other: { email: string }): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}

function watches({ feeds }: Manager, feed: string): boolean {
  return feeds === undefined || feeds.includes(feed);
}
