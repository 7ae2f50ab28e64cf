const button = document.querySelector('#verify');
const outcome = document.querySelector('#outcome');

// region start
button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const response = await fetch('/checks', { method: 'POST' });
    if (!response.ok) throw new Error(`The backend responded with ${response.status}.`);
    const { sessionId, verificationUrl } = await response.json();
    sessionStorage.setItem('check', sessionId);
    location.assign(verificationUrl);
  } catch (error) {
    console.error(error);
    outcome.textContent = 'The check could not be started. Try again in a moment.';
    button.disabled = false;
  }
});
// endregion
