// Makes each call with the client that oapi-codegen writes. Prints the name of each step that passes.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"

	"presenza.example/program/client"
)

var (
	image string
	api   *client.ClientWithResponses
	ctx   = context.Background()
)

func main() {
	bytes, err := os.ReadFile(os.Getenv("IMAGE"))
	check(err == nil, err)
	image = "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(bytes)
	api, err = client.NewClientWithResponses(os.Getenv("API_URL"), client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
			return nil
		}))
	check(err == nil, err)
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
	attributes := []client.FaceAttributeName{"all"}
	body := client.DetectRequest{Image: image, Attributes: &attributes}
	response, err := api.DetectFacesWithResponse(ctx, nil, body)
	check(err == nil && response.JSON200 != nil, err)
	found := response.JSON200.Data.Faces[0].Attributes
	check(len(*found.Landmarks) > 30, found)
	check((*found.Emotions)[0].Type.Valid(), found)
}

func compare() {
	response, err := api.CompareFacesWithResponse(ctx, nil, client.CompareRequest{SourceImage: image, TargetImage: image})
	check(err == nil && response.JSON200 != nil, err)
	check(response.JSON200.Data.MatchedFaces[0].Similarity > 0.9, response.JSON200)
}

func moderate() {
	threshold := float32(0)
	categories := []string{"Explicit"}
	body := client.ModerateRequest{Image: image, ConfidenceThreshold: &threshold, Categories: &categories}
	response, err := api.ModerateImageWithResponse(ctx, nil, body)
	check(err == nil && response.JSON200 != nil, err)
	check(response.JSON200.Data.DetectedElements[0].Type == "Explicit", response.JSON200)
}

func batch() {
	response, err := api.RunBatchWithResponse(ctx, nil, client.BatchRequest{Operations: []client.BatchOperation{
		{Operation: "detect", Body: map[string]any{"image": image}},
		{Operation: "compare", Body: map[string]any{"sourceImage": image, "targetImage": image}},
		{Operation: "moderate", Body: map[string]any{}},
	}})
	check(err == nil && response.JSON200 != nil, err)
	results := response.JSON200.Data.Results
	check(len(*results[0].Data.Faces) == *results[0].Data.FaceCount, results[0])
	check((*results[1].Data.MatchedFaces)[0].Similarity > 0.9, results[1])
	check(*results[2].Error.Reason == "missing", results[2])
}

func liveness() {
	metadata := client.Metadata{"userId": "7"}
	created, err := api.CreateLivenessSessionWithResponse(ctx, nil, client.LivenessRequest{Metadata: &metadata})
	check(err == nil && created.JSON200 != nil, err)
	session, err := api.GetLivenessSessionWithResponse(ctx, created.JSON200.Data.SessionId)
	check(err == nil && session.JSON200 != nil, err)
	check(session.JSON200.Data.Status == "created", session.JSON200)
	check((*session.JSON200.Data.Metadata)["userId"] == "7", session.JSON200)
}

func pages() {
	_, err := api.CreateLivenessSessionWithResponse(ctx, nil, client.LivenessRequest{})
	check(err == nil, err)
	ids := map[string]bool{}
	limit := 1
	query := client.ListLivenessSessionsParams{Limit: &limit}
	for more := true; more; {
		response, err := api.ListLivenessSessionsWithResponse(ctx, &query)
		check(err == nil && response.JSON200 != nil, err)
		for _, session := range response.JSON200.Data.Items {
			ids[session.SessionId] = true
		}
		more = response.JSON200.Data.HasMore
		query.Cursor = response.JSON200.Data.NextCursor
	}
	check(len(ids) >= 2, ids)
}

func refuse() {
	body := client.DetectRequest{Image: "data:image/bmp;base64,Qk0="}
	response, err := api.DetectFacesWithResponse(ctx, nil, body)
	check(err == nil && response.JSON400 != nil, err)
	refusal := response.JSON400.Error
	check(refusal.Code == "INVALID_IMAGE" && *refusal.Reason == "format", refusal)
}

func usage() {
	response, err := api.GetUsageWithResponse(ctx, nil)
	check(err == nil && response.JSON200 != nil, err)
	check(response.JSON200.Data.ProductGroups.ImageAnalysis.Used >= 5, response.JSON200)
}
