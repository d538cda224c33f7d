import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { isNamedLikeOurs, type Standing } from '../../upload/protocol/standing.ts';
import { lastGood, nameOfRestored, obstacleTo } from './plan-restore.ts';
import type { Look, WatchFacts, WatchStep } from './watch-facts.ts';

/**
 * What to do when the live upload is not the current one: raise one incident and, with `onForeign: restore`, send the last good
 * dataset again, once for each upload that replaced it and within limits. An upload that is about to be sent replaces it anyway.
 */
export function planForeignUpload(
  facts: WatchFacts,
  look: Look,
  standing: Standing,
  current: AcceptedUpload,
): WatchStep {
  const { found } = facts;
  const good = lastGood(current, facts);
  const sameRows = look.met === null ? found.sameRows : look.met.same_rows === 1;
  if (sameRows === undefined && standing.live === 'foreign') {
    const uploads = good.upload.id === current.upload.id ? [current] : [current, good];
    return { do: 'compare-rows', record: standing.record, uploads };
  }
  const answer = answerTo({ standing, sameRows: sameRows === true, met: look.met }, { current, good }, facts);
  if (answer === undefined) return { do: 'check-archive', upload: good };
  const foreign = {
    offerId: standing.live === 'nothing' ? '' : standing.record.id,
    current,
    text: describe(facts.login, standing, current),
    sameRows: sameRows === true,
    consequence: answer.consequence,
    restoredBy: look.met?.restored_by ?? null,
  };
  return { do: 'note-foreign', foreign, restore: answer.restore ? good : null };
}

type Met = { standing: Standing; sameRows: boolean; met: Look['met'] };

/** Whether the last good dataset is sent again, and what is said of it; undefined until the archive has been asked for its bytes. */
function answerTo(
  { standing, sameRows, met }: Met,
  { current, good }: { current: AcceptedUpload; good: AcceptedUpload },
  facts: WatchFacts,
): { restore: boolean; consequence: string } | undefined {
  const { login } = facts;
  const leave = (consequence: string) => ({ restore: false, consequence });
  if (facts.sending) return leave('the next upload, already due, replaces it');
  if (sameRows) return leave('nothing has to be sent');
  const failedBefore = facts.watch.unverified !== null && standing.live !== 'foreign';
  if (facts.onForeign !== 'restore' && !failedBefore) {
    return leave(`logins.${login}.onForeign is alarm: it stays until something is uploaded`);
  }
  const name = nameOfRestored(good, current);
  const restoredBy = met?.restored_by ?? null;
  if (restoredBy !== null) return leave(`${name} was sent again once (${restoredBy})`);
  if (facts.pending.length > 0) return leave('a waiting delivery will replace it');
  const obstacle = obstacleTo(good, facts);
  if (obstacle === undefined) return undefined;
  if (obstacle !== null) return leave(`${name} is not sent again: ${obstacle.text}`);
  return { restore: true, consequence: `${name} is sent again` };
}

function describe(login: string, standing: Standing, { upload }: AcceptedUpload): string {
  const ours = `instead of upload ${upload.offer_id}`;
  if (standing.live === 'nothing') {
    return `the service lists no successful upload ${ours}: it may have been restored from a backup`;
  }
  const { record } = standing;
  if (standing.live === 'ours') {
    return `our older upload ${record.id} is live ${ours}: the service may have been restored from a backup`;
  }
  const named = record.sourceFile === null ? '' : ` (${JSON.stringify(record.sourceFile)})`;
  if (!isNamedLikeOurs(record, login)) return `somebody else's upload ${record.id}${named} is live ${ours}`;
  return `upload ${record.id}${named} of another installation of offerline, or of this one after the backup that its ledger comes from, is live ${ours}`;
}
