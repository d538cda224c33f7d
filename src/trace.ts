import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, Context, Link, ProxyTracerProvider, Span, SpanContext } from '@opentelemetry/api';

type Api = typeof import('@opentelemetry/api');

/** Where OpenTelemetry's API keeps what was registered in this process, whichever copy of the API did it. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** Names and plain values that a span shows; never a credential, a cell of a file, or an address with a query. */
export type SpanFacts = Attributes;

type SpanOptions = {
  facts?: SpanFacts;
  /** It asks another program. */
  isCall?: boolean;
  /** Traces that it serves without being a part of them, as `traceparent`. */
  links?: string[];
};

/** A span that ends elsewhere than where it was begun. */
export type OpenSpan = {
  traceparent: string;
  end: (ended: { at: number; failed: boolean; facts: SpanFacts }) => void;
};

let api: Promise<Api | null> | undefined;

/** True where an SDK of OpenTelemetry was loaded into this process or thread. Without one nothing is loaded and nothing is written. */
export function isTraced(): boolean {
  const registered = (globalThis as { [REGISTERED]?: { trace?: unknown } })[REGISTERED];
  return registered?.trace !== undefined;
}

/**
 * Does a piece of work inside a span, and tells it what comes of the work: `note` adds facts, an error marks it as failed. Only does the
 * work where nothing is traced.
 */
export async function inSpan<T>(
  name: string,
  { facts = {}, isCall = false, links = [] }: SpanOptions,
  work: (note: (more: SpanFacts) => void) => Promise<T>,
): Promise<T> {
  const otel = await loadedApi();
  if (otel === null) return work(() => undefined);
  const { SpanKind } = otel;
  const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const options = { kind, attributes: facts, links: links.flatMap((link) => linkTo(link, otel)) };
  return tracer(otel).startActiveSpan(name, options, async (span) => {
    try {
      return await work((more) => void span.setAttributes(more));
    } catch (error) {
      fail(span, error, otel);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Does a piece of work as a part of the trace that a `traceparent` names; null: of none. */
export async function underTrace<T>(traceparent: string | null, work: () => Promise<T>): Promise<T> {
  const otel = await loadedApi();
  if (otel === null) return work();
  const { context, ROOT_CONTEXT } = otel;
  return context.with(traceparent === null ? ROOT_CONTEXT : contextOf(traceparent, otel), work);
}

/** Begins the first span of a trace, at a time in epoch milliseconds; null where nothing is traced. */
export async function beginTrace(name: string, at: number, facts: SpanFacts): Promise<OpenSpan | null> {
  const otel = await loadedApi();
  if (otel === null) return null;
  const span = tracer(otel).startSpan(name, { root: true, startTime: at, attributes: facts });
  return {
    traceparent: traceparentOf(span.spanContext()),
    end: ({ at: ended, failed, facts: more }) => {
      span.setAttributes(more);
      if (failed) span.setStatus({ code: otel.SpanStatusCode.ERROR });
      span.end(ended);
    },
  };
}

/** The span that is under way, as plain text for another thread or for the ledger; null where there is none. */
export async function currentTraceparent(): Promise<string | null> {
  const otel = await loadedApi();
  const current = otel?.trace.getActiveSpan()?.spanContext();
  return current === undefined ? null : traceparentOf(current);
}

/** The headers by which another program goes on with the trace, in the forms that were set up for this process. */
export async function traceHeaders(): Promise<Record<string, string>> {
  const otel = await loadedApi();
  const headers = Object.create(null) as { [header: string]: string };
  otel?.propagation.inject(otel.context.active(), headers);
  return headers;
}

/** Milliseconds that a process that ends gives its spans. */
const LAST_CALL = 2000;

/** Sends what has not been sent yet, because the process ends; gives up after a while. */
export async function sendSpans(): Promise<void> {
  const otel = await loadedApi();
  const provider = otel?.trace.getTracerProvider();
  const own =
    provider !== undefined && 'getDelegate' in provider ? (provider as ProxyTracerProvider).getDelegate() : null;
  const { forceFlush } = (own ?? {}) as { forceFlush?: () => Promise<void> };
  if (forceFlush === undefined) return;
  const late = new AbortController();
  // What an SDK says of a collector that is away is its own affair.
  const sent = forceFlush.call(own).catch(() => undefined);
  await Promise.race([sent, sleep(LAST_CALL, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}

async function loadedApi(): Promise<Api | null> {
  if (!isTraced()) return null;
  // Whoever bundles the client may leave the API out.
  return (api ??= import('@opentelemetry/api').catch(() => null));
}

function tracer({ trace }: Api) {
  return trace.getTracer('offerline');
}

function fail(span: Span, error: unknown, { SpanStatusCode }: Api): void {
  // Messages of errors may quote a supplier's file.
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'internal';
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

function spanContextOf(traceparent: string, { isSpanContextValid }: Api): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(found) ? found : null;
}

function contextOf(traceparent: string, otel: Api): Context {
  const found = spanContextOf(traceparent, otel);
  return found === null ? otel.ROOT_CONTEXT : otel.trace.setSpanContext(otel.ROOT_CONTEXT, found);
}

function linkTo(traceparent: string, otel: Api): Link[] {
  const context = spanContextOf(traceparent, otel);
  return context === null ? [] : [{ context }];
}
