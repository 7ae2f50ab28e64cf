import 'package:flutter/material.dart';

import 'check_screen.dart';
import 'checks.dart';

void main() => runApp(MyApp(checks: Checks(Uri.parse('https://app.example.com'))));

class MyApp extends StatelessWidget {
  const MyApp({super.key, required this.checks});

  final Checks checks;

  @override
  Widget build(BuildContext context) =>
      MaterialApp(title: 'My app', home: CheckScreen(checks: checks));
}
