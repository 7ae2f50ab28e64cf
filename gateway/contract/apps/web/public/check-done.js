const sessionId = sessionStorage.getItem('check');
const texts = {
  passed: 'Thank you, that worked.',
  failed: 'The check did not pass. Try again in better light.',
  cancelled: 'You left before the check was finished.',
  expired: 'The check took too long. Start a new one.',
  pending: 'The result has not arrived yet. Reload this page in a moment.',
  unknown: 'This check does not exist. Start a new one.',
};

// region poll
async function waitForOutcome(attempts = 20) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const response = await fetch(`/checks/${encodeURIComponent(sessionId)}`);
    const { status } = await response.json();
    if (status !== 'pending') return status;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return 'pending';
}

const status = sessionId ? await waitForOutcome() : 'unknown';
document.querySelector('#outcome').textContent = texts[status];
// endregion
