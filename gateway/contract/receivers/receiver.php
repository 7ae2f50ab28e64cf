<?php
// Receives webhooks with PHP 8 and nothing else: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 64 * 1024;

/** @param string $body as it was received, before any parsing */
function is_genuine(string $secret, string $body): bool
{
    // The key is the whole secret as text, whsec_ included.
    $simple = 'sha256=' . hash_hmac('sha256', $body, $secret);
    // This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $standard = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $signed = false;
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        $signed = hash_equals($standard, $one) || $signed;
    }
    $fresh = ctype_digit($time) && abs(time() - (int) $time) <= TOLERANCE_SECONDS;
    return hash_equals($simple, $_SERVER['HTTP_X_PRESENZA_SIGNATURE'] ?? '') && $signed && $fresh;
}

function handle(array $event, string $id): void
{
    // The same event may come more than once: remember the ids that you have handled.
    error_log("$id {$event['eventType']} {$event['sessionId']}");
}

function answer(int $status, array $content): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($content));
}

$body = file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
if ($body === false || $body === '') {
    answer(400, ['error' => 'Missing payload']);
}
if (strlen($body) > MAX_BYTES) {
    answer(413, ['error' => 'Payload too large']);
}
if (!is_genuine((string) getenv('WEBHOOK_SECRET'), $body)) {
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
