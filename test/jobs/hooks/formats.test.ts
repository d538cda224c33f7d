import { expect, test } from 'vitest';
import { notifyOfIncidents } from '../../../src/jobs/alerts/notify.ts';
import { replayHook, testHook } from '../../../src/jobs/hooks/test-hook.ts';
import { writeMail } from '../../../src/jobs/alerts/write-mail.ts';
import { raise, recover } from '../../../src/ledger/alerts/incidents.ts';
import { newestMails } from '../../../src/ledger/alerts/mails.ts';
import { newestMessages } from '../../../src/ledger/hooks/messages.ts';
import { createRun, decideRun } from '../../../src/ledger/runs/runs.ts';
import { decided } from '../../support/answers.ts';
import { answeringInTurn, receiveHooks } from '../../support/hook-receiver.ts';
import { BY, goWrong, hookTo, hookWorld, HOUR, MINUTE, START, tell } from './hook-world.ts';

const WEB = { web: { publicUrl: 'https://offers.example.com' } };
const FROZEN = { kind: 'frozen-feed', login: 'main', feed: 'north' } as const;
/** What somebody may write who wants to be more than a text. */
const ATTACK = '<!channel> @all [free](https://evil.example) *bold* `code`';
/** How suppliers may call a file. */
const HOSTILE = [
  '@channel',
  '@here',
  '<!here>',
  '<!subteam^S1|all>',
  '<@U123>',
  '<https://evil.example|Sign in>',
  '[in](ftp://evil.example)',
  'www.evil.example',
  '_https://evil.example/x_',
  '_www.evil.example',
  '(evil.example/login)',
  ':fire:',
  'mailto:ceo@evil.example',
  '~town-square',
  '#alarm',
  '```ls```',
  '\n# big\r\n> said\n---\n',
  '<script>alert(1)</script>',
  '<at>Everybody</at>',
  '|a|b|',
  '\u202Egpj.exe',
].join(' ');
const ATTACKED = { code: 'feed-frozen', who: 'jo', reason: ATTACK } as const;

type Slack = { text: string; blocks: { type: string; text?: object; elements?: { url: string }[] }[] };
type SlackText = { text: string; verbatim?: boolean };
type Teams = {
  attachments: { contentType: string; content: { body: { type: string; inlines: object[] }[]; actions: object[] } }[];
};
type Mattermost = { attachments: { fallback: string; title: string; title_link?: string; text: string }[] };
type Alerts = { labels: object }[];

/** What hooks of these formats get when something happens, in order. */
async function toldIn(formats: string[], happen: (world: Awaited<ReturnType<typeof hookWorld>>) => Promise<void>) {
  const receivers = await Promise.all(formats.map(() => receiveHooks()));
  const settings = formats.map(
    (format, at) => [`h${at}`, hookTo(receivers[at]!, { format, secret: undefined })] as const,
  );
  const managers = [{ email: 'boss@example.com' }];
  const world = await hookWorld(Object.fromEntries(settings), { ...WEB, managers });
  await happen(world);
  await tell(world.ctx);
  return { ...world, told: receivers.map(({ received }) => received.map(({ payload }) => payload as unknown)) };
}

test('chats say what the mail says, with a button to the page', async () => {
  const { ctx, told } = await toldIn(['slack', 'teams', 'mattermost'], async ({ ctx }) => goWrong(ctx));
  await notifyOfIncidents(ctx);
  const [row] = await newestMails(ctx.ledger.db, { limit: 1 });
  const mail = await writeMail(row!, ctx);
  const [[slack], [teams], [mattermost]] = told as [[Slack], [Teams], [Mattermost]];
  const page = new RegExp(`^https://offers.example.com/incidents/`, 'u');

  expect(slack.text).toBe(mail!.subject);
  expect(slack.blocks[0]).toEqual({ type: 'header', text: { type: 'plain_text', text: mail!.subject, emoji: false } });
  expect(slack.blocks.at(-1)?.elements?.[0]).toMatchObject({ type: 'button', url: expect.stringMatching(page) });

  const [card] = teams.attachments;
  expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(card?.content.body[0]?.inlines[0]).toMatchObject({ text: mail!.subject, color: 'Attention' });
  expect(card?.content.actions[0]).toMatchObject({ type: 'Action.OpenUrl', url: expect.stringMatching(page) });

  expect(mattermost.attachments[0]).toMatchObject({ fallback: mail!.subject, title_link: expect.stringMatching(page) });

  for (const sentence of ['Nothing new goes online until this is solved', 'Tell your offerline administrator']) {
    for (const text of [mail!.text, ...[slack, teams, mattermost].map((one) => JSON.stringify(one))])
      expect(text).toContain(sentence);
  }
});

