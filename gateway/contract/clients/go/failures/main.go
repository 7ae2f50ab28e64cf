// The failure scenarios with the module, as ../../failures/run.mjs describes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"presenza.example/presenza"
)

type scenario struct {
	Name, BaseURL, APIKey, IdempotencyKey string
	Image                                 []byte
	Retries                               int
	TimeoutMs                             int
}

func say(line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func outcomeOf(given scenario) map[string]any {
	client := presenza.New(given.APIKey, given.BaseURL)
	client.Retries = given.Retries
	if given.TimeoutMs > 0 {
		client.Timeout = time.Duration(given.TimeoutMs) * time.Millisecond
	}
	if given.IdempotencyKey != "" {
		client = client.WithIdempotencyKey(given.IdempotencyKey)
	}
	_, err := client.Detect(context.Background(), presenza.DetectRequest{Image: given.Image})
	if err == nil {
		return map[string]any{}
	}
	text := fmt.Sprintf("%v %v", err, errors.Unwrap(err))
	var failure *presenza.Error
	if !errors.As(err, &failure) {
		return map[string]any{"code": "OTHER", "text": text}
	}
	outcome := map[string]any{"code": failure.Code, "requestId": failure.RequestID, "text": text}
	if failure.Reason != "" {
		outcome["reason"] = failure.Reason
	}
	if failure.Status != 0 {
		outcome["status"] = failure.Status
	}
	if failure.RetryAfter != nil {
		outcome["retryAfter"] = failure.RetryAfter.Seconds()
	}
	return outcome
}

func main() {
	client := reflect.TypeFor[*presenza.Client]()
	methods := []string{}
	for i := range client.NumMethod() {
		methods = append(methods, client.Method(i).Name)
	}
	say(map[string]any{"methods": methods})
	text, err := os.ReadFile(os.Getenv("SCENARIOS"))
	if err != nil {
		panic(err)
	}
	var scenarios []scenario
	if err := json.Unmarshal(text, &scenarios); err != nil {
		panic(err)
	}
	for _, given := range scenarios {
		say(map[string]any{"begin": given.Name})
		outcome := outcomeOf(given)
		outcome["name"] = given.Name
		say(outcome)
	}
}
