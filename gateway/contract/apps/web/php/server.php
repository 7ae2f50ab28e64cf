<?php
// PHP 8.1 or later, without packages: php -q -S 127.0.0.1:3000 -t public php/server.php
declare(strict_types=1);

const MAX_BYTES = 64 * 1024;
const TOLERANCE_SECONDS = 300;
const OUTCOMES = [
    'session.failed' => 'failed',
    'session.cancelled' => 'cancelled',
    'session.expired' => 'expired',
];
// Checks by session id. PHP keeps nothing between two requests: use your database in production.
const CHECKS = __DIR__ . '/checks.json';

/** Calls $change with all checks while no other request changes them, and keeps what it leaves. */
function with_checks(callable $change): mixed
{
    $file = fopen(CHECKS, 'c+');
    flock($file, LOCK_EX);
    $checks = json_decode(stream_get_contents($file) ?: '[]', true);
    $result = $change($checks);
    rewind($file);
    ftruncate($file, 0);
    fwrite($file, json_encode($checks));
    fclose($file);
    return $result;
}

// region create
function create_check(string $userId): array
{
    $port = $_SERVER['SERVER_PORT'];
    $session = [
        'metadata' => ['userId' => $userId],
        'returnUrl' => getenv('RETURN_URL') ?: "http://127.0.0.1:$port/check-done.html",
    ];
    if (getenv('REFERENCE_PHOTO')) {
        // Use the photo of this user from your records. Without a reference image, the check verifies
        // that the user is live, but not who they are.
        $photo = base64_encode(file_get_contents(getenv('REFERENCE_PHOTO')));
        $session['imageToCompare'] = "data:image/jpeg;base64,$photo";
    }
    if (getenv('TEST_OUTCOME')) {
        $session['testOutcome'] = getenv('TEST_OUTCOME'); // with a test key only
    }
    $data = call_api('/liveness', $session);
    with_checks(function (array &$checks) use ($data, $session, $userId): void {
        $checks[$data['sessionId']] = [
            'userId' => $userId,
            'withReference' => isset($session['imageToCompare']),
            'status' => 'pending',
        ];
    });
    return array_intersect_key($data, array_flip(['sessionId', 'verificationUrl', 'accessToken']));
}

function call_api(string $path, array $body): array
{
    $options = [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . getenv('API_KEY'), 'Content-Type: application/json'],
        'content' => json_encode($body),
        'ignore_errors' => true,
        'timeout' => 10,
    ];
    $text = @file_get_contents(getenv('API_URL') . $path, false, stream_context_create(['http' => $options]));
    $response = json_decode((string) $text, true) ?? throw new RuntimeException('The service did not respond');
    if (!$response['success']) {
        throw new RuntimeException("{$response['error']['code']} ({$response['requestId']})");
    }
    return $response['data'];
}
// endregion

// region verify
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
    return $signed && abs(time() - (int) $time) <= TOLERANCE_SECONDS;
}
// endregion

// region decide
/** True if the user is live and, with a reference image, matches it. */
function is_verified(array $event, bool $withReference): bool
{
    $isLive = ($event['result']['isLive'] ?? false) === true;
    $isMatch = ($event['match']['isMatch'] ?? false) === true;
    return $isLive && ($isMatch || (!$withReference && !isset($event['match'])));
}

/** Checks pass only here. */
function receive(array $event): void
{
    with_checks(function (array &$checks) use ($event): void {
        $check = $checks[$event['sessionId'] ?? ''] ?? null;
        // An event may arrive twice. The first result is final.
        if ($check === null || $check['status'] !== 'pending') {
            return;
        }
        $passed = is_verified($event, $check['withReference']) ? 'passed' : 'failed';
        $outcomes = ['session.completed' => $passed] + OUTCOMES;
        $checks[$event['sessionId']]['status'] = $outcomes[$event['eventType']] ?? 'pending';
    });
}
// endregion

function start_check(string $userId): never
{
    try {
        respond(200, create_check($userId));
    } catch (RuntimeException $error) {
        report("The check could not be started: {$error->getMessage()}");
        respond(500, ['error' => 'The check could not be started.']);
    }
}

function receive_webhook(string $key): never
{
    $body = (string) file_get_contents('php://input', false, null, 0, MAX_BYTES + 1);
    if (strlen($body) > MAX_BYTES) {
        respond(413, ['error' => 'Payload too large']);
    }
    if ($body === '') {
        respond(400, ['error' => 'Missing payload']);
    }
    if (!is_genuine($key, $body)) {
        respond(401, ['error' => 'Invalid signature']);
    }
    $event = json_decode($body, true);
    if (!is_array($event)) {
        respond(400, ['error' => 'Invalid JSON']);
    }
    receive($event);
    respond(200, ['status' => 'received']);
}

/** The option -q of PHP's server keeps session ids out of the log, and silences error_log as well. */
function report(string $reason): void
{
    file_put_contents('php://stderr', "$reason\n");
}

function respond(int $status, array $content): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($content));
}

/** PHP's server has no start of its own, so each request reads the settings. */
function read_key(): string
{
    if (!getenv('API_URL') || !getenv('API_KEY')) {
        report('Set API_URL and API_KEY.');
        respond(500, ['error' => 'Internal error']);
    }
    // The decoded base64 after whsec_. With an empty key, anyone could sign.
    $key = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    if (strlen($key) < 24) {
        report('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');
        respond(500, ['error' => 'Internal error']);
    }
    return $key;
}

$key = read_key();
// Get the user from your own authentication.
$userId = 'user-4711';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$route = "{$_SERVER['REQUEST_METHOD']} $path";
if ($route === 'POST /checks') {
    start_check($userId);
}
if ($route === 'POST /webhooks') {
    receive_webhook($key);
}
if (str_starts_with($route, 'GET /checks/')) {
    $check = with_checks(fn (array &$checks) => $checks[substr($path, strlen('/checks/'))] ?? null);
    respond(200, ['status' => ($check['userId'] ?? null) === $userId ? $check['status'] : 'unknown']);
}
// A file of the folder public.
return false;
