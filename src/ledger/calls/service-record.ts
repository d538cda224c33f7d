import type { UploadState } from '../../model.ts';
import type { Db } from '../ledger.ts';

/** An upload that was closed: when it was taken and when it was seen to be processed, null where that was not seen. */
export type ClosedUpload = {
  state: UploadState;
  adopted: number;
  closed_at: number | null;
  lines_processed: number | null;
  taken_at: number | null;
};

/** What the ledger knows of the service since a time, epoch milliseconds. */
export type ServiceRecord = {
  /** Uploads that were sent and are closed. */
  uploads: ClosedUpload[];
  /** When each stalled upload was first reported. */
  stalls: number[];
  /** Calls with an error status or without a reply. */
  failures: { at: number; status: number | null }[];
};

/** Reads what the figures of the service are made of; three queries. */
export async function serviceRecord(db: Db, since: number): Promise<ServiceRecord> {
  const uploads = await db
    .selectFrom('uploads')
    .select(['state', 'adopted', 'closed_at', 'lines_processed'])
    .select((eb) =>
      eb
        .selectFrom('upload_steps')
        .select((sub) => sub.fn.min('upload_steps.at').as('at'))
        .whereRef('upload_steps.upload', '=', 'uploads.id')
        .where('upload_steps.state', '=', 'submitted')
        .as('taken_at'),
    )
    .where('closed_at', '>=', since)
    .where('sent_at', 'is not', null)
    .execute();
  const stalls = await db
    .selectFrom('incidents')
    .select('opened_at')
    .where('kind', '=', 'stuck-upload')
    .where('opened_at', '>=', since)
    .execute();
  const failures = await db
    .selectFrom('calls')
    .select(['at', 'status'])
    .where('at', '>=', since)
    .where('given_up', '=', 0)
    .where((eb) => eb.or([eb('status', 'is', null), eb('status', '>=', 400)]))
    .execute();
  return { uploads, stalls: stalls.map(({ opened_at }) => opened_at), failures };
}
