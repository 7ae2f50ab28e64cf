<?php
// Receives webhooks with PHP 8 and no dependencies: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 64 * 1024;

/** @param string $body raw bytes, before any parsing */
function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // During a secret rotation there are several signatures. One valid signature is enough.
    $signed = false;
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        $signed = hash_equals($expected, $one) || $signed;
    }
    $fresh = ctype_digit($time) && abs(time() - (int) $time) <= TOLERANCE_SECONDS;
    return $signed && $fresh;
}

/** True if the user is live and, with a reference image, matches it. */
function is_verified(array $event, bool $withReference): bool
{
    $isLive = ($event['result']['isLive'] ?? false) === true;
    $isMatch = ($event['match']['isMatch'] ?? false) === true;
    return $isLive && ($isMatch || (!$withReference && !isset($event['match'])));
}

function handle(array $event, string $id): void
{
    // Take this from your own records for each session. Here, one setting applies to all sessions.
    $decision = is_verified($event, getenv('WITH_REFERENCE') === 'true') ? 'verified' : 'not verified';
    // An event may arrive more than once: store the ids that you have handled.
    error_log("$id {$event['eventType']} {$event['sessionId']} $decision");
}

function respond(int $status, array $content): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($content));
}

// The decoded base64 after whsec_. With an empty key, anyone could sign.
$key = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_')));
if (strlen($key) < 24) {
    error_log('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');
    respond(500, ['error' => 'Internal error']);
}
$body = file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
if ($body === false || $body === '') {
    respond(400, ['error' => 'Missing payload']);
}
if (strlen($body) > MAX_BYTES) {
    respond(413, ['error' => 'Payload too large']);
}
if (!is_genuine($key, $body)) {
    respond(401, ['error' => 'Invalid signature']);
}
$event = json_decode($body, true);
if (!is_array($event)) {
    respond(400, ['error' => 'Invalid JSON']);
}
try {
    handle($event, $_SERVER['HTTP_WEBHOOK_ID']);
} catch (Throwable) {
    respond(500, ['error' => 'Internal error']);
}
respond(200, ['status' => 'received']);
