/** A small fault: this text of the file is put in place of that, and these tests have to fail. */
export type SmallFault = { file: string; text: string; put: string; means: string; tests: string[] };

const PROTOCOL = ['test/upload/protocol', 'test/upload/histories.test.ts'];
const SEND = ['test/upload/send'];
const RECEIPT = ['test/upload/receipt'];
const ERRORS = ['test/upload/errors', 'test/upload/any-errors.test.ts'];
const SETTLE = [
  'test/jobs/settle',
  'test/e2e/apart.test.ts',
  'test/jobs/histories/live-model.test.ts',
  'test/jobs/watch',
  'test/jobs/lane',
];
const LEASE = ['test/ledger/sqlite.test.ts', 'test/upload/send/fence.test.ts', 'test/jobs/lane'];
const CHECKS = ['test/validate/checks', 'test/validate/validate.test.ts'];

const from = (file: string, tests: string[]) => (text: string, put: string, means: string) => ({
  file,
  text,
  put,
  means,
  tests,
});

const afterProbe = from('src/upload/protocol/after-probe.ts', PROTOCOL);
const afterPoll = from('src/upload/protocol/after-poll.ts', PROTOCOL);
const protocol = from('src/upload/protocol/protocol.ts', PROTOCOL);
const waits = from('src/upload/protocol/waits.ts', PROTOCOL);
const watched = from('src/upload/protocol/watched.ts', PROTOCOL);
const fence = from('src/upload/send/fence.ts', SEND);
const send = from('src/upload/send/send.ts', SEND);
const receipt = from('src/upload/receipt/receipt.ts', RECEIPT);
const canaries = from('src/upload/receipt/choose-canaries.ts', RECEIPT);
const lostRows = from('src/upload/errors/lost-rows.ts', ERRORS);
const outcome = from('src/jobs/settle/commit-outcome.ts', SETTLE);
const settleFeeds = from('src/jobs/settle/settle-feeds.ts', SETTLE);
const lease = from('src/ledger/lease.ts', LEASE);
const cell = from('src/validate/checks/check-cell.ts', CHECKS);
const row = from('src/validate/checks/check-row.ts', CHECKS);
const rowIssues = from('src/validate/checks/row-issues.ts', CHECKS);
const loneCell = from('src/validate/checks/lone-cell.ts', CHECKS);
const footer = from('src/validate/checks/footer.ts', CHECKS);
const tags = from('src/validate/marks/check-tags.ts', [...CHECKS, 'test/validate/marks']);
const spreadsheet = from('src/values/spreadsheet.ts', [...CHECKS, 'test/values']);

