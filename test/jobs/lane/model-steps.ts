import type { IdleFacts, LaneFacts, LaneStep } from '../../../src/jobs/lane/lane-facts.ts';
import { planLane, planUpload } from '../../../src/jobs/lane/plan-lane.ts';
import type { Findings, WatchStep } from '../../../src/jobs/watch/watch-facts.ts';
import type { AcceptedUpload } from '../../../src/ledger/uploads/accepted-uploads.ts';
import type { Receipt } from '../../../src/model.ts';
import { accepted, factsOf, listed, NOW, SHRANK, uploadFactsOf, uploadsOf, type Login } from './login-model.ts';

/** A step as it was planned, with what was known then. */
export type Planned = { step: LaneStep; facts: LaneFacts; login: Login };

/** More steps than any login needs: a lane that has not come to rest by then does not. */
const MOST_STEPS = 60;

/** Plans and carries out one step after the other, on a model of the ledger and the service, until the plan is to wait. */
export function playLane(start: Login): Planned[] {
  let login = start;
  let facts = factsOf(login);
  const planned: Planned[] = [];
  while (planned.length < MOST_STEPS) {
    const step = planLane(facts);
    planned.push({ step, facts, login });
    if (step.do === 'rest' || step.do === 'wait') return planned;
    const after = carriedOut(step, facts, login);
    login = after.login;
    facts = after.facts ?? factsOf(login);
  }
  throw new Error(`the lane does not come to rest: ${planned.map(({ step }) => nameOf(step)).join(', ')}`);
}

/** A step by its name; those of the watch by theirs. */
export function nameOf(step: LaneStep): string {
  return step.do === 'watch' ? step.step.do : step.do;
}

/** What is known and what the ledger says after a step; without facts they are gathered afresh. */
type After = { login: Login; facts?: LaneFacts };

function carriedOut(step: LaneStep, facts: LaneFacts, login: Login): After {
  switch (step.do) {
    case 'rest':
    case 'wait':
      return { login, facts };
    case 'answer-denied':
      return { login, facts: { ...facts, wait: 'rest' } };
    case 'drive':
      return login.answers.drives === 'waits' ? waiting(login, facts) : { login: withSuccess(login) };
    case 'end-damage':
      return { login: { ...login, damaged: false }, facts: withIdle(facts, { damaged: false }) };
    case 'watch':
      return watched(step.step, facts, login);
    case 'give-up':
      return { login: { ...login, runs: login.runs.filter((run) => !step.runs.includes(run)), deaths: 'some' } };
    case 'take-apart':
      return { login: { ...login, runs: login.runs.slice(0, 1) } };
    case 'compose':
      return { login: decided(login) };
  }
}

function waiting(login: Login, facts: LaneFacts): After {
  return { login, facts: { ...facts, wait: NOW + 1 } };
}

function withIdle(facts: LaneFacts, found: Partial<IdleFacts>): LaneFacts {
  return { ...facts, idle: facts.idle && { ...facts.idle, ...found } };
}

/** The open intent is met: its upload is live, and nothing is uncertain any more. */
function withSuccess(login: Login): Login {
  const upload = accepted(100 + login.successes.length, 'b');
  const records = [listed(upload.upload.offer_id ?? '', null), ...login.records];
  const live = { open: false, unverified: null, met: null, isDue: true };
  return { ...login, ...live, successes: [...login.successes, upload], records };
}

/** What becomes of a composed dataset. */
function decided(login: Login): Login {
  const facts = uploadFactsOf(login, 'a');
  const first = planUpload(facts);
  const held = login.answers.holds ? SHRANK : null;
  const step = first.do === 'guard' ? planUpload({ ...facts, held }) : first;
  return { ...login, runs: [], open: step.do === 'intend' };
}

