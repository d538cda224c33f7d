import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { STYLE } from '../../report/page/style.ts';

type Asset = { path: string; text: string; type: string };

function own(file: string): string {
  return readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8');
}

/** The style is that of the reports and what the console needs besides. */
const STYLESHEET = asset('console', 'css', `${STYLE}\n${own('console.css')}`, 'text/css; charset=utf-8');
const SCRIPT = asset('console', 'js', own('console.js'), 'text/javascript; charset=utf-8');

const ICON = asset('icon', 'svg', own('icon.svg'), 'image/svg+xml');

/** The addresses of style and script; they change with their content, so that browsers may keep them. */
export const ASSETS = { style: STYLESHEET.path, script: SCRIPT.path, icon: ICON.path };

function asset(name: string, ending: string, text: string, type: string): Asset {
  const mark = createHash('sha256').update(text).digest('base64url').slice(0, 10);
  return { path: `/assets/${name}-${mark}.${ending}`, text, type };
}

/** A year, in seconds. */
const LONG = 31_536_000;

/** Serves style, script and icon to everybody: the page to sign in needs them. */
export function serveAssets(app: Hono<{ Bindings: HttpBindings }>): void {
  for (const { path, text, type } of [STYLESHEET, SCRIPT, ICON]) {
    app.get(path, (c) =>
      c.body(text, 200, { 'content-type': type, 'cache-control': `public, max-age=${LONG}, immutable` }),
    );
  }
}
