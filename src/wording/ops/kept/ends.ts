import type { KeptSentence } from './kept-sentence.ts';

/** Why an incident is over. */
export const ENDS: KeptSentence[] = [
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
  [/^backup (?<name>\S+) was made$/u, 'kept.backedUp'],
  [/^no backups are scheduled any more$/u, 'kept.noBackups'],
  [/^the first backup to this place is not late yet$/u, 'kept.backupInTime'],
  [/^no delivery is expected any more$/u, 'kept.unexpected'],
  [/^it may stay in the dataset$/u, 'kept.stays'],
  [/^no newer file almost fits the pattern any more$/u, 'kept.fits'],
  [/^the archived files that it needs are intact again$/u, 'kept.intact'],
];
