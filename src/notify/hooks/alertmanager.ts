import { dictionary } from '../../io/dictionary.ts';
import { printableText } from '../../wording/printable.ts';
import { unlinked } from './chat/parts.ts';
import type { IncidentData } from './payload.ts';

/** An alert as `POST /api/v2/alerts` of an Alertmanager takes it. */
export type Alert = {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
  generatorURL?: string;
};

/** How long an alert that is not said to be over lasts unless it is sent again, in milliseconds. */
const LASTS = 15 * 60_000;

/** An incident as an alert. Its labels tell it from the others that are open; one that is over ends when it did. */
export function alertOf(incident: IncidentData, now: number): Alert {
  const { kind, severity, login, feed, supplier, sentence, meaning, steps, since, until, url } = incident;
  const labels = { alertname: alertName(kind), kind, severity, login, feed, service: 'offerline' };
  const texts = { summary: sentence, description: [meaning, ...steps].join('\n'), supplier };
  return {
    labels: present(labels),
    annotations: dictionary(Object.entries(present(texts)).map(([name, text]) => [name, unmarked(text)])),
    startsAt: new Date(since).toISOString(),
    endsAt: new Date(until ?? now + LASTS).toISOString(),
    ...(url === null ? {} : { generatorURL: url }),
  };
}

/** An alert that shows that an Alertmanager can be told: it is over at once. */
export function testAlert(hook: string, now: number): Alert {
  const at = new Date(now).toISOString();
  const labels = { alertname: 'OfferlineTest', severity: 'low', service: 'offerline', hook };
  return { labels, annotations: { summary: `This is a test of the hook ${hook}` }, startsAt: at, endsAt: at };
}

/** `missing-delivery` as `OfferlineMissingDelivery`. */
function alertName(kind: string): string {
  return `Offerline${kind.replaceAll(/(?:^|-)([a-z])/gu, (_all, letter: string) => letter.toUpperCase())}`;
}

/** A text that mentions nobody where a template hands it on to a chat. */
function unmarked(text: string): string {
  return unlinked(printableText(text)).replaceAll('<', '<\u200B');
}

/** An Alertmanager takes no empty labels. */
function present(texts: Record<string, string | null>): Record<string, string> {
  return dictionary(Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
