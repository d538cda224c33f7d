// Keeps the page up to date: single cells are replaced, and nothing that somebody reads, types in or has opened is touched.
const page = document.documentElement;
const waiting = new Map();
const NOT_TYPED_IN = ['hidden', 'submit', 'button'];

// What somebody has typed or chosen, and not sent yet.
function isEdited(field) {
  if (NOT_TYPED_IN.includes(field.type)) return false;
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked;
  if (field.options === undefined) return field.value !== field.defaultValue;
  const usual = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(0, usual);
}

function isInUse(cell) {
  const selection = document.getSelection();
  if (selection !== null && !selection.isCollapsed && selection.containsNode(cell, true)) return true;
  if (cell.querySelector('details[open]') !== null) return true;
  return [...cell.querySelectorAll('input, select, textarea')].some(isEdited);
}

// The same link or summary in what comes: it keeps the focus. Anything else that has the focus keeps its cell as it is.
function sameIn(fresh, focused) {
  if (focused.matches('a[href]'))
    return [...fresh.querySelectorAll('a[href]')].find(({ href }) => href === focused.href);
  if (!focused.matches('summary')) return undefined;
  return [...fresh.querySelectorAll('summary')].find(({ textContent }) => textContent === focused.textContent);
}

function show(key, mark, markup) {
  const cell = document.querySelector(`[data-cell="${CSS.escape(key)}"]`);
  if (cell === null || cell.dataset.mark === mark) return waiting.delete(key);
  const focused = cell.contains(document.activeElement) ? document.activeElement : null;
  const fresh = cell.cloneNode(false);
  fresh.innerHTML = markup;
  const next = focused === null ? undefined : sameIn(fresh, focused);
  if (isInUse(cell) || (focused !== null && next === undefined)) return waiting.set(key, [mark, markup]);
  waiting.delete(key);
  cell.replaceChildren(...fresh.childNodes);
  cell.dataset.mark = mark;
  next?.focus({ preventScroll: true });
  return true;
}

function showAll(cells) {
  for (const [key, [mark, markup]] of cells) show(key, mark, markup);
  page.toggleAttribute('data-waiting', waiting.size > 0);
}

function showWaiting() {
  if (waiting.size > 0) showAll([...waiting]);
}

// A browser gives up where something else answers for a while, such as a proxy; this page does not. Milliseconds.
const AGAIN_AFTER = 5000;
let source;
let last = null;

function follow(address) {
  // What this page shows decides what it has missed, also after a break.
  const url = new URL(address, location.origin);
  if (last !== null) url.searchParams.set('at', last);
  source = new EventSource(url);
  source.addEventListener('cells', ({ data, lastEventId }) => {
    last = lastEventId;
    showAll(Object.entries(JSON.parse(data)));
  });
  source.addEventListener('ended', () => {
    source.close();
    page.dataset.live = 'ended';
  });
  source.addEventListener('open', () => (page.dataset.live = 'on'));
  source.addEventListener('error', () => {
    page.dataset.live = 'off';
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_AFTER, address);
  });
}

if (page.dataset.follow !== undefined) {
  follow(page.dataset.follow);
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}
document.addEventListener('selectionchange', showWaiting);
document.addEventListener('focusout', () => setTimeout(showWaiting));
document.addEventListener('toggle', showWaiting, true);

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  if (event.target.dataset.sent !== undefined) return event.preventDefault();
  if (event.target.method === 'post') event.target.dataset.sent = '';
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
