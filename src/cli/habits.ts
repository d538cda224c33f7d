import { OfferlineError } from '../errors.ts';

/** Commands that people know from elsewhere, and what does that here. */
const HABITS: Record<string, string> = {
  cancel: 'offerline reject RUN drops a held run; offerline pause FEED stops a feed',
  deploy: 'offerline ingest FEED uploads a feed; offerline up works on schedule',
  history: 'offerline runs lists what happened; offerline show RUN has the timeline of a run',
  list: 'offerline runs lists runs, offerline feeds lists feeds, offerline pull FEED --list what a supplier has',
  log: 'offerline show RUN has the timeline of a run; offerline up writes its log to stderr',
  logs: 'offerline show RUN has the timeline of a run; offerline up writes its log to stderr',
  ls: 'offerline runs lists runs, offerline feeds lists feeds, offerline pull FEED --list what a supplier has',
  retry: 'offerline rerun RUN runs one again; offerline rerun --failed all that failed last',
  run: 'offerline ingest FEED runs a feed; offerline up works on schedule',
  start: 'offerline up works on schedule',
  serve: 'offerline up works on schedule; offerline sandbox serves the service on this machine',
  stop: 'end offerline up with Ctrl-C or SIGTERM; offerline pause FEED stops a feed',
  undo: 'offerline rollback LOGIN brings an earlier dataset back',
  upload: 'offerline ingest FEED uploads a feed',
  validate: 'offerline check FILE checks a file, offerline config check the configuration',
};

/** Refuses such a command with what does it here; any other word is left to the program. */
export function refuseHabit(word: string): void {
  if (!Object.hasOwn(HABITS, word)) return;
  throw new OfferlineError('usage', `There is no command ${word}: ${HABITS[word]}.`);
}
