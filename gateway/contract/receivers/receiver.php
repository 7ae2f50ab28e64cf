<?php
// Receives webhooks with PHP 8 and nothing else: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 64 * 1024;

/** @param string $body as it was received, before any parsing */
function is_genuine(string $key, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // While the secret is rolled there are several signatures. One that is valid is enough.
    $signed = false;
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        $signed = hash_equals($expected, $one) || $signed;
    }
    $fresh = ctype_digit($time) && abs(time() - (int) $time) <= TOLERANCE_SECONDS;
    return $signed && $fresh;
}

/** True for someone live who matches the reference image, if your backend gave one. */
function is_verified(array $event, bool $withReference): bool
{
    $isLive = ($event['result']['isLive'] ?? false) === true;
    $isMatch = ($event['match']['isMatch'] ?? false) === true;
    return $isLive && ($isMatch || (!$withReference && !isset($event['match'])));
}

function handle(array $event, string $id): void
{
    // Your records know which sessions were created with imageToCompare. Here one setting stands for all of them.
    $decision = is_verified($event, getenv('WITH_REFERENCE') === 'true') ? 'verified' : 'not verified';
    // The same event may arrive more than once: remember the ids that you have handled.
    error_log("$id {$event['eventType']} {$event['sessionId']} $decision");
}

function answer(int $status, array $content): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($content));
}

// What the base64 after whsec_ stands for. With an empty key, anyone could sign.
$key = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_')));
if (strlen($key) < 24) {
    error_log('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');
    answer(500, ['error' => 'Internal error']);
}
$body = file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
if ($body === false || $body === '') {
    answer(400, ['error' => 'Missing payload']);
}
if (strlen($body) > MAX_BYTES) {
    answer(413, ['error' => 'Payload too large']);
}
if (!is_genuine($key, $body)) {
    answer(401, ['error' => 'Invalid signature']);
}
$event = json_decode($body, true);
if (!is_array($event)) {
    answer(400, ['error' => 'Invalid JSON']);
}
try {
    handle($event, $_SERVER['HTTP_WEBHOOK_ID']);
} catch (Throwable) {
    answer(500, ['error' => 'Internal error']);
}
answer(200, ['status' => 'received']);