function watched(step: WatchStep, facts: LaneFacts, login: Login): After {
  const { answers } = login;
  const found = (more: Findings, set: Partial<Login> = {}): After => {
    const watch = facts.idle!.watch;
    const next = { ...login, ...set };
    const known = { ...watch, ...uploadsOf(next), found: { ...watch.found, ...more } };
    return { login: next, facts: withIdle(facts, { watch: known }) };
  };
  switch (step.do) {
    case 'postpone-look':
      return found({ look: 'skipped' }, { isDue: false });
    case 'look':
      return looked(login, facts, found);
    case 'recognise':
      return found({ recognised: answers.recognises ? step.attempts[0]! : null });
    case 'read-attempt': {
      // Of two attempts that were given up, one is older than everything else and one newer.
      const created_at = step.attempt.id === 'lost0' ? 0 : NOW;
      const { upload, intent } = accepted(0, step.attempt.sha256, { result: 'failed', created_at });
      return found({ arrived: { upload: { ...upload, id: step.attempt.id, state: 'lost', offer_id: null }, intent } });
    }
    case 'check-archive':
      return found({ archived: { [step.upload.dataset.id]: answers.isArchived } });
    case 'settle-late':
      return answers.settles ? { login: withArrival(login, step.arrival.attempt.id, true) } : waiting(login, facts);
    case 'record-late': {
      const recorded = withArrival(login, step.arrival.attempt.id, step.consequence.closesNow);
      return { login: withRestore(recorded, step.restore) };
    }
    case 'note-overtaken':
      return step.restore === null ? found({ judged: true }) : { login: withRestore(login, step.restore) };
    case 'take-over':
      return found({ judged: true }, { successes: [accepted(50, 'c', { cause: 'baseline' })] });
    case 'confirm':
      return found({ confirmed: true });
    case 'verify-late':
      return answers.verifiesLate ? { login: withProof(login) } : found({ verifiedLate: false });
    case 'reverify':
      return found({ proof: receipt(answers.proof) });
    case 'note-verified':
      return found({ judged: true }, { unverified: null });
    case 'look-later':
      return found({ judged: true });
    case 'compare-rows':
      return found({ sameRows: answers.hasSameRows });
    case 'note-unproved':
      return step.restore === null ? found({ judged: true }) : { login: withRestore(login, step.restore) };
    case 'note-foreign': {
      const met = { sameRows: step.foreign.sameRows, restored: step.restore !== null };
      const noted = { ...login, met: { ...met, restored: met.restored || step.foreign.restoredBy !== null } };
      return step.restore === null ? found({ judged: true }, noted) : { login: withRestore(noted, step.restore) };
    }
  }
}

function looked(login: Login, facts: LaneFacts, found: (more: Findings, set: Partial<Login>) => After): After {
  const { answers, records, met, successes, givenUp } = login;
  if (answers.look === 'denies') return { login: { ...login, denied: true } };
  if (answers.look === 'fails' && successes.length === 0) return waiting({ ...login, isDue: false }, facts);
  if (answers.look === 'fails') return found({ look: 'failed' }, { isDue: false });
  const ours = successes.map(({ upload, dataset }) => Object.assign({ sha256: dataset.sha256 }, upload));
  const attempts = [...givenUp, ...ours];
  const live = records.find(({ state }) => state === 'success')?.id ?? '';
  const same_rows = met?.sameRows === true ? 1 : 0;
  const restored_by = met?.restored === true ? 'i77' : null;
  const row =
    met === null ? null : { login: 'main', offer_id: live, seen_at: NOW, text: 'it is live', same_rows, restored_by };
  return found({ look: { records, attempts, met: row } }, { isDue: false });
}

/** An attempt that was given up has arrived; it is the newest success, or one of the past. */
function withArrival(login: Login, id: string, isNewest: boolean): Login {
  const attempt = login.givenUp.find((one) => one.id === id)!;
  const { token, sha256 } = attempt;
  const arrived = accepted(isNewest ? 200 + login.successes.length : 0, sha256);
  const record = login.records.find(({ sourceFile }) => sourceFile?.includes(token)) ?? liveOf(login);
  const upload = { ...arrived.upload, id, token, offer_id: record?.id ?? 'gone' };
  const success: AcceptedUpload = { ...arrived, upload };
  const successes = isNewest ? [...login.successes, success] : [success, ...login.successes];
  return { ...login, successes, givenUp: login.givenUp.filter((one) => one !== attempt) };
}

function liveOf({ records }: Login) {
  return records.find(({ state }) => state === 'success');
}

function withRestore(login: Login, restore: AcceptedUpload | null): Login {
  return restore === null ? login : { ...login, open: true, restores: login.restores + 1 };
}

function withProof(login: Login): Login {
  const current = login.successes.at(-1)!;
  const proved = { ...current, intent: { ...current.intent, result: 'met' as const } };
  return { ...login, successes: [...login.successes.slice(0, -1), proved], unverified: null };
}

function receipt(proof: Login['answers']['proof']): Receipt {
  const result = proof === 'verified' ? 'ok' : proof;
  return { verified: proof === 'verified', checks: [{ check: 'search', result, detail: proof }] };
}
