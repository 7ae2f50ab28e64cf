import 'package:flutter/foundation.dart';
import 'package:flutter/material.dart';
import 'package:permission_handler/permission_handler.dart';
import 'package:url_launcher/url_launcher.dart';
import 'package:webview_flutter/webview_flutter.dart';
import 'package:webview_flutter_wkwebview/webview_flutter_wkwebview.dart';

/// Shows the hosted page in the app. The web view never leaves the origin of
/// the page, which gets the camera.
class WebCheck extends StatefulWidget {
  const WebCheck({super.key, required this.page});

  final Uri page;

  @override
  State<WebCheck> createState() => _WebCheckState();
}

class _WebCheckState extends State<WebCheck> {
  late final WebViewController controller;

  // region controller
  @override
  void initState() {
    super.initState();
    final isApple = WebViewPlatform.instance is WebKitWebViewPlatform;
    controller = WebViewController.fromPlatformCreationParams(
      isApple
          ? WebKitWebViewControllerCreationParams(allowsInlineMediaPlayback: true)
          : const PlatformWebViewControllerCreationParams(),
      onPermissionRequest: allowCamera,
    );
    controller
      ..setJavaScriptMode(JavaScriptMode.unrestricted)
      ..setNavigationDelegate(NavigationDelegate(onNavigationRequest: stayOnPage));
    load();
  }
  // endregion

  Future<void> load() async {
    // iOS asks for the camera itself when the page opens it. Android asks only if the app does.
    if (defaultTargetPlatform == TargetPlatform.android) {
      final camera = await Permission.camera.request();
      if (!mounted) return;
      if (!camera.isGranted) {
        ScaffoldMessenger.of(context).showSnackBar(
          const SnackBar(content: Text('Allow the camera in the settings, or verify in the browser.')),
        );
        return close();
      }
    }
    await controller.loadRequest(widget.page);
  }

  // region camera
  Future<void> allowCamera(WebViewPermissionRequest request) {
    final isCamera = request.types.length == 1 &&
        request.types.contains(WebViewPermissionResourceType.camera);
    return isCamera ? request.grant() : request.deny();
  }
  // endregion

  // region navigation
  NavigationDecision stayOnPage(NavigationRequest request) {
    final url = Uri.parse(request.url);
    if (url.isScheme('myapp')) {
      close();
    } else if (url.isScheme('https')) {
      if (url.origin == widget.page.origin) return NavigationDecision.navigate;
      if (request.isMainFrame) launchUrl(url, mode: LaunchMode.externalApplication);
    }
    return NavigationDecision.prevent;
  }
  // endregion

  void close() {
    if (mounted) Navigator.of(context).pop();
  }

  @override
  Widget build(BuildContext context) => Scaffold(
        appBar: AppBar(),
        body: WebViewWidget(controller: controller),
      );
}
