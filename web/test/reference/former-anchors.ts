/** The anchors of the reference when it was one page. API errors and links of others on the web lead to them. */
export const FORMER_ANCHORS = `
  overview envelope response-headers authentication manage-keys create-api-key list-api-keys
  revoke-api-key base-url get-health versions http bodies idempotency lists rate-limits get-usage
  liveness create-liveness-session get-liveness-session list-liveness-sessions
  delete-liveness-session get-liveness-audit-image lock-outs who-may-pass the-hosted-page
  start-liveness-session begin-liveness-attempt send-liveness-frame complete-liveness-attempt
  cancel-liveness-session leave-liveness-session webhooks event-session-started
  event-session-expired event-session-completed event-session-failed event-session-cancelled
  payload signature endpoints create-webhook list-webhooks delete-webhook list-webhook-deliveries
  missed-events list-events get-event rolling-a-secret delivery handlers detect detect-faces
  compare compare-faces moderate moderate-image batch run-batch errors invalid-api-key
  invalid-image image-too-large no-face-detected rate-limit-exceeded invalid-parameters
  internal-error quota-exceeded permission-denied not-found method-not-allowed
  unsupported-media-type payload-too-large headers-too-large request-timeout idempotency-conflict
  session-state-conflict session-expired service-unavailable deadline-exceeded
`
  .trim()
  .split(/\s+/);
