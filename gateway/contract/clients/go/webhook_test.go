package presenza

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestWebhook(t *testing.T) {
	text, err := os.ReadFile("testdata/webhook.json")
	if err != nil {
		t.Fatal(err)
	}
	var example struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	seconds, _ := strconv.ParseInt(example.Headers["webhook-timestamp"], 10, 64)
	sentAt := time.Unix(seconds, 0)
	signature := example.Headers["webhook-signature"]
	other := "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	otherSecret := example.Secret[:len(example.Secret)-4] + "AAAA"

	for _, test := range []struct {
		name, secret, body, id, signature string
		offset                            time.Duration
		valid                             bool
	}{
		{"documented example", example.Secret, example.Body, "", signature, 0, true},
		{"new secret signs first during a rotation", example.Secret, example.Body, "", other + " " + signature, 0, true},
		{"old secret signs last during a rotation", example.Secret, example.Body, "", signature + " " + other, 0, true},
		{"clock five minutes late", example.Secret, example.Body, "", signature, 300 * time.Second, true},
		{"clock too late", example.Secret, example.Body, "", signature, 301 * time.Second, false},
		{"clock too early", example.Secret, example.Body, "", signature, -301 * time.Second, false},
		{"another body", example.Secret, example.Body + " ", "", signature, 0, false},
		{"another secret", otherSecret, example.Body, "", signature, 0, false},
		{"another id", example.Secret, example.Body, "msg_other", signature, 0, false},
		{"no signature", example.Secret, example.Body, "", "", 0, false},
	} {
		header := http.Header{}
		for name, value := range example.Headers {
			header.Set(name, value)
		}
		header.Set("webhook-signature", test.signature)
		if test.id != "" {
			header.Set("webhook-id", test.id)
		}
		event, err := verifyWebhook(test.secret, header, []byte(test.body), sentAt.Add(test.offset))
		if test.valid && (err != nil || event.EventType != EventTypeSessionCompleted) {
			t.Errorf("%s: %v", test.name, err)
		}
		if !test.valid && !errors.Is(err, ErrWebhook) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, err := VerifyWebhook(example.Secret, http.Header{}, ""); !errors.Is(err, ErrWebhook) {
		t.Errorf("without headers: %v", err)
	}
	timely := http.Header{"Webhook-Timestamp": {strconv.FormatInt(time.Now().Unix(), 10)}}
	for _, secret := range []string{"", "whsec_", "whsec_AAAA"} {
		if _, err := VerifyWebhook(secret, timely, []byte{}); err == nil || errors.Is(err, ErrWebhook) {
			t.Errorf("secret %q: %v", secret, err)
		}
	}
}