test('they say it in their language and for their readers', async () => {
  const [german, ops] = await Promise.all([receiveHooks(), receiveHooks()]);
  const chat = { format: 'teams', secret: undefined };
  const { ctx } = await hookWorld({
    german: hookTo(german, { ...chat, language: 'de' }),
    ops: hookTo(ops, { ...chat, audience: 'ops' }),
  });
  await goWrong(ctx);
  await tell(ctx);
  expect(german.received[0]!.body).toContain('verweigert uns den Zugang');
  expect(german.received[0]!.body).not.toContain('offerline doctor');
  expect(ops.received[0]!.body).toContain('offerline doctor');
});

test('what others wrote mentions nobody, links nowhere and marks nothing', async () => {
  const { told } = await toldIn(['slack', 'teams', 'mattermost'], async ({ ctx }) => {
    await raise(ctx.ledger.db, { ...FROZEN, reason: ATTACKED }, START);
  });
  const [[slack], [teams], [mattermost]] = told as [[Slack], [Teams], [Mattermost]];
  expect(JSON.stringify(slack)).toContain('&lt;!channel&gt;');
  expect(JSON.stringify(slack)).not.toMatch(/<!|\*bold\*|`code`/u);
  // Runs of text hold no Markdown.
  expect(teams.attachments[0]?.content.body.map(({ type }) => type)).not.toContain('TextBlock');
  const text = mattermost.attachments[0]?.text;
  expect(text).toContain(String.raw`\[free\]`);
  expect(text).not.toMatch(/@all|(?<!\\)\[free|\(https:\/\/evil|https:\/\/evil|(?<!\\)\*bold/u);
});

test('the name of a file that is a list of tricks is a text in every chat', async () => {
  const { told } = await toldIn(['slack', 'teams', 'mattermost'], async ({ ctx }) => {
    const reason = { code: 'feed-frozen', who: HOSTILE, reason: HOSTILE } as const;
    await raise(ctx.ledger.db, { ...FROZEN, reason }, START);
  });
  const [[slack], [teams], [mattermost]] = told as [[Slack], [Teams], [Mattermost]];
  const sections = slack.blocks.filter(({ type }) => type === 'section').map(({ text }) => text as SlackText);
  // Slack itself looks for names and addresses in a text that is not verbatim.
  expect(sections.length).toBeGreaterThan(0);
  expect(sections.every(({ verbatim }) => verbatim)).toBe(true);
  const [card] = teams.attachments;
  const runs = card!.content.body.flatMap(({ inlines }) => inlines as { text: string }[]);
  const [post] = mattermost.attachments;
  const ofCards = [...sections, ...runs].map(({ text }) => text);
  const texts = [slack.text, ...ofCards, post!.fallback, post!.title, post!.text];
  expect(texts.filter((text) => text.includes('evil.example')).length).toBeGreaterThanOrEqual(3);
  for (const text of texts) {
    expect(text).not.toMatch(/@(?=channel|here|all)|~town|#alarm|www\.evil|mailto:|evil\.example\//u);
    expect(text.replaceAll('](https://offers.example.com/', '')).not.toMatch(/\w:\/\/\S/u);
    expect(text).not.toContain('\u202E');
  }
  const marks = sections.map(({ text }) => text).join('\n');
  expect(marks).not.toMatch(/<|```/u);
  const ofOthers = post!.text.split('\n').filter((line) => line.includes('evil'));
  for (const line of ofOthers) expect(line).not.toMatch(/(?<!\\)[`<>|]|(?<!\\)\]\(ftp/u);
  expect(post!.text).not.toContain(':fire:');
  expect(post!.text).not.toMatch(/^(?:# big|> said|---)/mu);
});

test('an end, a reminder and a run are said, too', async () => {
  const { told } = await toldIn(['mattermost'], async ({ ctx, time }) => {
    await goWrong(ctx);
    await notifyOfIncidents(ctx);
    time.now += 25 * HOUR;
    await notifyOfIncidents(ctx);
    await recover(ctx.ledger.db, { kind: 'credentials', login: 'main', text: 'accepted' }, time.now);
  });
  const [first, second, third] = (told[0] as Mattermost[]).map(({ attachments: [one] }) => one?.title);
  expect([second, third]).toEqual([expect.stringContaining(first!), expect.stringContaining(first!)]);
  expect(new Set([first, second, third]).size).toBe(3);

  const receiver = await receiveHooks();
  const hook = hookTo(receiver, { format: 'slack', secret: undefined, events: ['run.ended'] });
  const { ctx } = await hookWorld({ chat: hook }, WEB);
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(ctx.ledger.db, { ...asked, now: START });
  await decideRun(ctx.ledger.db, run, { ...decided('held'), reason: null, now: START });
  await tell(ctx);
  const slack = receiver.received[0]!.payload as unknown as Slack;
  expect(slack.text).toContain('north');
  expect(slack.blocks.at(-1)?.elements?.[0]?.url).toBe(`https://offers.example.com/runs/${run}#decide`);
});

test('an Alertmanager is told what is wrong, again while it is, and that it is over', async () => {
  const receiver = await receiveHooks(answeringInTurn(200));
  const { ctx, time } = await hookWorld({ am: hookTo(receiver, { format: 'alertmanager', secret: undefined }) }, WEB);
  const clock = { ...ctx.clock, monotonic: () => time.now };
  const world = { ...ctx, clock };
  await goWrong(world);
  await tell(world);
  const [first] = receiver.received.map(({ payload }) => payload as unknown as Alerts);
  expect(first).toEqual([
    {
      labels: {
        alertname: 'OfferlineCredentials',
        kind: 'credentials',
        severity: 'high',
        login: 'main',
        service: 'offerline',
      },
      annotations: { summary: expect.any(String), description: expect.stringContaining('offerline doctor') },
      startsAt: new Date(START).toISOString(),
      endsAt: new Date(START + 15 * 60_000).toISOString(),
      generatorURL: expect.stringContaining('https://offers.example.com/incidents/'),
    },
  ]);
  const before = receiver.received.length;
  time.now += 4 * 60_000;
  await tell(world);
  await tell(world);
  expect(receiver.received).toHaveLength(before + 1);
  expect(receiver.received.at(-1)!.payload).toMatchObject([
    { labels: first![0]!.labels, endsAt: new Date(time.now + 15 * 60_000).toISOString() },
  ]);
  await recover(ctx.ledger.db, { kind: 'credentials', login: 'main', text: 'accepted' }, time.now);
  await tell(world);
  expect(receiver.received.at(-1)!.payload).toMatchObject([
    { labels: first![0]!.labels, endsAt: new Date(time.now).toISOString() },
  ]);
});

test('what is over is not opened again when its beginning is replayed', async () => {
  const receiver = await receiveHooks(answeringInTurn(422, 200));
  const { ctx, time } = await hookWorld({ am: hookTo(receiver, { format: 'alertmanager', secret: undefined }) }, WEB);
  await goWrong(ctx);
  await tell(ctx);
  time.now += HOUR;
  const end = new Date(time.now).toISOString();
  await recover(ctx.ledger.db, { kind: 'credentials', login: 'main', text: 'accepted' }, time.now);
  await tell(ctx);
  const [opened] = (await newestMessages(ctx.ledger.db, { hook: 'am', limit: 10 })).toReversed();
  time.now += MINUTE;
  expect(await replayHook('am', opened!.id, BY, ctx)).toBe(1);
  await tell(ctx);
  expect(receiver.received.at(-1)!.payload).toMatchObject([{ labels: { kind: 'credentials' }, endsAt: end }]);
});

test.each(['slack', 'teams', 'mattermost', 'alertmanager'])('a hook of format %s can be tested', async (format) => {
  const receiver = await receiveHooks();
  const { ctx } = await hookWorld({ chat: hookTo(receiver, { format, secret: undefined }) });
  expect(await testHook('chat', BY, ctx, new AbortController().signal)).toMatchObject({ taken: true });
  expect(receiver.received[0]!.body).toContain('This is a test of the hook chat');
});
