/** What a live page is told: nothing but that it is followed, cells by their keys, or that it is not followed any more. */
export type Told = { event: string; mark: string; cells: Record<string, string> };

/** A stream of a live page that is read message by message. */
export type EventReader = {
  /** The next message; null when the stream has ended. Comments are passed over. */
  next: () => Promise<Told | null>;
  /** Goes away, as a closed tab does. */
  close: () => Promise<void>;
};

/** Reads messages as a browser does. */
export function readEvents(stream: ReadableStream<Uint8Array>): EventReader {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<Told | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end !== -1) {
        const told = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (told !== null) return told;
      } else {
        const { done, value } = await reader.read();
        if (done) return null;
        text += decoder.decode(value, { stream: true });
      }
    }
  };
  return { next, close: () => reader.cancel() };
}

function parse(message: string): Told | null {
  const fields = new Map(
    message.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+): (.*)$/u.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const event = fields.get('event');
  if (event === undefined) return null;
  const data = JSON.parse(fields.get('data') ?? '{}') as Record<string, [mark: string, markup: string]>;
  const cells = Object.fromEntries(Object.entries(data).map(([key, [, markup]]) => [key, markup]));
  return { event, mark: fields.get('id') ?? '', cells };
}
