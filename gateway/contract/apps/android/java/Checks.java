package com.example.myapp;

import android.app.Activity;
import android.net.Uri;
import androidx.browser.customtabs.CustomTabsIntent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import org.json.JSONException;
import org.json.JSONObject;

/** Calls your own backend. Use a background thread: Android refuses network calls on the main thread. */
public final class Checks {
    private static final int TIMEOUT_MS = 15_000;
    private final String backend;

    public Checks(String backend) {
        this.backend = backend;
    }

    /** Returns sessionId and verificationUrl. */
    public JSONObject start() throws IOException, JSONException {
        return call("POST", "/checks");
    }

    /** One of pending, passed, failed, cancelled, expired, unknown. */
    public String outcome(String sessionId) throws IOException, JSONException {
        return call("GET", "/checks/" + sessionId).getString("status");
    }

    public static void open(Activity activity, String verificationUrl) {
        new CustomTabsIntent.Builder().build().launchUrl(activity, Uri.parse(verificationUrl));
    }

    private JSONObject call(String method, String path) throws IOException, JSONException {
        HttpURLConnection connection = (HttpURLConnection) new URL(backend + path).openConnection();
        try {
            connection.setRequestMethod(method);
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            if (connection.getResponseCode() != 200) {
                throw new IOException("The backend responded with " + connection.getResponseCode());
            }
            return new JSONObject(readAll(connection.getInputStream()));
        } finally {
            connection.disconnect();
        }
    }

    private static String readAll(InputStream stream) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        for (int count = stream.read(part); count >= 0; count = stream.read(part)) {
            bytes.write(part, 0, count);
        }
        return bytes.toString("UTF-8");
    }
}
