import type { Context } from '../../../context.ts';
import { auditPage, type AuditFilter } from '../../../ledger/lists/audit-page.ts';
import type { Page, PageOf } from '../../../ledger/lists/pages.ts';
import type { AuditRow } from '../../../ledger/schema/schema.ts';
import type { About } from '../status-line.ts';

/** A decision of a person, and what it was about, by its id or name. */
export type AuditLine = AuditRow & { about: About };

/** A page of the decisions that match, newest first. */
export async function listAudit(filter: AuditFilter, page: PageOf, ctx: Context): Promise<Page<AuditLine>> {
  const found = await auditPage(ctx.ledger.db, filter, page);
  return { ...found, rows: found.rows.map((row) => Object.assign(row, { about: aboutOf(row) })) };
}

function aboutOf({ action, subject }: AuditRow): About {
  const [, kind, name] = /^(feed|login|incident) (.+)$/u.exec(subject) ?? [];
  if (kind === 'feed' && name !== undefined) return { feed: name };
  if (kind === 'login' && name !== undefined) return { login: name };
  if (kind === 'incident' && name !== undefined) return { incident: name };
  // What concerns users and tokens is about no work.
  if (!ID.test(subject)) return {};
  return action === 'resolve' ? { upload: subject } : { run: subject };
}

/** Runs and uploads are called by their moment and a few letters. */
const ID = /^\d{8}-\d{6}-\w+$/u;
