package com.example.myapp

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import org.json.JSONException
import org.json.JSONObject

data class Check(val sessionId: String, val verificationUrl: String)

/** [backend] is your own backend, never the API itself. */
class Checks(private val backend: String) {
    // region calls
    /** Throws an IOException if the backend is not reachable or its response is not the expected one. */
    suspend fun start(): Check = call("POST", "/checks") {
        Check(it.getString("sessionId"), it.getString("verificationUrl"))
    }

    /** Polls until the webhook has reached the backend, then returns the outcome. */
    suspend fun outcome(sessionId: String, attempts: Int = 20): String {
        repeat(attempts) {
            val status = call("GET", "/checks/$sessionId") { it.getString("status") }
            if (status != "pending") return status
            delay(1000)
        }
        return "pending"
    }
    // endregion

    private suspend fun <T> call(
        method: String,
        path: String,
        read: (JSONObject) -> T,
    ): T = withContext(Dispatchers.IO) {
        val connection = URL(backend + path).openConnection() as HttpURLConnection
        try {
            connection.requestMethod = method
            connection.connectTimeout = 15000
            connection.readTimeout = 15000
            if (connection.responseCode != 200) {
                throw IOException("The backend responded with " + connection.responseCode)
            }
            read(JSONObject(connection.inputStream.bufferedReader().readText()))
        } catch (error: JSONException) {
            throw IOException("The response of the backend is not the expected one", error)
        } finally {
            connection.disconnect()
        }
    }
}
