import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:flutter_web_auth_2/flutter_web_auth_2.dart';
import 'package:shared_preferences/shared_preferences.dart';

import 'checks.dart';
import 'web_check.dart';

class CheckScreen extends StatefulWidget {
  const CheckScreen({super.key, required this.checks});

  final Checks checks;

  @override
  State<CheckScreen> createState() => _CheckScreenState();
}

class _CheckScreenState extends State<CheckScreen> {
  late final AppLifecycleListener lifecycle;
  bool isBusy = false;
  String message = 'A short check with the camera confirms that it is really you.';

  @override
  void initState() {
    super.initState();
    lifecycle = AppLifecycleListener(onResume: showOutcome);
    showOutcome();
  }

  @override
  void dispose() {
    lifecycle.dispose();
    super.dispose();
  }

  // region browser
  Future<void> verify(Future<void> Function(Check check) open) async {
    setState(() => isBusy = true);
    var isStarted = false;
    try {
      final check = await widget.checks.start();
      // The system may end the app while the browser is open.
      final kept = await SharedPreferences.getInstance();
      await kept.setString('sessionId', check.sessionId);
      isStarted = true;
      await open(check);
    } on Exception {
      if (!isStarted) show('The check could not be started. Try again in a moment.');
    }
    if (!mounted) return;
    setState(() => isBusy = false);
    if (isStarted) await showOutcome();
  }

  Future<void> openInBrowser(Check check) async {
    try {
      // The URL that returns is ignored: only the backend knows the outcome.
      await FlutterWebAuth2.authenticate(
        url: check.verificationUrl.toString(),
        callbackUrlScheme: 'myapp',
        options: const FlutterWebAuth2Options(preferEphemeral: true),
      );
    } on PlatformException {
      // The user closed the browser. The backend reports how the session ends.
    }
  }
  // endregion

  Future<void> openInApp(Check check) async {
    if (!mounted) return;
    await Navigator.of(context).push(
      MaterialPageRoute<void>(builder: (_) => WebCheck(page: check.verificationUrl)),
    );
  }

  // region outcome
  /// After a new start of the app, and whenever the user returns to it.
  Future<void> showOutcome() async {
    if (isBusy) return;
    final kept = await SharedPreferences.getInstance();
    final sessionId = kept.getString('sessionId');
    if (sessionId == null) return;
    show('One moment.');
    String outcome;
    try {
      outcome = await widget.checks.outcome(sessionId);
    } on Exception {
      outcome = 'pending';
    }
    // A new check may have started in the meantime.
    if (isBusy || sessionId != kept.getString('sessionId')) return;
    show(switch (outcome) {
      'passed' => 'Thank you, that worked.',
      'pending' => 'There is no result yet. Return to this screen in a moment.',
      _ => 'The check did not pass.',
    });
  }
  // endregion

  void show(String text) {
    if (mounted) setState(() => message = text);
  }

  @override
  Widget build(BuildContext context) {
    return Scaffold(
      body: Center(
        child: Column(
          mainAxisSize: MainAxisSize.min,
          children: [
            Text(message, textAlign: TextAlign.center),
            FilledButton(
              onPressed: isBusy ? null : () => verify(openInBrowser),
              child: const Text('Verify in the browser'),
            ),
            OutlinedButton(
              onPressed: isBusy ? null : () => verify(openInApp),
              child: const Text('Verify in this app'),
            ),
          ],
        ),
      ),
    );
  }
}
