// Shows the mails and looks for new ones. The token is kept for this tab only, and leaves the address bar at once.
const refreshMs = 2_000;
const storageKey = 'admin-token';
const texts = {
  none: 'No mails yet. They appear here within seconds, unless SMTP_URL names a mail server: then it has them.',
  noneTo: 'No mails to this address.',
  wrong: 'This token is not valid.',
  away: 'The gateway does not respond. This page tries again.',
};

const form = document.querySelector('form');
const field = document.querySelector('#token');
const filter = document.querySelector('#filter');
const recipient = document.querySelector('#to');
const status = document.querySelector('[role=status]');
const list = document.querySelector('ol');
const link = /https?:\/\/[^\s<>"]+/gi;

let token = fromAddress() || sessionStorage.getItem(storageKey) || '';
/** The state of the mailbox that the page shows. */
let shown;
let timer;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  token = field.value.trim();
  field.value = '';
  void refresh();
});
recipient.addEventListener('change', () => {
  shown = undefined;
  void refresh();
});
window.addEventListener('hashchange', () => {
  token = fromAddress() || token;
  void refresh();
});
document.addEventListener('visibilitychange', refresh);
void refresh();

function fromAddress() {
  const given = location.hash.slice(1);
  if (given) history.replaceState(null, '', location.pathname);
  return given;
}

/** Reads the mails only if there are others than before, because the audit log records each look at them. */
async function refresh() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (!token) return signIn('');
  try {
    const state = JSON.stringify(await read('mails/count'));
    if (state !== shown) show((await read(`mails?limit=50${wanted()}`)).mails);
    shown = state;
  } catch (error) {
    if (error.message === texts.wrong) return signIn(texts.wrong);
    say(texts.away);
    shown = undefined;
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, refreshMs);
}

function wanted() {
  const to = recipient.value.trim();
  return to && `&to=${encodeURIComponent(to)}`;
}

async function read(path) {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (response.status === 401) throw new Error(texts.wrong);
  if (!response.ok) throw new Error(texts.away);
  sessionStorage.setItem(storageKey, token);
  return (await response.json()).data;
}

function signIn(problem) {
  token = '';
  shown = undefined;
  sessionStorage.removeItem(storageKey);
  list.replaceChildren();
  form.hidden = false;
  filter.hidden = true;
  say(problem);
  field.focus();
}

function show(mails) {
  form.hidden = true;
  filter.hidden = false;
  const [newest] = mails;
  say(
    newest
      ? `${mails.length === 1 ? 'One mail' : `${mails.length} mails`}, newest first.`
      : wanted()
        ? texts.noneTo
        : texts.none,
  );
  list.replaceChildren(...mails.map(itemOf));
}

/** A live region speaks at each change. */
function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function itemOf({ at, to, subject, text }) {
  const time = element('time', new Date(at).toLocaleString());
  time.dateTime = at;
  const facts = element('dl', pair('To', to), pair('Sent', time));
  return element('li', element('div', element('h2', subject), facts), element('pre', ...withLinks(text)));
}

const pair = (name, value) => element('div', element('dt', name), element('dd', value));

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function withLinks(text) {
  const parts = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(link)) {
    const anchor = element('a', address);
    anchor.href = address;
    anchor.target = '_blank';
    anchor.rel = 'noopener noreferrer';
    parts.push(text.slice(end, index), anchor);
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}
