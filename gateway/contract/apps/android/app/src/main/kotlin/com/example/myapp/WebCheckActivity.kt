package com.example.myapp

import android.Manifest
import android.annotation.SuppressLint
import android.content.ActivityNotFoundException
import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.webkit.PermissionRequest
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebChromeClient
import android.webkit.WebResourceRequest
import android.webkit.WebView
import android.webkit.WebViewClient
import android.widget.FrameLayout
import android.widget.Toast
import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts.RequestPermission

private const val RETURN_SCHEME = "myapp"
private const val ASKING = "isAsking"

/** Shows the hosted page in the app. The page gets the camera, and other origins get nothing. */
class WebCheckActivity : ComponentActivity() {
    private lateinit var page: Uri
    private lateinit var webView: WebView
    private var isAsking = false

    private val camera = registerForActivityResult(RequestPermission()) { isGranted ->
        isAsking = false
        if (isGranted) {
            webView.loadUrl(page.toString())
        } else {
            Toast.makeText(this, R.string.camera_denied, Toast.LENGTH_LONG).show()
            finish()
        }
    }

    @SuppressLint("SetJavaScriptEnabled")
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        page = checkNotNull(intent.data)
        // region settings
        webView = WebView(this)
        webView.settings.javaScriptEnabled = true
        webView.settings.domStorageEnabled = true
        webView.settings.mediaPlaybackRequiresUserGesture = false
        webView.webChromeClient = CameraForPage()
        webView.webViewClient = StayOnPage()
        // endregion
        val frame = FrameLayout(this)
        frame.fitsSystemWindows = true
        frame.addView(webView)
        setContentView(frame)
        // A new instance receives the response to a prompt that is still open. Android rejects a second prompt at once.
        isAsking = savedInstanceState?.getBoolean(ASKING) ?: false
        if (!isAsking) {
            isAsking = true
            camera.launch(Manifest.permission.CAMERA)
        }
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putBoolean(ASKING, isAsking)
    }

    override fun onDestroy() {
        webView.destroy()
        super.onDestroy()
    }

    private fun isOnPage(url: Uri) =
        url.scheme == page.scheme && url.host == page.host && url.port == page.port

    private fun openInBrowser(url: Uri) {
        try {
            startActivity(Intent(Intent.ACTION_VIEW, url))
        } catch (error: ActivityNotFoundException) {
            Toast.makeText(this, R.string.no_browser, Toast.LENGTH_LONG).show()
        }
    }

    // region camera
    private inner class CameraForPage : WebChromeClient() {
        override fun onPermissionRequest(request: PermissionRequest) {
            val video = PermissionRequest.RESOURCE_VIDEO_CAPTURE
            if (isOnPage(request.origin) && video in request.resources) {
                request.grant(arrayOf(video))
            } else {
                request.deny()
            }
        }
    }
    // endregion

    private inner class StayOnPage : WebViewClient() {
        // region navigation
        override fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean {
            val url = request.url
            if (isOnPage(url)) return false
            if (url.scheme == RETURN_SCHEME) finish()
            if (url.scheme == "https") openInBrowser(url)
            return true
        }
        // endregion

        /** Android ends the app with the renderer if this returns false. */
        override fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean {
            finish()
            return true
        }
    }

    companion object {
        fun intent(context: Context, verificationUrl: String): Intent =
            Intent(context, WebCheckActivity::class.java).setData(Uri.parse(verificationUrl))
    }
}