/** Faults as they happen when code is changed in haste, in what uploads once, accounts for rows and judges them. */
export const SMALL_FAULTS: SmallFault[] = [
  afterProbe('const MIN_PROBES = 5;', 'const MIN_PROBES = 2;', 'an attempt counts as lost after two probes'),
  afterProbe(
    'probes >= MIN_PROBES && watched >= settle',
    'probes >= MIN_PROBES',
    'the settle window is not waited for',
  ),
  afterProbe(
    'if (unfinished !== undefined) return behind(seen',
    'if (false as boolean) return behind(seen',
    'sends beside an unfinished upload',
  ),
  afterProbe(
    'if (ours !== undefined) return adopt',
    'if (false as boolean) return adopt',
    'does not recognise its own upload',
  ),
  afterProbe(
    'const newer = records.some((record) => !before.has(record.id));',
    'const newer = false;',
    'forgets an upload that was made beside a refused one',
  ),
  afterPoll(
    'const stalled = watched >= settings.stall;',
    'const stalled = false;',
    'never says that an upload has stalled',
  ),
  afterPoll(
    'const waits = moved ? 0 : attempt.waits;',
    'const waits = attempt.waits;',
    'asks ever more rarely although an upload moves',
  ),
  protocol(
    'if (!before.has(record.id)) return adopt(attempt, record, false, now, settings);',
    'return adopt(attempt, record, false, now, settings);',
    'takes a reply about an old upload for the new one',
  ),
  protocol(
    "case 'sending':\n    case 'unknown':\n      return { do: 'probe' };",
    "case 'sending':\n    case 'unknown':\n      return { do: 'send' };",
    'sends again while the outcome is unknown',
  ),
  protocol(
    'if (same === true) return adopt',
    'if (same !== true) return adopt',
    'adopts an upload that could not be compared',
  ),
  waits(
    'Math.max(retryAfter ?? 0, backoff(attempt.waits, settings))',
    'backoff(attempt.waits, settings)',
    'asks before the time that Retry-After names',
  ),
  waits('Math.max(settings.initial / 2, ', 'Math.max(0, ', 'asks without a pause'),
  watched(
    'Math.min(attempt.watched + attempt.wait, reached)',
    'attempt.watched + attempt.wait',
    'counts a planned wait as watched',
  ),
  fence('if (!(await lease.renew())) throw lost(lease);', '', 'sends the last chunk without asking for the lease'),
  fence(
    '      assertAlive(lease);\n      onChunk(held.length);',
    '      onChunk(held.length);',
    'sends on after the lease has ended',
  ),
  send(
    "if (status === 429) return { type: 'throttled', why: error.message, retryAfter };",
    '',
    'takes 429 for a final refusal',
  ),
  send(
    "if (neverConnected(error)) return { type: 'not-connected', why: error.message };",
    '',
    'probes for what was never sent',
  ),
  receipt(
    'const patience = disproved || earlier !== undefined ? 0',
    'const patience = earlier !== undefined ? 0',
    'waits for the index of an upload that is disproved',
  ),
  receipt(
    "checks.every((check) => check.result !== 'failed') &&",
    '',
    'calls an upload verified although a check failed',
  ),
  canaries('if (rejected) continue;', '', 'searches for rows that the service rejected'),
  canaries(
    'if (!rejected && held.firstLine(key, 1) === undefined)',
    'if (!rejected)',
    'takes rows that stayed for removed ones',
  ),
  lostRows(
    'if (parts.has(key) && !then.has(key))',
    'if (parts.has(key))',
    'counts rows as lost that were rejected before',
  ),
  lostRows("if (match === 'exact') mine", 'mine', 'counts rejections that may be of another row'),
  outcome(
    'if (proved) {\n        await contribute(trx, run);',
    '{\n        await contribute(trx, run);',
    'an upload that is not proved moves the checkpoint',
  ),
  outcome('if (proved) await dropAbsent(trx, success, now);', '', 'a feed that left keeps its contribution'),
  outcome(
    "const apart = runs.length > 1 && upload.state !== 'refused';",
    'const apart = false;',
    'feeds that failed together are all given up',
  ),
  outcome('    live_sha: run.delivery_sha,', '    live_sha: null,', 'forgets which file is live'),
  settleFeeds(
    'delivered: delivered.has(feed),',
    'delivered: true,',
    'says of feeds without a delivery that they brought one',
  ),
  settleFeeds(
    'if (noneRejected !== null) await recover',
    'if (false as boolean) await recover',
    'an incident of rejected rows never ends',
  ),
  lease("eb('leases.epoch', '+', 1)", "eb.ref('leases.epoch')", 'a lease that is taken over keeps its epoch'),
  lease(
    "eb('leases.ends', '<=', Math.floor(asked))",
    "eb('leases.ends', '<=', Math.floor(asked) + duration)",
    'takes a lease over before it has ended',
  ),
  lease('over ||= again >= end;', '', 'renews a lease that has ended'),
  lease(
    'if (locked.numUpdatedRows !== 1n || !lease.alive())',
    'if (!lease.alive())',
    'writes under a lease that another has',
  ),
  lease(
    'Math.ceil(asked + duration)',
    'Math.ceil(asked + 2 * duration)',
    'the ledger keeps a lease for twice its length',
  ),
  tags('if (count > max) issues', 'if (count > max + 1) issues', 'lets a tag too many pass'),
  tags("tags.delete('');", '', 'counts an empty tag'),
  cell('if (written.length > max) {', 'if (written.length > max * 2) {', 'lets cells of twice the length pass'),
  row(
    "if (issues.some((issue) => issue.severity === 'error')) return refused",
    "if (issues.some((issue) => issue.code === 'brand-empty')) return refused",
    'accepts rows with errors',
  ),
  row('if (first === undefined) return {', 'if (first !== undefined) return {', 'takes first rows for duplicates'),
  rowIssues('if (count >= leastCells &&', 'if (count >= leastCells - 1 &&', 'accepts a row with a cell too few'),
  loneCell(
    'if (problem !== null || lastLine > line) return false;',
    'if (problem !== null) return false;',
    'takes a damaged row of several lines for a heading',
  ),
  footer(
    'if (offer === null || !doubtful) return true;',
    'if (offer === null || doubtful) return true;',
    'takes an offer of the brand Total for a sum',
  ),
  spreadsheet('E[+-]\\d{2,3}|', 'E[+]\\d{3}|', 'does not see a number that became an amount'),
];
