import type { Manager } from '../config/schema.ts';
import type { Outcome, RunAnswer } from '../model.ts';

/** What the choice depends on. */
export type Occasion = {
  answer: RunAnswer;
  /** The outcome of the feed's run before this one; null for the first. */
  previous: Outcome | null;
  /** The brands of all managers that have rows among the issues and rejections of the run, as the managers spell them. */
  touched: ReadonlySet<string>;
};

/**
 * The managers who are told of a run, each address once.
 *
 * `feeds`: absent means every feed. `when`: `problem` is a run that ends partial, held, rejected or failed; `recovered` is
 * the first live one after that (or `unchanged` after held, rejected or failed: the good file is there again); `always` is
 * every run that has ended.
 *
 * `brands` narrows `partial` only: such a manager is told when a row of one of the brands has an issue or was rejected. The
 * other outcomes concern the file as a whole, and with it every brand in it. Rows whose brand cannot be read touch nobody's.
 */
export function whoIsTold(managers: Manager[], occasion: Occasion): Manager[] {
  const told = managers.filter((manager) => isTold(manager, occasion));
  const first = (email: string) => told.findIndex((other) => other.email.toLowerCase() === email.toLowerCase());
  return told.filter(({ email }, at) => first(email) === at);
}

/** The brands that any manager of a feed watches: those whose rows are worth looking for. */
export function brandsWatched(managers: Manager[], feed: string): Set<string> {
  return new Set(managers.filter((manager) => watches(manager, feed)).flatMap(({ brands }) => brands ?? []));
}

function isTold(manager: Manager, { answer, previous, touched }: Occasion): boolean {
  if (answer.outcome === null || !watches(manager, answer.feed)) return false;
  const { when, brands } = manager;
  const due =
    when.includes('always') ||
    (when.includes('problem') && isProblem(answer.outcome)) ||
    (when.includes('recovered') && isRecovery(answer.outcome, previous));
  if (!due) return false;
  return answer.outcome !== 'partial' || brands === undefined || brands.some((brand) => touched.has(brand));
}

function watches({ feeds }: Manager, feed: string): boolean {
  return feeds === undefined || feeds.includes(feed);
}

function isProblem(outcome: Outcome | null): boolean {
  return outcome === 'partial' || stoppedTheFile(outcome);
}

function stoppedTheFile(outcome: Outcome | null): boolean {
  return outcome === 'held' || outcome === 'rejected' || outcome === 'failed';
}

function isRecovery(outcome: Outcome, previous: Outcome | null): boolean {
  return (outcome === 'live' && isProblem(previous)) || (outcome === 'unchanged' && stoppedTheFile(previous));
}
