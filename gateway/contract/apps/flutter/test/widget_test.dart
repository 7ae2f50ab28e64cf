import 'package:flutter_test/flutter_test.dart';
import 'package:http/http.dart' as http;
import 'package:http/testing.dart';
import 'package:myapp/checks.dart';
import 'package:myapp/main.dart';
import 'package:shared_preferences/shared_preferences.dart';

void main() {
  testWidgets('a new start of the app shows the outcome of the last check', (tester) async {
    SharedPreferences.setMockInitialValues({'sessionId': 'ses_1'});
    final asked = <String>[];
    final client = MockClient((request) async {
      asked.add(request.url.path);
      return http.Response('{"status":"passed"}', 200);
    });
    final checks = Checks(Uri.parse('https://app.example.com'), client: client);
    await tester.pumpWidget(MyApp(checks: checks));
    await tester.pumpAndSettle();
    expect(asked, ['/checks/ses_1']);
    expect(find.text('Thank you, that worked.'), findsOneWidget);
  });
}
