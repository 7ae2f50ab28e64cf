package presenza

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

type reply struct {
	status     int
	retryAfter string
	body       string
}

const (
	success     = `{"success":true,"data":{"hasFace":true,"faceCount":1,"faces":[],"newField":1},"requestId":"r1"}`
	rateLimited = `{"success":false,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Slow down.","reason":"burst"},"requestId":"r2"}`
	conflict    = `{"success":false,"error":{"code":"IDEMPOTENCY_CONFLICT","message":"Wait.","reason":"inProgress"},"requestId":"r3"}`
)

var jpeg = Image("\xff\xd8\xff\xe0")

// serve responds with one reply after the other and returns the requests that it received.
func serve(t *testing.T, replies ...reply) (*Client, *[]*http.Request) {
	var received []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(strings.NewReader(string(body)))
		received = append(received, request)
		next := replies[0]
		replies = replies[1:]
		if next.status == 0 {
			panic(http.ErrAbortHandler)
		}
		if next.retryAfter != "" {
			writer.Header().Set("Retry-After", next.retryAfter)
		}
		writer.WriteHeader(next.status)
		io.WriteString(writer, next.body)
	}))
	t.Cleanup(server.Close)
	return New("the-key", server.URL+"/v1/"), &received
}

func detect(client *Client) (*DetectResponse, error) {
	return client.Detect(context.Background(), DetectRequest{Image: jpeg, Attributes: []FaceAttributeName{"all"}})
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func errorOf(t *testing.T, err error) *Error {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("%v is not an *Error", err)
	}
	return failure
}

func TestRequestHasKeyImageAndOptions(t *testing.T) {
	client, received := serve(t, reply{200, "", success})
	response, err := detect(client)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, response.Data.FaceCount, 1)
	equal(t, response.RequestID, "r1")
	request := (*received)[0]
	equal(t, request.Method+" "+request.URL.Path, "POST /v1/detect")
	equal(t, request.Header.Get("Authorization"), "Bearer the-key")
	body, _ := io.ReadAll(request.Body)
	image := "data:image/jpeg;base64,/9j/4A=="
	equal(t, string(body), `{"image":"`+image+`","attributes":["all"]}`)
}

func TestRetriesHaveOneIdempotencyKey(t *testing.T) {
	client, received := serve(t, reply{}, reply{429, "0", rateLimited}, reply{200, "", success})
	if _, err := detect(client); err != nil {
		t.Fatal(err)
	}
	key := (*received)[0].Header.Get("Idempotency-Key")
	equal(t, len(key) >= 26, true)
	equal(t, (*received)[2].Header.Get("Idempotency-Key"), key)
	body, _ := io.ReadAll((*received)[2].Body)
	equal(t, strings.HasPrefix(string(body), `{"image"`), true)
}

func TestCallerChoosesIdempotencyKey(t *testing.T) {
	client, received := serve(t, reply{200, "", success}, reply{200, "", success})
	detect(client.WithIdempotencyKey("mine"))
	detect(client)
	equal(t, (*received)[0].Header.Get("Idempotency-Key"), "mine")
	equal(t, (*received)[1].Header.Get("Idempotency-Key") == "mine", false)
}

func TestErrorHasCodeReasonAndRequestID(t *testing.T) {
	client, received := serve(t, reply{429, "0", rateLimited}, reply{429, "2", rateLimited})
	client.Retries = 1
	_, err := detect(client)
	failure := errorOf(t, err)
	equal(t, failure.Code+" "+failure.Reason+" "+failure.RequestID, "RATE_LIMIT_EXCEEDED burst r2")
	equal(t, err.Error(), "RATE_LIMIT_EXCEEDED: Slow down. (429, r2)")
	equal(t, failure.Status, 429)
	equal(t, *failure.RetryAfter, 2*time.Second)
	equal(t, len(*received), 2)
}

func TestPermanentErrorsAreNotRetried(t *testing.T) {
	for code, status := range map[string]int{"INVALID_IMAGE": 400, "QUOTA_EXCEEDED": 429} {
		body := strings.ReplaceAll(rateLimited, "RATE_LIMIT_EXCEEDED", code)
		client, received := serve(t, reply{status, "1", body})
		_, err := detect(client)
		equal(t, errorOf(t, err).Code, code)
		equal(t, len(*received), 1)
	}
}

