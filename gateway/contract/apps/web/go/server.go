// Go 1.22 or later, without packages: go run go/server.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	maxBytes  = 64 * 1024
	tolerance = 5 * time.Minute
)

var (
	apiURL, apiKey = os.Getenv("API_URL"), os.Getenv("API_KEY")
	port           = setting("PORT", "3000")
	returnURL      = setting("RETURN_URL", "http://127.0.0.1:"+port+"/check-done.html")
	client         = &http.Client{Timeout: 10 * time.Second}
	// The decoded base64 after whsec_. With an empty key, anyone could sign.
	key, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))

	mutex sync.Mutex
	// Checks by session id. Use your database in production: this map is lost on restart.
	checks = map[string]*check{}
)

var outcomes = map[string]string{
	"session.failed":    "failed",
	"session.cancelled": "cancelled",
	"session.expired":   "expired",
}

type check struct {
	userID        string
	withReference bool
	status        string
}

type event struct {
	EventType string `json:"eventType"`
	SessionID string `json:"sessionId"`
	Result    *struct {
		IsLive bool `json:"isLive"`
	} `json:"result"`
	Match *struct {
		IsMatch bool `json:"isMatch"`
	} `json:"match"`
}

// The session, as the page needs it.
type session struct {
	SessionID       string `json:"sessionId"`
	VerificationURL string `json:"verificationUrl"`
	AccessToken     string `json:"accessToken"`
}

// region create
func createCheck(userID string) (*session, error) {
	request := map[string]any{"metadata": map[string]string{"userId": userID}, "returnUrl": returnURL}
	photo := os.Getenv("REFERENCE_PHOTO")
	if photo != "" {
		// Use the photo of this user from your records. Without a reference image, the check verifies that
		// the user is live, but not who they are.
		image, err := os.ReadFile(photo)
		if err != nil {
			return nil, err
		}
		request["imageToCompare"] = "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(image)
	}
	if outcome := os.Getenv("TEST_OUTCOME"); outcome != "" {
		request["testOutcome"] = outcome // with a test key only
	}
	data, err := callAPI("/liveness", request)
	if err != nil {
		return nil, err
	}
	mutex.Lock()
	defer mutex.Unlock()
	checks[data.SessionID] = &check{userID, photo != "", "pending"}
	return data, nil
}

func callAPI(path string, content any) (*session, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, apiURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var result struct {
		Success   bool
		Data      session
		Error     struct{ Code, Message string }
		RequestID string
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return nil, err
	}
	if !result.Success {
		return nil, fmt.Errorf("%s: %s (%s)", result.Error.Code, result.Error.Message, result.RequestID)
	}
	return &result.Data, nil
}

// endregion

// region verify
// body: raw bytes, before any parsing
func isGenuine(body []byte, headers http.Header) bool {
	id, sentAt := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	hash := hmac.New(sha256.New, key)
	fmt.Fprintf(hash, "%s.%s.%s", id, sentAt, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil)))
	// During a secret rotation there are several signatures. One valid signature is enough.
	for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), expected) {
			return true
		}
	}
	return false
}

// endregion

// region decide
// True if the user is live and, with a reference image, matches it.
func isVerified(event *event, withReference bool) bool {
	isLive := event.Result != nil && event.Result.IsLive
	isMatch := event.Match != nil && event.Match.IsMatch
	return isLive && (isMatch || (!withReference && event.Match == nil))
}

// Checks pass only here.
func receive(event *event) {
	mutex.Lock()
	defer mutex.Unlock()
	check := checks[event.SessionID]
	// An event may arrive twice. The first result is final.
	if check == nil || check.status != "pending" {
		return
	}
	if event.EventType == "session.completed" {
		check.status = "failed"
		if isVerified(event, check.withReference) {
			check.status = "passed"
		}
	} else if outcome, isFinal := outcomes[event.EventType]; isFinal {
		check.status = outcome
	}
}

// endregion

// Get the user from your own authentication.
func currentUser(*http.Request) string {
	return "user-4711"
}

func startCheck(response http.ResponseWriter, request *http.Request) {
	session, err := createCheck(currentUser(request))
	if err != nil {
		log.Printf("The check could not be started: %v", err)
		fail(response, http.StatusInternalServerError, "The check could not be started.")
		return
	}
	reply(response, http.StatusOK, session)
}

func readCheck(response http.ResponseWriter, request *http.Request) {
	mutex.Lock()
	defer mutex.Unlock()
	status := "unknown"
	if check := checks[request.PathValue("id")]; check != nil && check.userID == currentUser(request) {
		status = check.status
	}
	reply(response, http.StatusOK, map[string]string{"status": status})
}

func receiveWebhook(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	var tooLarge *http.MaxBytesError
	var event *event
	switch {
	case errors.As(err, &tooLarge):
		fail(response, http.StatusRequestEntityTooLarge, "Payload too large")
	case err != nil || len(body) == 0:
		fail(response, http.StatusBadRequest, "Missing payload")
	case !isGenuine(body, request.Header):
		fail(response, http.StatusUnauthorized, "Invalid signature")
	case json.Unmarshal(body, &event) != nil || event == nil:
		fail(response, http.StatusBadRequest, "Invalid JSON")
	default:
		receive(event)
		reply(response, http.StatusOK, map[string]string{"status": "received"})
	}
}

func fail(response http.ResponseWriter, status int, reason string) {
	reply(response, status, map[string]string{"error": reason})
}

func reply(response http.ResponseWriter, status int, content any) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	json.NewEncoder(response).Encode(content)
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	if apiURL == "" || apiKey == "" {
		log.Fatal("Set API_URL and API_KEY.")
	}
	if len(key) < 24 {
		log.Fatal("WEBHOOK_SECRET must be the secret of the endpoint: whsec_...")
	}
	http.HandleFunc("POST /checks", startCheck)
	http.HandleFunc("GET /checks/{id}", readCheck)
	http.HandleFunc("POST /webhooks", receiveWebhook)
	http.Handle("GET /", http.FileServer(http.Dir("public")))
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on http://%s", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
