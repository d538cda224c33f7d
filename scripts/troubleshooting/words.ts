import type { ErrorCode } from '../../src/errors.ts';

/** What something means and what to do about it; Markdown. */
export type Words = { meaning: string; steps: string[] };

/** What each code of an error means, whatever the message says in particular. */
export const ERROR_WORDS: Record<ErrorCode, Words> = {
  usage: {
    meaning: 'The command was called in a way that it does not know; nothing was done.',
    steps: ['Do what the message says; `--help` of the command shows its arguments, its options and an example.'],
  },
  config: {
    meaning: 'The configuration or an address in the environment is wrong; nothing was started.',
    steps: [
      'See all mistakes at once, with line and path: `offerline config check`',
      '[configuration.md](reference/configuration.md) explains every setting.',
    ],
  },
  'not-found': {
    meaning: 'A run, an upload, a file or a home that was named does not exist.',
    steps: [
      'List what there is: `offerline runs`, `offerline feeds`, `offerline logins`',
      'Look whether it is the right home: `--home` and `OFFERLINE_HOME` win over `.offerline` beside the configuration.',
    ],
  },
  conflict: {
    meaning: 'Something else is in the way: another process, a decision, or a state that does not allow this.',
    steps: [
      'Do what the message says. Where a worker is busy, try again in a minute.',
      'Where a ledger, an archive or a Redis belongs to another installation, see [Processes do not start](#processes-do-not-start).',
    ],
  },
  'file-rejected': {
    meaning: 'The file cannot be used as it is, so nothing of it was uploaded. What the supplier had live stays live.',
    steps: [
      'Have the supplier send what the message asks for.',
      'Where it names a setting, change it, and see what would happen: `offerline check FILE --feed FEED`',
    ],
  },
  'pull-failed': {
    meaning: 'The supplier’s place could not be read, so nothing was uploaded. What the supplier had live stays live.',
    steps: [
      'See what the place holds now, and whether it can be read: `offerline pull FEED --list`',
      'Correct `feeds.NAME.source`, or ask the supplier ([sources.md](sources.md)). Then: `offerline ingest FEED --wait`',
    ],
  },
  'service-unreachable': {
    meaning: 'The service gave no answer. What is not sent yet is sent when it answers; what is live stays live.',
    steps: [
      'Look whether this machine reaches it: `offerline doctor`',
      'Leave `offerline up` running; nothing has to be sent by hand.',
    ],
  },
  'service-refused': {
    meaning: 'The service answered that it will not do this.',
    steps: [
      'Correct what the answer names. See the run or the upload: `offerline show RUN`, `offerline logins`',
      'If the answer gives no reason, ask the operators of the service.',
    ],
  },
  'service-unauthorized': {
    meaning:
      'The service rejects the credentials of a login, or its right to upload. The login asks nothing more until that is settled.',
    steps: [
      'Correct `logins.NAME.auth`, or have the service grant MANAGE_OFFERS. Then: `offerline doctor`',
      'Restart `offerline up` after a change of the configuration; waiting uploads go on by themselves.',
    ],
  },
  'service-reply': {
    meaning: 'The service answered something that cannot be understood, so that nothing is concluded from it.',
    steps: [
      'Look whether `service.baseUrl` is the address of the service, and not of a sign-in page or a proxy: `offerline doctor`',
      'If it is, show the message to the operators of the service.',
    ],
  },
  redis: {
    meaning: 'The queue cannot be used. No work is lost: the ledger has it, and the queue only wakes workers up.',
    steps: ['See [Redis is away](#redis-is-away).', 'Test it: `offerline doctor`'],
  },
  ledger: {
    meaning: 'The ledger cannot be opened, read or written. Nothing is sent that it could not record.',
    steps: [
      'See [The ledger or the archive is damaged](#the-ledger-or-the-archive-is-damaged).',
      'Test it: `offerline doctor`',
    ],
  },
  archive: {
    meaning: 'A file in the archive is damaged or missing; it is not used.',
    steps: [
      'Look for further damage, and repair what can be repaired: `offerline verify --repair`',
      'See [The ledger or the archive is damaged](#the-ledger-or-the-archive-is-damaged).',
    ],
  },
  mail: {
    meaning: 'A mail could not be sent. It is kept and sent later; uploads are not affected.',
    steps: ['See [Mails do not arrive](#mails-do-not-arrive).', 'Test it: `offerline doctor`'],
  },
  'disk-full': {
    meaning: 'A disk or a quota has no space left. Nothing half-written is used.',
    steps: ['See [The disk is full](#the-disk-is-full).'],
  },
  'lease-lost': {
    meaning: 'Another worker has taken this work over, because this one was paused or too slow. It goes on there.',
    steps: [
      'You do not have to do anything. If it happens often, the machine is overloaded, or `worker.lease` too short.',
    ],
  },
  interrupted: {
    meaning: 'The command was ended by Ctrl-C or a signal. What was recorded goes on when a worker runs.',
    steps: ['Start one: `offerline up`'],
  },
  internal: {
    meaning: 'A fault of offerline itself. What is live stays live, and the work is tried again.',
    steps: [
      'See what fails and when it is tried again: `offerline doctor`',
      'Report it with the message and the log; `LOG_LEVEL=debug` shows more. Logs contain no credentials.',
    ],
  },
};

