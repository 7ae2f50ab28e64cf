package presenza

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Codes of errors that no response from the service caused. A request that the client cannot send has the code with which the service
// would reject it: INVALID_IMAGE, INVALID_API_KEY or INVALID_PARAMETERS.
const (
	ConnectionFailed = "CONNECTION_FAILED"
	TimedOut         = "TIMED_OUT"
	// UnexpectedResponse is for a response that is not from this API, for example a proxy's error page.
	UnexpectedResponse = "UNEXPECTED_RESPONSE"
)

const (
	invalidAPIKey     = "INVALID_API_KEY"
	invalidImage      = "INVALID_IMAGE"
	invalidParameters = "INVALID_PARAMETERS"
)

// Error is a rejected or failed call. It contains neither the API key nor any part of the request.
type Error struct {
	// APIError has the code, the message, the reason and the other fields that the service sent.
	APIError
	// Status of the response; 0 if there was none, also if the client refused to send the request.
	Status    int
	RequestID string
	// RetryAfter is the time to wait before the next attempt; nil if the response has none.
	RetryAfter *time.Duration
	cause      error
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return e.Code + ": " + e.Message
	}
	return fmt.Sprintf("%s: %s (%d, %s)", e.Code, e.Message, e.Status, e.RequestID)
}

func (e *Error) Unwrap() error { return e.cause }

func newError(code string, cause error) *Error {
	return &Error{APIError: APIError{Code: code, Message: cause.Error()}, cause: cause}
}

// unsentError is for a request that the client cannot send. An error that already has a code keeps it.
func unsentError(err error) *Error {
	var coded *Error
	if errors.As(err, &coded) {
		return coded
	}
	return newError(invalidParameters, withoutURL(err))
}

// withoutURL leaves out the URL of the request, whose query may contain personal data.
func withoutURL(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}

func connectionError(err error) *Error {
	err = withoutURL(err)
	if errors.Is(err, context.DeadlineExceeded) {
		return newError(TimedOut, err)
	}
	return newError(ConnectionFailed, err)
}

// parseRetryAfter accepts seconds or an HTTP date (RFC 9110, section 10.2.3).
func parseRetryAfter(value string, now time.Time) *time.Duration {
	date, err := http.ParseTime(value)
	wait := max(0, date.Sub(now))
	if seconds, notSeconds := strconv.ParseUint(value, 10, 31); notSeconds == nil {
		wait, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil {
		return nil
	}
	return &wait
}

// isRetryable follows the code of the error, or its status if the code is unknown.
func (e *Error) isRetryable() bool {
	known, isKnown := retryable[e.Code]
	return known || e.Code == ConnectionFailed || (!isKnown && slices.Contains([]int{408, 429, 502, 503, 504}, e.Status))
}

// isUnderWay reports whether the response asks to wait for work in progress, such as the first request with the same
// Idempotency-Key. Such a wait is not a retry.
func (e *Error) isUnderWay() bool {
	return e.Status == http.StatusConflict && e.RetryAfter != nil
}

// delay is the time of Retry-After plus exponential backoff with full jitter, so that clients that were rejected together
// do not retry together.
func (e *Error) delay(failures int) time.Duration {
	backoff := min(8*time.Second, 250*time.Millisecond<<min(failures-1, 6))
	wait := time.Duration(rand.Float64() * float64(backoff))
	if e.RetryAfter != nil {
		wait += *e.RetryAfter
	}
	return wait
}
