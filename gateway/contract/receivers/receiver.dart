// Receives webhooks with Dart 3: dart pub add crypto, then WEBHOOK_SECRET=whsec_... dart run receiver.dart
import 'dart:convert';
import 'dart:io';
import 'package:crypto/crypto.dart';

final secret = Platform.environment['WEBHOOK_SECRET'] ?? '';
const toleranceSeconds = 300;
const maxBytes = 64 * 1024;

Future<void> main() async {
  final port = int.parse(Platform.environment['PORT'] ?? '3000');
  final server = await HttpServer.bind(InternetAddress.anyIPv4, port);
  print('listening on ${server.port}');
  await for (final request in server) {
    try {
      await receive(request);
    } catch (_) {
      await answer(request, 500, {'error': 'Internal error'});
    }
  }
}

Future<void> receive(HttpRequest request) async {
  final body = <int>[];
  await for (final chunk in request) {
    if (body.length + chunk.length > maxBytes) return answer(request, 413, {'error': 'Payload too large'});
    body.addAll(chunk);
  }
  if (body.isEmpty) return answer(request, 400, {'error': 'Missing payload'});
  if (!isGenuine(request.headers, body)) return answer(request, 401, {'error': 'Invalid signature'});
  final Map<String, dynamic> event;
  try {
    event = jsonDecode(utf8.decode(body)) as Map<String, dynamic>;
  } catch (_) {
    return answer(request, 400, {'error': 'Invalid JSON'});
  }
  handle(event, request.headers.value('webhook-id') ?? '');
  return answer(request, 200, {'status': 'received'});
}

/// [body] as it was received, before any parsing.
bool isGenuine(HttpHeaders headers, List<int> body) {
  // The key is the whole secret as text, whsec_ included.
  final simple = 'sha256=${Hmac(sha256, utf8.encode(secret)).convert(body)}';
  // This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
  final id = headers.value('webhook-id') ?? '';
  final time = headers.value('webhook-timestamp') ?? '';
  final key = base64.decode(secret.replaceFirst('whsec_', ''));
  final digest = Hmac(sha256, key).convert([...utf8.encode('$id.$time.'), ...body]);
  final standard = 'v1,${base64.encode(digest.bytes)}';
  final signatures = (headers.value('webhook-signature') ?? '').split(' ');
  final signed = signatures.any((one) => same(one, standard));
  final sentAt = int.tryParse(time);
  final now = DateTime.now().millisecondsSinceEpoch ~/ 1000;
  final fresh = sentAt != null && (now - sentAt).abs() <= toleranceSeconds;
  return same(headers.value('X-Presenza-Signature') ?? '', simple) && signed && fresh;
}

/// Compares in a time that does not tell how much is right.
bool same(String given, String expected) {
  if (given.length != expected.length) return false;
  var difference = 0;
  for (var i = 0; i < given.length; i++) {
    difference |= given.codeUnitAt(i) ^ expected.codeUnitAt(i);
  }
  return difference == 0;
}

void handle(Map<String, dynamic> event, String id) {
  // The same event may come more than once: remember the ids that you have handled.
  print('$id ${event['eventType']} ${event['sessionId']}');
}

Future<void> answer(HttpRequest request, int status, Map<String, String> content) async {
  request.response
    ..statusCode = status
    ..headers.contentType = ContentType.json
    ..write(jsonEncode(content));
  await request.response.close();
}
