import type { Context } from '../../../context.ts';
import type { Page, PageOf } from '../../../ledger/lists/pages.ts';
import { uploadsPage, type ListedUpload, type UploadFilter } from '../../../ledger/lists/uploads-page.ts';

/** What a list says of one upload. */
export type UploadLine = ReturnType<typeof uploadLine>;

/** Which uploads, of the logins that the feeds belong to that may be seen; null: all. */
export type UploadQuestion = Omit<UploadFilter, 'logins'> & { feeds: readonly string[] | null };

/**
 * A page of the uploads that match, newest first. With a scope an upload shows its own rows of these feeds only, and nothing that
 * the service says of the whole dataset.
 */
export async function listUploads(
  { feeds, ...filter }: UploadQuestion,
  page: PageOf,
  ctx: Context,
): Promise<Page<UploadLine>> {
  const logins = feeds === null ? null : loginsOf(feeds, ctx);
  const found = await uploadsPage(ctx.ledger.db, { ...filter, logins }, page);
  return { ...found, rows: found.rows.map((row) => uploadLine(row, feeds)) };
}

function loginsOf(feeds: readonly string[], { config }: Context): string[] {
  const logins = feeds.map((feed) => config.feeds[feed]?.login).filter((login) => login !== undefined);
  return [...new Set(logins)];
}

function uploadLine(row: ListedUpload, scope: readonly string[] | null) {
  const parts = row.parts.filter(({ feed }) => scope === null || scope.includes(feed));
  return {
    upload: row.id,
    intent: row.intent,
    login: row.login,
    /** Why its dataset was to become live. */
    cause: row.cause,
    rollbackTo: row.rollback_to,
    state: row.state,
    attempt: row.attempt,
    token: row.token,
    adopted: row.adopted === 1,
    offerId: row.offer_id,
    rows: scope === null ? row.rows : parts.reduce((sum, part) => sum + part.rows, 0),
    feeds: parts.map(({ feed, rows }) => ({ feed, rows })),
    rejectedRows: scope === null ? row.rejected_rows : null,
    opened: row.created_at,
    sent: row.sent_at,
    closed: row.closed_at,
    processed: row.lines_processed,
    /** What became of its intent; null while that is open. */
    result: row.result,
    verified: row.receipt?.verified ?? null,
    receipt: scope === null ? row.receipt : null,
    serviceState: row.service_state,
    error: scope === null ? row.error : null,
    note: scope === null ? row.note : null,
  };
}
