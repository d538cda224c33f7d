import { exampleBodies, exampleCall, operationsOf, readDocument, send, type Document } from './calls.ts';
import { refusedCalls, type RefusedCall } from './refusals.ts';
import { openStage, prepareRefusals } from './stage.ts';

/** A reply of the running sandbox to a call of the document; `name` is that of one of several examples. */
export type Played = { id: string; name: string; reply: Reply };

/** A refusal of the running sandbox, and the code that was to be provoked. */
export type PlayedRefusal = { id: string; code: string; reply: Reply };

type Reply = { status: number; headers: Headers; text: string };

/** Plays the whole document: every example in its order, then a call for every refusal. */
export async function playDocument() {
  const stage = await openStage();
  try {
    const document = await readDocument(stage.url);
    const good = await playExamples(document, stage);
    const known = await prepareRefusals(stage);
    const refused: PlayedRefusal[] = [];
    for (const one of refusedCalls(document, known)) {
      const url = one.strict ? stage.strictUrl : stage.url;
      refused.push({ ...nameOf(one), reply: await readReply(send(url, one.call)) });
    }
    return { document, good, refused, ssd: stage.ssd };
  } finally {
    await stage.close();
  }
}

async function playExamples(
  document: Document,
  { url, settle }: Pick<Awaited<ReturnType<typeof openStage>>, 'url' | 'settle'>,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const described of operationsOf(document)) {
    const id = described.operation.operationId;
    const call = exampleCall(described);
    // One upload is enough for the examples of all others; each command has a reply of its own.
    const bodies = id === 'command' ? exampleBodies(described.operation) : [{ name: '', text: call.body }];
    for (const { name, text } of bodies) {
      const reply = await readReply(send(url, { ...call, ...(text === undefined ? {} : { body: text }) }));
      played.push({ id, name, reply });
    }
    await settle();
  }
  return played;
}

function nameOf({ id, code }: RefusedCall): { id: string; code: string } {
  return { id, code };
}

async function readReply(sent: Promise<Response>): Promise<Reply> {
  const response = await sent;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
