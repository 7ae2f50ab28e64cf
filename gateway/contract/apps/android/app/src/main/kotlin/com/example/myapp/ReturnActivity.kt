package com.example.myapp

import android.content.Intent
import android.os.Bundle
import androidx.activity.ComponentActivity

// region return
/**
 * Opens for `returnUrl`, closes the Custom Tab and shows the screen below it. It ignores the URL, which any app or page
 * can open: only the backend knows the outcome.
 */
class ReturnActivity : ComponentActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val flags = Intent.FLAG_ACTIVITY_CLEAR_TOP or Intent.FLAG_ACTIVITY_SINGLE_TOP
        startActivity(Intent(this, CheckActivity::class.java).addFlags(flags))
        finish()
    }
}
// endregion
