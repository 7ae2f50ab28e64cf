package com.example.myapp

import android.content.ActivityNotFoundException
import android.net.Uri
import android.os.Bundle
import android.widget.Button
import android.widget.TextView
import androidx.activity.ComponentActivity
import androidx.browser.customtabs.CustomTabsIntent
import androidx.lifecycle.lifecycleScope
import java.io.IOException
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch

private const val SESSION_ID = "sessionId"

class CheckActivity : ComponentActivity() {
    private val checks = Checks("https://app.example.com")
    private var sessionId: String? = null
    private var polling: Job? = null
    private lateinit var buttons: List<Button>
    private lateinit var message: TextView

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.activity_check)
        sessionId = savedInstanceState?.getString(SESSION_ID)
        message = findViewById(R.id.message)
        val inBrowser = findViewById<Button>(R.id.verify_in_browser)
        val inApp = findViewById<Button>(R.id.verify_in_app)
        buttons = listOf(inBrowser, inApp)
        inBrowser.setOnClickListener { begin(::openInBrowser) }
        inApp.setOnClickListener { begin(::openInApp) }
    }

    // region resume
    /** Android may end the process while the check is open in the browser. */
    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putString(SESSION_ID, sessionId)
    }

    /** The user returns by the link or by closing the page, and the process may be a new one. */
    override fun onResume() {
        super.onResume()
        sessionId?.let { showOutcome(it) }
    }
    // endregion

    override fun onPause() {
        polling?.cancel()
        super.onPause()
    }

    // region begin
    private fun begin(openPage: (Check) -> Unit) {
        polling?.cancel()
        buttons.forEach { it.isEnabled = false }
        lifecycleScope.launch {
            try {
                val check = checks.start()
                sessionId = check.sessionId
                openPage(check)
            } catch (error: IOException) {
                message.setText(R.string.check_not_started)
            } catch (error: ActivityNotFoundException) {
                message.setText(R.string.check_not_started)
            } finally {
                buttons.forEach { it.isEnabled = true }
            }
        }
    }

    private fun openInBrowser(check: Check) {
        CustomTabsIntent.Builder().build().launchUrl(this, Uri.parse(check.verificationUrl))
    }

    private fun openInApp(check: Check) {
        startActivity(WebCheckActivity.intent(this, check.verificationUrl))
    }
    // endregion

    private fun showOutcome(sessionId: String) {
        message.setText(R.string.check_waiting)
        polling = lifecycleScope.launch {
            val outcome = try {
                checks.outcome(sessionId)
            } catch (error: IOException) {
                "pending"
            }
            message.setText(
                when (outcome) {
                    "passed" -> R.string.check_passed
                    "pending" -> R.string.check_pending
                    else -> R.string.check_not_passed
                },
            )
        }
    }
}
