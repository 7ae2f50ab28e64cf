// Package presenza calls the Presenza API from a backend that holds the API key. Client has a method for each operation
// that accepts an API key. The methods and their types are in operations.go, generated from the OpenAPI document.
package presenza

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Client calls the API. It is safe for concurrent use while its fields stay unchanged.
type Client struct {
	// HTTPClient sends the requests. It must not follow redirects.
	HTTPClient *http.Client
	// Retries is the maximum number of retries of a call. Default: 3.
	Retries int
	// Timeout limits a whole call, including retries. A batch may take three times as long. Default: one minute.
	Timeout time.Duration

	apiKey, baseURL, idempotencyKey string
}

// New returns a client. The base URL may end with /v1.
func New(apiKey, baseURL string) *Client {
	noRedirects := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		HTTPClient: &http.Client{CheckRedirect: noRedirects},
		Retries:    3,
		Timeout:    time.Minute,
		apiKey:     apiKey,
		baseURL:    strings.TrimRight(baseURL, "/"),
	}
}

// WithIdempotencyKey returns a client that sends this key, 1 to 255 visible ASCII characters, with a call, so that you can
// repeat the call later. Otherwise, each call gets its own key, which its retries reuse.
func (c Client) WithIdempotencyKey(key string) *Client {
	c.idempotencyKey = key
	return &c
}

// call sends one operation. The body becomes JSON.
func call[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (*T, error) {
	request, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return nil, unsentError(err)
	}
	text, err := c.send(request)
	if err != nil {
		return nil, err
	}
	result := new(T)
	if err := json.Unmarshal(text, result); err != nil {
		failure := newError(UnexpectedResponse, err)
		failure.Status = http.StatusOK
		return nil, failure
	}
	return result, nil
}

func (c *Client) request(ctx context.Context, method, path string, query url.Values, body any) (*http.Request, error) {
	payload, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if body == nil {
		payload = nil
		if method == http.MethodPost {
			payload = []byte("{}")
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"http", "https"}, request.URL.Scheme) || request.URL.Hostname() == "" {
		return nil, errors.New("the base URL must be an http or https URL")
	}
	// An error of the transport would count as a failed connection.
	if !isHeaderValue(c.apiKey) {
		return nil, newError(invalidAPIKey, errors.New("the API key must be visible ASCII characters"))
	}
	if c.idempotencyKey != "" && !isHeaderValue(c.idempotencyKey) {
		return nil, errors.New("the Idempotency-Key must be visible ASCII characters")
	}
	request.URL.RawQuery = query.Encode()
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.apiKey)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", cmp.Or(c.idempotencyKey, rand.Text()))
	}
	return request, nil
}

func isHeaderValue(text string) bool {
	return text != "" && strings.IndexFunc(text, func(c rune) bool { return c < '!' || c > '~' }) < 0
}

// send repeats a request until it succeeds, fails permanently, or runs out of retries or time.
func (c *Client) send(request *http.Request) ([]byte, error) {
	timeout := c.Timeout
	if strings.HasSuffix(request.URL.Path, "/batch") {
		timeout *= 3
	}
	ctx, cancel := context.WithTimeout(request.Context(), timeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	for failures, retried := 1, 0; ; failures++ {
		text, failure := c.attempt(request.Clone(ctx))
		if failure == nil {
			return text, nil
		}
		if err := context.Cause(request.Context()); err != nil {
			return nil, err
		}
		if !failure.isUnderWay() {
			retried++
		}
		delay := failure.delay(failures)
		isFinal := !failure.isUnderWay() && (!failure.isRetryable() || retried > c.Retries)
		// The call fails now instead of waiting past the deadline.
		if isFinal || time.Until(deadline) <= delay {
			return nil, failure
		}
		select {
		case <-time.After(delay):
		case <-request.Context().Done():
			return nil, context.Cause(request.Context())
		}
	}
}

// attempt sends a request once and returns the body of a successful response.
func (c *Client) attempt(request *http.Request) ([]byte, *Error) {
	request.Body, _ = request.GetBody()
	response, err := c.HTTPClient.Do(request)
	if err != nil {
		return nil, connectionError(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, connectionError(err)
	}
	var envelope struct {
		Success   bool     `json:"success"`
		Error     APIError `json:"error"`
		RequestID string   `json:"requestId"`
	}
	isJSON := json.Unmarshal(text, &envelope) == nil
	if isJSON && envelope.Success && response.StatusCode/100 == 2 {
		return text, nil
	}
	failure := &Error{APIError: envelope.Error, RequestID: envelope.RequestID}
	if envelope.Success || envelope.Error.Code == "" {
		// The text is left out, because its content is unknown.
		failure = newError(UnexpectedResponse, errors.New("the response is not from this API"))
		failure.RequestID = response.Header.Get("X-Request-Id")
	}
	failure.Status = response.StatusCode
	failure.RetryAfter = parseRetryAfter(response.Header.Get("Retry-After"), time.Now())
	return nil, failure
}

// queryOf returns the fields of a struct by their JSON names, or none for a nil pointer.
func queryOf(params any) url.Values {
	text, _ := json.Marshal(params) // Strings, numbers and times have a JSON form.
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	_ = decoder.Decode(&fields)
	query := url.Values{}
	for name, value := range fields {
		query.Set(name, fmt.Sprint(value))
	}
	return query
}

type page[T any] struct {
	Data struct {
		Items      []T    `json:"items"`
		NextCursor string `json:"nextCursor"`
	} `json:"data"`
}

// pages yields the items of a list and reads a page when its first item is needed. An error ends the sequence.
func pages[T any](ctx context.Context, c *Client, path string, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		own := maps.Clone(query)
		for {
			read, err := call[page[T]](ctx, c, http.MethodGet, path, own, nil)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range read.Data.Items {
				if !yield(item, nil) {
					return
				}
			}
			if read.Data.NextCursor == "" {
				return
			}
			own.Set("cursor", read.Data.NextCursor)
		}
	}
}

// Image has the bytes of a JPEG, PNG, WebP, GIF or HEIC file, for example from os.ReadFile.
type Image []byte

// Brands of HEIF files with still images and sequences in HEVC. The service explains why it refuses sequences.
var heifBrands = []string{
	"ftypheic", "ftypheix", "ftypheim", "ftypheis", "ftypmif1", "ftypmif2", "ftypmiaf",
	"ftyphevc", "ftyphevx", "ftyphevm", "ftyphevs", "ftypmsf1",
}

// MarshalJSON encodes the image as a data URI.
func (i Image) MarshalJSON() ([]byte, error) {
	format := http.DetectContentType(i)
	if len(i) >= 12 && slices.Contains(heifBrands, string(i[4:12])) {
		format = "image/heic"
	}
	if !slices.Contains([]string{"image/jpeg", "image/png", "image/webp", "image/gif", "image/heic"}, format) {
		failure := newError(invalidImage, errors.New("the bytes are not a JPEG, PNG, WebP, GIF or HEIC image"))
		failure.Reason = "format"
		return nil, failure
	}
	return json.Marshal("data:" + format + ";base64," + base64.StdEncoding.EncodeToString(i))
}
