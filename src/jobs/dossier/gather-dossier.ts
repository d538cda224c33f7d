import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { incidentSentence, type IncidentKind } from '../../incidents.ts';
import { own } from '../../io/dictionary.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import { callsOfUpload, failedCalls } from '../../ledger/calls/calls.ts';
import { stepsOfUpload } from '../../ledger/calls/upload-steps.ts';
import type { CallRow, DatasetRow, IntentRow, UploadRow, UploadStepRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf, findUpload, newestUploadOf, openUpload } from '../../ledger/uploads/uploads.ts';
import { redact } from '../../wording/redact.ts';
import { showUrl } from '../../wording/show-url.ts';
import { askService, type Shown } from './ask-service.ts';

/** What is known of one upload, for the people of the service; of its login alone. */
export type Dossier = {
  /** Of its files, without an ending. */
  name: string;
  madeAt: number;
  /** Where the service is, without credentials; null: the built-in sandbox. */
  service: string | null;
  upload: UploadRow;
  /** All attempts at the same dataset, oldest first; the upload is one of them. */
  attempts: UploadRow[];
  intent: IntentRow;
  dataset: DatasetRow;
  steps: UploadStepRow[];
  /** The calls for this upload, oldest first, of `total`; where there are more, the first ones are missing. */
  calls: CallRow[];
  total: number;
  /** Calls of the login that failed around it, and were not for it. */
  otherFailures: CallRow[];
  incidents: { since: number; until: number | null; sentence: string }[];
  shown: Shown;
};

/** Incidents that the service's people can do something about. */
const OF_SERVICE: readonly IncidentKind[] = [
  'stuck-upload',
  'late-arrival',
  'receipt',
  'foreign-upload',
  'unreachable',
  'lost-rows',
  'unbalanced',
  'not-found',
];

/** Calls in one dossier. */
const MOST_CALLS = 20_000;
/** Milliseconds around an upload in which other failed calls of its login are told. */
const AROUND = 3_600_000;

/** An upload by its id, token or offer id; of a login the one that is open, else the newest. Fails with `not-found`. */
async function uploadNamed(name: string, ctx: Context): Promise<UploadRow> {
  const { db } = ctx.ledger;
  const ofLogin = (await openUpload(db, name)) ?? (await newestUploadOf(db, name));
  if (ofLogin !== undefined) return ofLogin;
  if (own(ctx.config.logins, name) !== undefined)
    throw new OfferlineError('not-found', `The login ${name} has no upload yet; \`offerline logins\` shows its state.`);
  return findUpload(db, name);
}

/** Gathers everything; `offline`: the service is not asked. */
export async function gatherDossier(
  name: string,
  { offline, signal }: { offline: boolean; signal: AbortSignal },
  ctx: Context,
): Promise<Dossier> {
  const { db } = ctx.ledger;
  const upload = await uploadNamed(name, ctx);
  const intent = await getIntent(db, upload.intent);
  const dataset = await getDataset(db, intent.dataset);
  const madeAt = ctx.clock.now();
  const around = { from: upload.created_at - AROUND, to: (upload.closed_at ?? madeAt) + AROUND, limit: MOST_CALLS };
  const incidents = await listIncidents(db, { all: true, login: upload.login });
  const { baseUrl } = ctx.config.service;
  return {
    name: fileNameOf(upload),
    madeAt,
    service: ctx.sandbox || baseUrl === undefined ? null : redact(showUrl(baseUrl)),
    upload,
    attempts: await attemptsOf(db, intent.id),
    intent,
    dataset,
    steps: await stepsOfUpload(db, upload.id),
    ...(await callsOfUpload(db, upload.id, MOST_CALLS)),
    otherFailures: await failedCalls(db, upload.login, around),
    incidents: incidents
      .filter(({ kind }) => OF_SERVICE.includes(kind))
      .filter(({ opened_at, recovered_at }) => opened_at < around.to && (recovered_at ?? madeAt) >= upload.created_at)
      .map((row) => {
        return { since: row.opened_at, until: row.recovered_at, sentence: incidentSentence(factsOf(row)) };
      }),
    shown: await askService({ upload, dataset, offline, signal }, ctx),
  };
}

/** Letters, digits and dashes alone, whatever a login is called. */
function fileNameOf({ id, login }: UploadRow): string {
  return `dossier-${login.replaceAll(/[^A-Za-z0-9_-]+/gu, '-')}-${id}`;
}
