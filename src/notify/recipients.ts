import type { Manager } from '../config/schema/schema.ts';
import { AUDIENCES, audiencesOf, type IncidentFacts } from '../incidents.ts';

/** What a notification is about, and whom it concerns. */
export type Occasion = Pick<IncidentFacts, 'kind' | 'ended'> & {
  phase: 'problem' | 'reminder' | 'affected' | 'recovery';
  /** Whether managers were told of what is the business of ops. */
  managersKnow: boolean;
  /** The feeds that it concerns: its own, or all of its login. */
  feeds: readonly string[];
  /** The brands of managers that have rows among the issues and rejections of the run, as the managers spell them. */
  touched: ReadonlySet<string>;
};

/**
 * The managers who are notified of an incident, each address once.
 *
 * `audience`: where anybody who watches these feeds is ops, the service and this installation are their business, and managers are
 * told of it only when what is live has been affected for a while, and that it is over. Where all are of one audience they get
 * everything.
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
  const watching = managers.filter((manager) => feeds.some((feed) => watches(manager, feed)));
  const concerned = addressed(watching, occasion).filter(
    (manager) =>
      (manager.when.includes('always') || manager.when.includes(wanted)) &&
      (kind !== 'rejected-rows' || manager.brands === undefined || manager.brands.some((brand) => touched.has(brand))),
  );
  return eachOnce(concerned);
}

/** Those whose business an incident is. */
function addressed(managers: Manager[], { phase, managersKnow, ...incident }: Occasion): Manager[] {
  const isMixed = AUDIENCES.every((audience) => managers.some((manager) => manager.audience === audience));
  if (!isMixed) return phase === 'affected' ? [] : managers;
  if (phase === 'affected') return managers.filter(({ audience }) => audience === 'managers');
  const audiences = audiencesOf(incident);
  const alsoManagers = phase === 'recovery' && managersKnow;
  return managers.filter(({ audience }) => audiences.includes(audience) || (audience === 'managers' && alsoManagers));
}

/** Those who are told of what befalls the installation as a whole, as of an incident of its own. */
export function installationRecipients(managers: Manager[], feeds: readonly string[]): Manager[] {
  const occasion = { kind: 'missing-backup', phase: 'problem', ended: null } as const;
  return incidentRecipients(managers, { ...occasion, feeds, touched: new Set(), managersKnow: false });
}

/** Whether anybody is ops. */
export function hasOps(managers: readonly Manager[]): boolean {
  return managers.some(({ audience }) => audience === 'ops');
}

/** The managers who want a mail about a run of a feed because they want all, or because it is strange; each address once. */
export function runRecipients(managers: Manager[], feed: string, isStrange: boolean): Manager[] {
  const wants = ({ when }: Manager) => when.includes('always') || (isStrange && when.includes('problem'));
  return eachOnce(managers.filter((manager) => wants(manager) && watches(manager, feed)));
}

/** The addresses that want a digest or a scorecard, with the feeds that they watch. */
export function digestRecipients(
  managers: Manager[],
  every: 'daily' | 'weekly' | 'monthly',
  feeds: string[],
): { email: string; feeds: string[] }[] {
  const wanted = managers.filter(({ when }) => when.includes(every));
  return eachOnce(wanted).map(({ email }) => ({
    email,
    feeds: feeds.filter((feed) => wanted.some((entry) => sameAddress(entry, { email }) && watches(entry, feed))),
  }));
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
