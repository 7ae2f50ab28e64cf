package presenza

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 5 * time.Minute

// ErrWebhook is for a webhook that the service did not send, or sent too long ago. Respond with status 401.
var ErrWebhook = errors.New("the signature or the timestamp of the webhook is invalid")

// VerifyWebhook returns the event of a webhook whose Standard Webhooks headers sign the raw body, which is bytes or text,
// with the secret, which is whsec_ and base64. During a rotation, the old and the new secret both verify. The timestamp may be five minutes off.
func VerifyWebhook[Body ~[]byte | ~string](secret string, header http.Header, body Body) (*WebhookEvent, error) {
	return verifyWebhook(secret, header, []byte(body), time.Now())
}

func verifyWebhook(secret string, header http.Header, body []byte, now time.Time) (*WebhookEvent, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return nil, ErrWebhook
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// With an empty key, anyone could sign.
	if err != nil || len(key) < 24 {
		return nil, errors.New("the secret must be that of the endpoint: whsec_ and base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), expected) {
			event := new(WebhookEvent)
			return event, json.Unmarshal(body, event)
		}
	}
	return nil, ErrWebhook
}