/** What each message that is logged as an error means. */
export const LOG_WORDS: Record<string, Words> = {
  'archived file is lost': {
    meaning: 'A file of the archive is damaged or missing, could not be made again, and something needs it.',
    steps: [
      'See which, and repair what can be repaired: `offerline verify --repair`',
      'The incident names the feed: `offerline incidents`',
    ],
  },
  'candidate given up, because it cannot be composed': {
    meaning:
      'The rows of one feed could not become part of the dataset in three tries; its run is `failed`, and the other feeds go on.',
    steps: [
      'Fix what the line names; this finds the usual causes: `offerline doctor`',
      'Then compose and upload the same rows: `offerline rerun RUN --from upload --wait`',
    ],
  },
  'console action failed': {
    meaning: 'Something that a person decided in the console, or a program by its API, met a fault and was not done.',
    steps: [
      'Look whether it was recorded: the page “Audit” of the console, or `offerline show RUN`',
      'Do the same with its command, which says more: `offerline --help`',
    ],
  },
  'console cannot be served, is tried again': {
    meaning: 'The console cannot listen at `web.listen`; schedules and uploads go on without it.',
    steps: [
      'Free the address that the line names, or write another one as `web.listen`, or `none`.',
      'The console is tried again every ten seconds; a changed configuration needs a restart of `offerline up`.',
    ],
  },
  'console ended, is started again': {
    meaning:
      'The thread that serves the console met a fault; it starts again after ten seconds, and nothing else is affected.',
    steps: ['If it happens again, note what page was open, and report the fault with the line of the log.'],
  },
  'console page failed': {
    meaning: 'A page of the console met a fault before it was known who asks for it.',
    steps: ['Load the page again; if it fails again, report the fault with the line of the log.'],
  },
  'console request failed': {
    meaning: 'A page of the console could not be made, and its visitor was told so; nothing was changed.',
    steps: [
      'Do what the reason says. The command of the same name shows the same: `offerline status`, `offerline show RUN`',
    ],
  },
  'dataset was lost before it was sent': {
    meaning:
      'The dataset that was to be uploaded is damaged in the archive, and nothing of it was sent. Its rows are composed again; a rollback or a restore ends without effect.',
    steps: ['Check the disk, and what else is damaged: `offerline verify --repair`'],
  },
  'errors file cannot be read': {
    meaning:
      'The service’s list of rejected rows cannot be understood, or its copy in the archive is damaged, so that rejections are not traced to lines.',
    steps: [
      'The timeline says which: `offerline show RUN`',
      'Of a list that cannot be understood, show the message to the operators of the service.',
    ],
  },
  'errors file could not be fetched': {
    meaning:
      'The service’s list of rejected rows could not be downloaded, and it is not asked for again: these rows stay unexplained.',
    steps: [
      'See how many there are: `offerline show RUN`',
      'Compare with the service, and ask its operators why the list is not to be had.',
    ],
  },
  'lane failed, is tried again': {
    meaning: 'The work on a login met a fault. It is retried with growing pauses while the other logins go on.',
    steps: ['From the third time on it is an incident: `offerline incidents`, `offerline doctor`'],
  },
  'mail not sent yet': {
    meaning:
      'A mail could not be written or sent for a reason that nobody foresaw. It is tried again for three days; the other mails are sent meanwhile.',
    steps: ['See which mail it is, and why: `offerline doctor`', 'See [Mails do not arrive](#mails-do-not-arrive).'],
  },
  'a restored installation has taken the place of this one': {
    meaning:
      'This installation was restored from a backup elsewhere, and the restored one has uploaded since. Both together would upload over each other, so this one takes no more work.',
    steps: [
      'Remove this installation, or restore the newest backup of the other one here.',
      'See [the original comes back](backup.md#the-original-comes-back).',
    ],
  },
  'ledger has moved to another archive': {
    meaning:
      'While this process was cut off from the database, the others moved to another archive. It takes no more work, since it would keep files where nobody looks for them.',
    steps: [
      'Give it the `ARCHIVE_URL`, or the setting `archive`, of the other machines, and restart it.',
      'See [from a folder to a bucket](machines.md#from-a-folder-to-a-bucket).',
    ],
  },
  'ledger is newer than this program, which takes no more work': {
    meaning:
      'A newer version of offerline has brought the ledger further while this process ran. It has handed its work over and stays idle; workers of the newer version go on.',
    steps: [
      'Install the newer version on this machine, and restart the service ([upgrade.md](upgrade.md#one-machine-after-another)).',
      'See which workers are outdated, from a machine with the newer version: `offerline doctor`',
    ],
  },
  'run cannot be woken': {
    meaning: 'The ledger’s record of this run cannot be read, so nobody works on it; the other runs go on.',
    steps: [
      'See [The ledger or the archive is damaged](#the-ledger-or-the-archive-is-damaged).',
      'Take the file again: `offerline ingest FEED --force --wait`',
    ],
  },
  'run given up, because processes died in it': {
    meaning: 'Processes died five times in the same stage of this run, which is `failed` now; the others go on.',
    steps: [
      'Look in the system log for the cause, such as a memory limit: `journalctl -k --grep "out of memory"`',
      'The run says how to try again: `offerline show RUN`',
    ],
  },
  'stage failed unexpectedly': {
    meaning: 'A stage of a run met a fault; it is tried three times.',
    steps: ['See what became of the run: `offerline show RUN`'],
  },
  'CSV of a mail failed': {
    meaning: 'The CSV of a run could not be written for a mail; the mail goes without it and says so.',
    steps: ['Write it by hand, and read why not: `offerline report RUN --format csv --out rows.csv`'],
  },
  'workbook with marked rows failed': {
    meaning: 'The supplier’s rows with the mistakes marked could not be written; the mail goes without it.',
    steps: ['Write it by hand, and read why not: `offerline report RUN --format xlsx --out mistakes.xlsx`'],
  },
};
