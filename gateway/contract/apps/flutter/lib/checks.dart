import 'dart:convert';

import 'package:http/http.dart' as http;

class Check {
  const Check({required this.sessionId, required this.verificationUrl});

  final String sessionId;
  final Uri verificationUrl;
}

class CheckFailure implements Exception {
  const CheckFailure(this.message);

  final String message;
}

class Checks {
  Checks(this.backend, {http.Client? client}) : client = client ?? http.Client();

  /// Your own backend, never the API itself.
  final Uri backend;
  final http.Client client;

  // region calls
  Future<Check> start() async {
    return switch (await read(client.post(backend.resolve('/checks')))) {
      {'sessionId': final String sessionId, 'verificationUrl': final String url} =>
        Check(sessionId: sessionId, verificationUrl: Uri.parse(url)),
      _ => throw const CheckFailure('The response of the backend is not the expected one.'),
    };
  }

  /// Polls until the webhook has reached the backend, then returns the outcome.
  Future<String> outcome(String sessionId, {int attempts = 20}) async {
    for (var attempt = 0; attempt < attempts; attempt++) {
      final body = await read(client.get(backend.resolve('/checks/$sessionId')));
      if (body case {'status': final String status} when status != 'pending') return status;
      await Future<void>.delayed(const Duration(seconds: 1));
    }
    return 'pending';
  }
  // endregion

  Future<Object?> read(Future<http.Response> request) async {
    final response = await request.timeout(const Duration(seconds: 15));
    if (response.statusCode != 200) {
      throw CheckFailure('The backend responded with ${response.statusCode}.');
    }
    return jsonDecode(response.body);
  }
}
