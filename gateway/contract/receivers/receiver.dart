// Receives webhooks with Dart 3: dart pub add crypto, then WEBHOOK_SECRET=whsec_... dart run receiver.dart
import 'dart:convert';
import 'dart:io';
import 'package:crypto/crypto.dart';

/// The decoded base64 after whsec_.
final key = base64.decode((Platform.environment['WEBHOOK_SECRET'] ?? '').replaceFirst('whsec_', ''));

/// Take this from your own records for each session. Here, one setting applies to all sessions.
final withReference = Platform.environment['WITH_REFERENCE'] == 'true';
const toleranceSeconds = 300;
const maxBytes = 64 * 1024;

Future<void> main() async {
  // With an empty key, anyone could sign.
  if (key.length < 24) throw StateError('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');
  final port = int.parse(Platform.environment['PORT'] ?? '3000');
  final server = await HttpServer.bind(InternetAddress.anyIPv4, port);
  print('listening on ${server.port}');
  await for (final request in server) {
    try {
      await receive(request);
    } catch (_) {
      await respond(request, 500, {'error': 'Internal error'});
    }
  }
}

Future<void> receive(HttpRequest request) async {
  final body = <int>[];
  await for (final chunk in request) {
    if (body.length + chunk.length > maxBytes) return respond(request, 413, {'error': 'Payload too large'});
    body.addAll(chunk);
  }
  if (body.isEmpty) return respond(request, 400, {'error': 'Missing payload'});
  if (!isGenuine(request.headers, body)) return respond(request, 401, {'error': 'Invalid signature'});
  final Map<String, dynamic> event;
  try {
    event = jsonDecode(utf8.decode(body)) as Map<String, dynamic>;
  } catch (_) {
    return respond(request, 400, {'error': 'Invalid JSON'});
  }
  handle(event, request.headers.value('webhook-id') ?? '');
  return respond(request, 200, {'status': 'received'});
}

/// [body] raw bytes, before any parsing.
bool isGenuine(HttpHeaders headers, List<int> body) {
  final id = headers.value('webhook-id') ?? '';
  final time = headers.value('webhook-timestamp') ?? '';
  final digest = Hmac(sha256, key).convert([...utf8.encode('$id.$time.'), ...body]);
  final expected = 'v1,${base64.encode(digest.bytes)}';
  // During a secret rotation there are several signatures. One valid signature is enough.
  final signatures = (headers.value('webhook-signature') ?? '').split(' ');
  final signed = signatures.any((one) => same(one, expected));
  final sentAt = int.tryParse(time);
  final now = DateTime.now().millisecondsSinceEpoch ~/ 1000;
  final fresh = sentAt != null && (now - sentAt).abs() <= toleranceSeconds;
  return signed && fresh;
}

/// Compares in constant time.
bool same(String given, String expected) {
  if (given.length != expected.length) return false;
  var difference = 0;
  for (var i = 0; i < given.length; i++) {
    difference |= given.codeUnitAt(i) ^ expected.codeUnitAt(i);
  }
  return difference == 0;
}

/// True if the user is live and, with a reference image, matches it.
bool isVerified(Map<String, dynamic> event, bool withReference) =>
    event['result']?['isLive'] == true &&
    (event['match']?['isMatch'] == true || (!withReference && event['match'] == null));

void handle(Map<String, dynamic> event, String id) {
  // An event may arrive more than once: store the ids that you have handled.
  final decision = isVerified(event, withReference) ? 'verified' : 'not verified';
  print('$id ${event['eventType']} ${event['sessionId']} $decision');
}

Future<void> respond(HttpRequest request, int status, Map<String, String> content) async {
  request.response
    ..statusCode = status
    ..headers.contentType = ContentType.json
    ..write(jsonEncode(content));
  await request.response.close();
}
