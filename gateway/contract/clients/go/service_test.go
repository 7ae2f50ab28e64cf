package presenza

import (
	"context"
	"os"
	"testing"
)

// TestService calls each operation of the service at API_URL.
func TestService(t *testing.T) {
	if os.Getenv("API_URL") == "" {
		t.Skip("API_URL is not set")
	}
	ctx := context.Background()
	client := New(os.Getenv("API_KEY"), os.Getenv("API_URL"))
	photo, err := os.ReadFile(os.Getenv("IMAGE"))
	must(t, photo != nil, err)

	_, err = client.Health(ctx)
	must(t, err == nil, err)

	detection, err := client.Detect(ctx, DetectRequest{Image: photo, Attributes: []FaceAttributeName{FaceAttributeNameAll}})
	must(t, err == nil && len(detection.Data.Faces[0].Attributes.Landmarks) > 30, err)

	comparison, err := client.Compare(ctx, CompareRequest{SourceImage: photo, TargetImage: photo})
	must(t, err == nil && comparison.Data.MatchedFaces[0].Similarity > 0.9, err)

	threshold := 0.0
	moderation, err := client.Moderate(ctx, ModerateRequest{Image: photo, ConfidenceThreshold: &threshold})
	must(t, err == nil && len(moderation.Data.DetectedElements) > 0, err)

	batch, err := client.Batch(ctx, BatchRequest{Operations: []BatchOperation{
		{Operation: BatchOperationNameDetect, Body: map[string]any{"image": Image(photo)}},
		{Operation: BatchOperationNameModerate, Body: map[string]any{}},
	}})
	must(t, err == nil && batch.Data.Results[0].Success && batch.Data.Results[1].Error.Reason == "missing", err)

	request := LivenessRequest{ImageToCompare: photo, Metadata: Metadata{"userId": "7"}}
	once := client.WithIdempotencyKey(batch.RequestID)
	created, err := once.CreateLivenessSession(ctx, request)
	must(t, err == nil, err)
	again, err := once.CreateLivenessSession(ctx, request)
	must(t, err == nil && again.Data.SessionID == created.Data.SessionID, err)
	session, err := client.GetLivenessSession(ctx, created.Data.SessionID)
	must(t, err == nil && session.Data.Status == LivenessStatusCreated && session.Data.Metadata["userId"] == "7", err)
	second, err := client.CreateLivenessSession(ctx, request)
	must(t, err == nil, err)
	found := map[string]bool{}
	for one, err := range client.AllLivenessSessions(ctx, &ListLivenessSessionsParams{Metadata: "userId:7", Limit: 1}) {
		must(t, err == nil, err)
		found[one.SessionID] = true
	}
	must(t, found[created.Data.SessionID] && found[second.Data.SessionID], nil)
	cancelled, err := client.CancelLivenessSession(ctx, second.Data.SessionID)
	must(t, err == nil && cancelled.Data.Status == LivenessStatusCancelled, err)
	_, err = client.DeleteLivenessSession(ctx, second.Data.SessionID)
	must(t, err == nil, err)
	_, err = client.DeleteLivenessSession(ctx, created.Data.SessionID)
	must(t, err == nil, err)
	_, err = client.GetLivenessSession(ctx, created.Data.SessionID)
	failure := errorOf(t, err)
	must(t, failure.Code == "NOT_FOUND" && failure.Reason == "session" && failure.Status == 404 && failure.RequestID != "", err)

	usage, err := client.Usage(ctx, nil)
	must(t, err == nil && usage.Data.ProductGroups.ImageAnalysis.Used >= 4, err)
}

func must(t *testing.T, condition bool, err error) {
	t.Helper()
	if !condition {
		t.Fatalf("unexpected result: %v", err)
	}
}
