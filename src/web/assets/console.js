// Keeps the page up to date: single cells are replaced, and nothing that somebody reads, types in or has opened is touched.
const page = document.documentElement;
const waiting = new Map();

function isInUse(cell) {
  if (cell.contains(document.activeElement) && document.activeElement !== document.body) return true;
  if (cell.querySelector('details[open]') !== null) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(cell, true);
}

function show(key, mark, markup) {
  const cell = document.querySelector(`[data-cell="${CSS.escape(key)}"]`);
  if (cell === null || cell.dataset.mark === mark) return waiting.delete(key);
  if (isInUse(cell)) return waiting.set(key, [mark, markup]);
  waiting.delete(key);
  cell.innerHTML = markup;
  cell.dataset.mark = mark;
  return true;
}

function showWaiting() {
  for (const [key, [mark, markup]] of waiting) show(key, mark, markup);
}

function follow(address) {
  const source = new EventSource(address);
  source.addEventListener('cells', ({ data }) => {
    for (const [key, [mark, markup]] of Object.entries(JSON.parse(data))) show(key, mark, markup);
  });
  source.addEventListener('ended', () => {
    source.close();
    page.dataset.live = 'ended';
  });
  source.addEventListener('open', () => (page.dataset.live = 'on'));
  source.addEventListener('error', () => (page.dataset.live = 'off'));
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
}

if (page.dataset.follow !== undefined) follow(page.dataset.follow);
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
