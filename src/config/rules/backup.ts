import { OfferlineError } from '../../errors.ts';
import { archivePlaceOf } from '../parse/archive-address.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
import { scheduleFindings } from './schedule.ts';

/** Backups are made at times that come, to a place that can be named without a credential. */
export function backupsAreUsable({ backup }: Config): Finding[] {
  if (backup === undefined) return [];
  return [...placeFindings(backup.to), ...scheduleFindings(['backup'], backup)];
}

function placeFindings(to: string): Finding[] {
  const path = ['backup', 'to'];
  const url = URL.parse(to);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    const message =
      'the address contains keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile (?profile=NAME&file=PATH)';
    return [{ path, message }];
  }
  try {
    archivePlaceOf('the place', to);
    return [];
  } catch (error) {
    if (!(error instanceof OfferlineError)) throw error;
    return [{ path, message: error.message.replace(/\.$/u, '') }];
  }
}
