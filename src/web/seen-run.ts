import { answerOf } from '../jobs/queries/answer.ts';
import { reportInput } from '../jobs/queries/run-report.ts';
import type { RunRow } from '../ledger/schema/schema.ts';
import type { Rejection, RunAnswer, RunEvent } from '../model.ts';
import type { ReportInput } from '../report/input.ts';
import type { Visit } from './visit.ts';

/** The answer of a run, as far as its visitor may read it: what other feeds of the login offer is not theirs to see. */
export async function seenAnswer({ id }: RunRow, { ctx, visitor: { feeds } }: Visit): Promise<RunAnswer> {
  const answer = await answerOf(id, ctx);
  return feeds === null ? answer : within(answer, feeds);
}

/** What the report of a run is made from, as far as its visitor may read it; its times are in a zone as `reportInput` has it. */
export async function seenReport(
  run: RunRow,
  { ctx, language, visitor: { feeds } }: Visit,
  zone?: string,
): Promise<ReportInput> {
  const input = await reportInput(run, ctx, language.name, zone);
  if (feeds === null) return input;
  const { answer, events, rejections } = input;
  const others = [...Object.keys(ctx.config.feeds), ...Object.keys(answer.dataset?.feeds ?? {})].filter(
    (feed) => !feeds.includes(feed),
  );
  return {
    ...input,
    answer: within(answer, feeds),
    events: events.filter(({ message }: RunEvent) => !others.some((feed) => names(message, feed))),
    rejections: async function* () {
      for await (const rejection of rejections()) yield ownPlaces(rejection, feeds);
    },
  };
}

/** Figures of the whole dataset and its rows of others are left out, where there are others. */
function within(answer: RunAnswer, feeds: readonly string[]): RunAnswer {
  const isOwn = Object.keys(answer.dataset?.feeds ?? {}).every((feed) => feeds.includes(feed));
  return {
    ...answer,
    dataset: isOwn ? answer.dataset : null,
    diff: answer.diff?.of === 'dataset' ? null : answer.diff,
    rejections: answer.rejections.map((rejection) => ownPlaces(rejection, feeds)),
  };
}

function ownPlaces<One extends Rejection>(rejection: One, feeds: readonly string[]): One {
  const { candidates } = rejection;
  if (candidates === undefined) return rejection;
  return { ...rejection, candidates: candidates.filter(({ feed }) => feeds.includes(feed)) };
}

/** Whether a sentence says the name of a feed; one that is part of a longer name is another. */
function names(message: string, feed: string): boolean {
  const words = message.split(/[^\w.-]+/u);
  return words.includes(feed) || words.includes(`${feed}.`);
}