func TestUnknownCodesAndPagesOfProxiesAreRetriedByStatus(t *testing.T) {
	unknown := strings.ReplaceAll(rateLimited, "RATE_LIMIT_EXCEEDED", "NEW_CODE")
	client, received := serve(t, reply{503, "", unknown}, reply{502, "", "<html>"}, reply{302, "", "<html>"})
	_, err := detect(client)
	equal(t, errorOf(t, err).Code, UnexpectedResponse)
	equal(t, len(*received), 3)
}

func TestWorkInProgressIsNoRetry(t *testing.T) {
	client, _ := serve(t, reply{409, "0", conflict}, reply{409, "0", conflict}, reply{200, "", success})
	client.Retries = 0
	if _, err := detect(client); err != nil {
		t.Fatal(err)
	}
	client, received := serve(t, reply{409, "", conflict})
	_, err := detect(client)
	equal(t, errorOf(t, err).Reason, "inProgress")
	equal(t, len(*received), 1)
}

func TestCallFailsInsteadOfWaitingPastTheTimeout(t *testing.T) {
	client, received := serve(t, reply{429, "3600", rateLimited})
	_, err := detect(client)
	equal(t, errorOf(t, err).Code, "RATE_LIMIT_EXCEEDED")
	equal(t, len(*received), 1)
}

func TestTimeoutAndCancellation(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		io.Copy(io.Discard, request.Body)
		<-request.Context().Done()
	}))
	defer server.Close()
	client := New("key", server.URL)
	client.Timeout = 20 * time.Millisecond
	_, err := detect(client)
	equal(t, errorOf(t, err).Code, TimedOut)
	equal(t, strings.HasPrefix(err.Error(), "TIMED_OUT: "), true)
	equal(t, errors.Is(err, context.DeadlineExceeded), true)
	client.Timeout = time.Minute
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = client.Health(ctx)
	equal(t, errors.Is(err, context.Canceled), true)
}

func TestPagesYieldAllItemsAndReadOnDemand(t *testing.T) {
	first := reply{200, "", `{"success":true,"data":{"items":[1,2],"nextCursor":"a:1"},"requestId":"r"}`}
	second := reply{200, "", `{"success":true,"data":{"items":[],"nextCursor":"b&2"},"requestId":"r"}`}
	third := reply{200, "", `{"success":true,"data":{"items":[3]},"requestId":"r"}`}
	params := url.Values{"limit": {"2"}}
	client, received := serve(t, first, second, third)
	sum := 0
	for item, err := range pages[int](context.Background(), client, "/numbers", params) {
		if err != nil {
			t.Fatal(err)
		}
		sum += item
	}
	equal(t, sum, 6)
	equal(t, (*received)[0].URL.RawQuery, "limit=2")
	equal(t, (*received)[1].URL.RawQuery, "cursor=a%3A1&limit=2")
	equal(t, (*received)[2].URL.Query().Get("cursor"), "b&2")

	client, received = serve(t, first, reply{429, "3600", rateLimited})
	var last error
	for _, err := range pages[int](context.Background(), client, "/numbers", url.Values{}) {
		last = err
	}
	equal(t, errorOf(t, last).Code, "RATE_LIMIT_EXCEEDED")

	client, received = serve(t, first)
	for range pages[int](context.Background(), client, "/numbers", url.Values{}) {
		break
	}
	equal(t, len(*received), 1)
}

func TestImageFormats(t *testing.T) {
	for text, format := range map[string]string{"\x89PNG\r\n\x1a\n": "png", "RIFF\x00\x00\x00\x00WEBP" + "VP8 ": "webp", "GIF89a": "gif", "0000ftypheic": "heic"} {
		encoded, err := json.Marshal(Image(text))
		equal(t, err, nil)
		equal(t, strings.HasPrefix(string(encoded), `"data:image/`+format+";base64,"), true)
	}
	client, received := serve(t)
	_, err := client.Detect(context.Background(), DetectRequest{Image: Image("BM")})
	equal(t, strings.Contains(err.Error(), "not a JPEG, PNG, WebP, GIF or HEIC image"), true)
	equal(t, errorOf(t, err).Code, "INVALID_IMAGE")
	equal(t, len(*received), 0)
}

func TestRetryAfterDate(t *testing.T) {
	now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	equal(t, *parseRetryAfter("Thu, 15 Jan 2026 12:00:30 GMT", now), 30*time.Second)
	equal(t, *parseRetryAfter("Thu, 15 Jan 2026 11:00:00 GMT", now), 0)
	equal(t, parseRetryAfter("soon", now), nil)
}
