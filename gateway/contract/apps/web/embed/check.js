// A bundler resolves the import of the package.
import '@presenza/liveness';

const check = document.querySelector('presenza-liveness');
// The status is for display only: ask your backend for the outcome.
check.addEventListener('presenza-end', ({ detail }) => location.assign(`/result?status=${detail.status}`));
const response = await fetch('/checks', { method: 'POST' });
if (!response.ok) throw new Error(`The backend responded with ${response.status}.`);
check.accessToken = (await response.json()).accessToken;
