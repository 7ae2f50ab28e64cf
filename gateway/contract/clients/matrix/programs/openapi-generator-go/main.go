// Makes each call with the client that openapi-generator (go) writes. Prints the name of each step that passes.
package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"

	api "presenza.example/program/client"
)

var (
	image  string
	client *api.APIClient
	ctx    = context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("API_KEY"))
)

func main() {
	bytes, err := os.ReadFile(os.Getenv("IMAGE"))
	check(err == nil, err)
	image = "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(bytes)
	settings := api.NewConfiguration()
	settings.Servers = api.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	client = api.NewAPIClient(settings)
	for _, step := range []struct {
		name string
		run  func()
	}{
		{"detect", detect}, {"compare", compare}, {"moderate", moderate}, {"batch", batch},
		{"liveness", liveness}, {"pages", pages}, {"error", refuse}, {"usage", usage},
	} {
		step.run()
		fmt.Println(step.name)
	}
}

func check(condition bool, seen any) {
	if !condition {
		panic(fmt.Sprintf("%+v", seen))
	}
}

func detect() {
	request := api.NewDetectRequest(image)
	request.Attributes = []api.FaceAttributeName{api.ALL}
	response, _, err := client.FaceDetectionAPI.DetectFaces(ctx).DetectRequest(*request).Execute()
	check(err == nil, err)
	attributes := response.Data.Faces[0].Attributes
	check(len(attributes.Landmarks) > 30, attributes)
	check(attributes.Emotions[0].Type.IsValid(), attributes)
}

func compare() {
	request := api.NewCompareRequest(image, image)
	response, _, err := client.FaceComparisonAPI.CompareFaces(ctx).CompareRequest(*request).Execute()
	check(err == nil, err)
	check(response.Data.MatchedFaces[0].Similarity > 0.9, response)
}

func moderate() {
	request := api.NewModerateRequest(image)
	request.SetConfidenceThreshold(0)
	request.Categories = []string{"Explicit"}
	response, _, err := client.ImageModerationAPI.ModerateImage(ctx).ModerateRequest(*request).Execute()
	check(err == nil, err)
	check(response.Data.DetectedElements[0].Type == "Explicit", response)
}

func batch() {
	request := api.NewBatchRequest([]api.BatchOperation{
		*api.NewBatchOperation(api.DETECT, map[string]any{"image": image}),
		*api.NewBatchOperation(api.COMPARE, map[string]any{"sourceImage": image, "targetImage": image}),
		*api.NewBatchOperation(api.MODERATE, map[string]any{}),
	})
	response, _, err := client.BatchAPI.RunBatch(ctx).BatchRequest(*request).Execute()
	check(err == nil, err)
	results := response.Data.Results
	check(len(results[0].Data.Faces) == int(results[0].Data.GetFaceCount()), results[0])
	check(results[1].Data.MatchedFaces[0].Similarity > 0.9, results[1])
	check(results[2].Error.GetReason() == "missing", results[2])
}

func liveness() {
	request := api.LivenessRequest{Metadata: map[string]any{"userId": "7"}}
	created, _, err := client.LivenessAPI.CreateLivenessSession(ctx).LivenessRequest(request).Execute()
	check(err == nil, err)
	session, _, err := client.LivenessAPI.GetLivenessSession(ctx, created.Data.SessionId).Execute()
	check(err == nil, err)
	check(session.Data.Status == api.CREATED, session)
	check(session.Data.Metadata["userId"] == "7", session)
}

func pages() {
	_, _, err := client.LivenessAPI.CreateLivenessSession(ctx).LivenessRequest(api.LivenessRequest{}).Execute()
	check(err == nil, err)
	ids := map[string]bool{}
	request := client.LivenessAPI.ListLivenessSessions(ctx).Limit(1)
	for more := true; more; {
		response, _, err := request.Execute()
		check(err == nil, err)
		for _, session := range response.Data.Items {
			ids[session.SessionId] = true
		}
		more = response.Data.HasMore
		request = request.Cursor(response.Data.GetNextCursor())
	}
	check(len(ids) >= 2, ids)
}

func refuse() {
	request := api.NewDetectRequest("data:image/bmp;base64,Qk0=")
	_, response, err := client.FaceDetectionAPI.DetectFaces(ctx).DetectRequest(*request).Execute()
	var refusal *api.GenericOpenAPIError
	check(errors.As(err, &refusal) && response.StatusCode == 400, err)
	model := refusal.Model().(api.ErrorResponse)
	check(model.Error.Code == "INVALID_IMAGE" && model.Error.GetReason() == "format", model)
}

func usage() {
	response, _, err := client.UsageAPI.GetUsage(ctx).Execute()
	check(err == nil, err)
	check(response.Data.ProductGroups.ImageAnalysis.Used >= 5, response)
}
